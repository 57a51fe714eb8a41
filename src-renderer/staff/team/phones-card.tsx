/**
 * Phones of the team: the switch and what it opens, pairing by a code, and the list of phones with a button to revoke
 * each.
 *
 * Invariants:
 * - No phone can connect until a member of the team switches the phones on.
 * - A code is shown with the fingerprint to compare, and disappears when the list of paired phones changes.
 */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { PhonesState } from '../../../src-main/contract/phones.ts';
import type { Member } from '../../../src-main/contract/staff.ts';
import type { DeviceClient, Link } from '../../link/link.ts';
import { useClock } from '../../messages/clock.ts';
import { Text, useText } from '../../messages/text.tsx';
import { staffTimes } from '../../times.ts';
import { QrCode } from '../../widgets/qr-code.tsx';

type PhonesCardProps = { readonly link: Link; readonly members: readonly Member[] };

/** A code on the screen. `paired`: the ids of the phones that were paired when it was shown. */
type Shown = { readonly name: string; readonly links: readonly string[]; readonly paired: string };

/** The card. */
export function PhonesCard({ link, members }: PhonesCardProps) {
  const queries = useQueryClient();
  const [shown, setShown] = useState<Shown | null>(null);
  const found = useQuery({
    queryKey: ['phones'],
    queryFn: () => link.call((client, signal) => client.phones.read(undefined, { signal })),
    refetchInterval: staffTimes.refresh,
  });
  const change = useMutation({
    mutationFn: (ask: (client: DeviceClient) => Promise<PhonesState>) => link.call(ask),
    onSuccess: (state) => queries.setQueryData(['phones'], state),
  });
  const { data } = found;
  if (data === undefined) return null;
  const paired = data.phones.map(({ id }) => id).join();
  const show = ({ id, name }: Member) =>
    link
      .call((client, signal) => client.phones.pair({ member: id }, { signal }))
      .then(
        (made) => setShown(made && { name, links: made.links, paired }),
        () => setShown(null),
      );
  const turn = (on: boolean) => {
    setShown(null);
    change.mutate((client) => client.phones.turn({ on }));
  };
  return (
    <section className="staff-card">
      <h2>
        <Text id="phones.title" />
      </h2>
      <p>
        <Text id="phones.hint" />
      </p>
      <p>
        <Text id="phones.opens" />
      </p>
      {data.fault === null && !change.isError ? null : (
        <p className="notice" data-tone="stop" role="status">
          <Text id={`phones.${data.fault ?? 'failed'}`} />
        </p>
      )}
      {data.open === null ? (
        <Button className="staff-button" isDisabled={change.isPending} onPress={() => turn(true)}>
          <Text id="phones.on" />
        </Button>
      ) : (
        <>
          <h3>
            <Text id="phones.pair" />
          </h3>
          <div className="filters">
            {members.map((member) => (
              <Button
                key={member.id}
                className={shown?.name === member.name ? 'staff-button' : 'staff-button line-button'}
                onPress={() => void show(member)}
              >
                <bdi>{member.name}</bdi>
              </Button>
            ))}
          </div>
          {shown !== null && shown.paired === paired ? (
            <PairingCode shown={shown} fingerprint={data.open.fingerprint} />
          ) : null}
          <PhoneList
            phones={data.phones}
            onRevoke={(phone) => change.mutate((client) => client.phones.revoke({ phone }))}
          />
          <Button className="staff-button line-button" onPress={() => turn(false)}>
            <Text id="phones.off" />
          </Button>
        </>
      )}
    </section>
  );
}

type PairingCodeProps = { readonly shown: Shown; readonly fingerprint: string };

/** The code, one per network of the laptop, and the warning that the phone's browser will show. */
function PairingCode({ shown: { name, links }, fingerprint }: PairingCodeProps) {
  const text = useText();
  const [chosen, choose] = useState(0);
  const link = links[chosen] ?? links[0] ?? '';
  return (
    <div className="pairing-code">
      <p>
        <Text id="phones.scan" values={{ name }} />
      </p>
      <QrCode content={link} label={text('phones.code')} />
      {links.length > 1 ? (
        <div className="filters">
          {links.map((one, index) => (
            <Button
              key={one}
              className="filter-chip"
              data-selected={index === chosen || undefined}
              onPress={() => choose(index)}
            >
              {new URL(one).host}
            </Button>
          ))}
        </div>
      ) : null}
      <p>
        <Text id="phones.warns" />
      </p>
      <p className="code pairing-fingerprint">{fingerprint}</p>
    </div>
  );
}

type PhoneListProps = {
  readonly phones: PhonesState['phones'];
  readonly onRevoke: (phone: string) => void;
};

function PhoneList({ phones, onRevoke }: PhoneListProps) {
  const text = useText();
  const clock = useClock(undefined);
  if (phones.length === 0)
    return (
      <p>
        <Text id="phones.none" />
      </p>
    );
  return (
    <ul className="work-lines">
      {phones.map(({ id, member, kind, pairedAt, seenAt }) => (
        <li key={id} className="work-line">
          <span className="lead-cell">
            <strong>
              <bdi>{member}</bdi> · <Text id={`phones.kind.${kind}`} />
            </strong>
            <span>
              <Text id="phones.paired" values={{ time: clock(pairedAt) }} />
              {seenAt === null ? null : (
                <>
                  {' · '}
                  <Text id="phones.seen" values={{ time: clock(seenAt) }} />
                </>
              )}
            </span>
          </span>
          <Button
            className="staff-button line-button"
            aria-label={text('phones.revokeName', { name: member })}
            onPress={() => onRevoke(id)}
          >
            <Text id="phones.revoke" />
          </Button>
        </li>
      ))}
    </ul>
  );
}
