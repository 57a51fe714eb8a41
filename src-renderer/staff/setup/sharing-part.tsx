/**
 * Sharing among several laptops of one stand: this laptop shares its leads, joins another laptop with a code, takes
 * over the sharing, or returns to direct delivery.
 *
 * Invariant: a code is on this page only while it is valid and unused.
 */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, Form } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { SharingRefusal, SharingState } from '../../../src-main/contract/sharing.ts';
import type { Link } from '../../link/link.ts';
import { useClock } from '../../messages/clock.ts';
import { Text, useText } from '../../messages/text.tsx';
import { setupTimes } from '../../times.ts';
import { QrCode } from '../../widgets/qr-code.tsx';
import { useCodeCamera } from './code-camera.tsx';
import { Asking, Heard, LineField, SelectField } from './fields.tsx';

type Change =
  | { readonly kind: 'share' | 'leave' }
  | { readonly kind: 'join'; readonly code: string }
  | { readonly kind: 'invite'; readonly address: string };

/** The part. */
export function SharingPart({ link }: { readonly link: Link }) {
  const asked = useQuery({
    queryKey: ['setup', 'sharing'],
    refetchInterval: setupTimes.sharing,
    retry: false,
    queryFn: () => link.call((client, signal) => client.setup.sharing.state(undefined, { signal })),
  });
  const change = useMutation({
    mutationFn: async (wanted: Change): Promise<SharingRefusal | null> => {
      const { refused } = await link.call((client, signal) => {
        const { sharing } = client.setup;
        if (wanted.kind === 'join') return sharing.join({ code: wanted.code }, { signal });
        if (wanted.kind === 'invite')
          return sharing.invite({ address: wanted.address }, { signal }).then(() => ({ refused: null }));
        return sharing[wanted.kind](undefined, { signal });
      }, setupTimes.ask);
      return refused;
    },
    onSettled: (_answer, _error, wanted) => {
      const read = asked.refetch();
      // The earlier code stays hidden until the new state has arrived.
      return wanted.kind === 'invite' ? read : undefined;
    },
  });
  const state = asked.data;
  if (state === undefined) return null;
  const isDone = change.data === null && change.variables.kind !== 'invite';
  return (
    <div className="setup-part sharing-part">
      <h3>
        <Text id="setup.sharing" />
      </h3>
      <p className="setup-hint">
        <Text id={`setup.sharing.${state.mode}`} />
      </p>
      {state.mode === 'sharing' ? (
        <Serving state={state} isBusy={change.isPending} onChange={change.mutate} />
      ) : null}
      <Choices state={state} isBusy={change.isPending} onChange={change.mutate} />
      {state.mode === 'sharing' ? null : (
        <JoinForm
          link={link}
          isBusy={change.isPending}
          onJoin={(code) => change.mutate({ kind: 'join', code })}
        />
      )}
      {change.isPending ? <Asking /> : null}
      {change.data ? <Refusal reason={change.data} /> : null}
      {isDone ? (
        <Heard tone="captured">
          <Text id="setup.sharing.done" />
        </Heard>
      ) : null}
      {change.isError ? (
        <Heard tone="stop">
          <Text id="delivery.failed" />
        </Heard>
      ) : null}
    </div>
  );
}

type PartProps = {
  readonly state: SharingState;
  readonly isBusy: boolean;
  readonly onChange: (wanted: Change) => void;
};

/** The buttons that start or end the sharing of this laptop. */
function Choices({ state: { mode, hasKey }, isBusy, onChange }: PartProps) {
  if (!hasKey)
    return mode === 'member' ? (
      <p className="setup-hint">
        <Text id="setup.sharing.keyless" />
      </p>
    ) : null;
  return (
    <div className="setup-row">
      {mode === 'sharing' ? null : (
        <Button
          className="staff-button line-button"
          isDisabled={isBusy}
          onPress={() => onChange({ kind: 'share' })}
        >
          <Text id={mode === 'member' ? 'setup.sharing.takeOver' : 'setup.sharing.share'} />
        </Button>
      )}
      {mode === 'alone' ? null : (
        <Button
          className="staff-button line-button"
          isDisabled={isBusy}
          onPress={() => onChange({ kind: 'leave' })}
        >
          <Text id={mode === 'sharing' ? 'setup.sharing.stop' : 'setup.sharing.leave'} />
        </Button>
      )}
    </div>
  );
}

/** The hub of this laptop: its state, its laptops, and the code for the next one. */
function Serving({ state, isBusy, onChange }: PartProps) {
  const text = useText();
  const { formatList } = useIntl();
  const clock = useClock(undefined);
  const { isReady, failed, invitation, laptops, addresses } = state;
  const [chosen, setChosen] = useState('');
  const address = addresses.includes(chosen) ? chosen : (addresses[0] ?? '');
  if (failed !== null)
    return (
      <Heard tone="stop">
        <Text id={`setup.sharing.failed.${failed.reason}`} /> <bdi lang="en">{failed.fault}</bdi>
      </Heard>
    );
  if (!isReady)
    return (
      <Heard tone="wait">
        <Text id="setup.sharing.starting" />
      </Heard>
    );
  return (
    <>
      <p className="setup-hint">
        <Text id="setup.sharing.laptops" values={{ names: formatList(laptops) }} />
      </p>
      {addresses.length === 0 ? (
        <Heard tone="stop">
          <Text id="setup.sharing.noNetwork" />
        </Heard>
      ) : null}
      {invitation === null || isBusy ? null : (
        <figure className="sharing-code">
          <QrCode content={invitation.qr} label={text('setup.sharing.qr')} />
          <figcaption>
            <bdi dir="ltr" className="hub-fingerprint">
              {invitation.code}
            </bdi>
            <span>
              <Text id="setup.sharing.until" values={{ time: clock(invitation.until) }} />
            </span>
          </figcaption>
        </figure>
      )}
      <div className="setup-row">
        {addresses.length > 1 ? (
          <SelectField label={text('setup.sharing.address')} value={address} onChange={setChosen}>
            {addresses.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </SelectField>
        ) : null}
        <Button
          className="staff-button"
          isDisabled={isBusy || address === ''}
          onPress={() => onChange({ kind: 'invite', address })}
        >
          <Text id="setup.sharing.invite" />
        </Button>
      </div>
    </>
  );
}

type JoinProps = {
  readonly link: Link;
  readonly isBusy: boolean;
  readonly onJoin: (code: string) => void;
};

/** The code of the other laptop, typed or in front of the camera. */
function JoinForm({ link, isBusy, onJoin }: JoinProps) {
  const text = useText();
  const [code, setCode] = useState('');
  const scanned = (read: string) => {
    camera.close();
    onJoin(read.slice(0, LONGEST_CODE));
  };
  const camera = useCodeCamera(link, scanned, 'setup.sharing.scan');
  return (
    <Form
      className="setup-fields"
      onSubmit={(submitted) => {
        submitted.preventDefault();
        onJoin(code);
      }}
    >
      <LineField label={text('setup.sharing.code')} most={LONGEST_CODE} value={code} onChange={setCode} />
      <div className="setup-row">
        <Button type="submit" className="staff-button line-button" isDisabled={code.trim() === '' || isBusy}>
          <Text id="setup.sharing.join" />
        </Button>
        {camera.button}
      </div>
      {camera.camera}
    </Form>
  );
}

/** The contract's limit. */
const LONGEST_CODE = 200;

/** Refusals that only sharing has. The other reasons are the same as for a hub's file. */
const ofSharing = [
  ...(['mistyped', 'wrongCode', 'usedCode', 'expiredCode', 'otherPartner', 'noTouchpoint'] as const),
  ...(['hubOlder', 'newer', 'noKey', 'noProgram', 'noAnswer', 'wrongHub'] as const),
];

function Refusal({ reason }: { readonly reason: SharingRefusal }) {
  const own = ofSharing.find((one) => one === reason);
  return (
    <Heard tone="stop">
      {own === undefined ? (
        <Text id={`setup.file.${reason as Exclude<SharingRefusal, (typeof ofSharing)[number]>}`} />
      ) : (
        <Text id={`setup.sharing.refused.${own}`} />
      )}
    </Heard>
  );
}
