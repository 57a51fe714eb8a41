/**
 * Leads of another partner, after this device was assigned to a different stand. Staff export and erase them, or keep
 * them closed.
 *
 * Invariants:
 * - Only the technician can hand them over.
 * - Nothing is erased before an export contains all of it.
 * - The page says how many facts are undelivered before they are lost.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { Erased } from '../../../src-main/contract/erasure.ts';
import type { Link } from '../../link/link.ts';
import { type Clock, useDatedClock } from '../../messages/clock.ts';
import { Text, useText } from '../../messages/text.tsx';
import { addressOf, goTo } from '../address/address.ts';
import { Places } from './export-card.tsx';
import { ExportProgress } from './export-progress.tsx';
import { ErasedWords } from './forget-card.tsx';
import { type OfferedKind, useExport } from './use-export.ts';

type Sealed = NonNullable<DeviceState['sealed']>[number];

/** The partner's id. Empty if the leads belong to no partner. */
const ownerOf = ({ partner }: Sealed): string => partner ?? '';

/** Asks what to do with them until staff decide, above the content of other pages. */
export function SealedQuestion({ link, device }: { readonly link: Link; readonly device: DeviceState }) {
  const asking = (device.sealed ?? []).filter(({ asks }) => asks);
  return asking.map((sealed) => (
    <section key={ownerOf(sealed)} className="notice sealed-question" data-tone="wait">
      <p>
        <SealedWords sealed={sealed} /> <Text id="sealed.ask" />
      </p>
      <span className="correct-actions">
        <Button className="staff-button" onPress={() => goTo(addressOf('handover'))}>
          <Text id="sealed.handOver" />
        </Button>
        <KeepSealed link={link} sealed={sealed} />
      </span>
    </section>
  ));
}

function KeepSealed({ link, sealed }: { readonly link: Link; readonly sealed: Sealed }) {
  return (
    <Button
      className="staff-button line-button"
      onPress={() => {
        const of = ownerOf(sealed);
        // The question disappears when the device confirms that it keeps the leads. If the connection is lost, the
        // connection indicator says so.
        link.call((client, signal) => client.erasure.keepSealed({ of }, { signal })).catch(() => undefined);
      }}
    >
      <Text id="sealed.keep" />
    </Button>
  );
}

type SealedProps = {
  readonly link: Link;
  readonly device: DeviceState;
  readonly technician: boolean;
};

/** The sealed leads, and the button that hands them over. */
export function SealedLeads({ link, device, technician }: SealedProps) {
  const sealed = device.sealed ?? [];
  const dated = useDatedClock(device.event?.timezone);
  if (sealed.length === 0) return null;
  return (
    <section className="staff-card card-wide">
      <h2>
        <Text id="sealed.title" />
      </h2>
      {sealed.map((one) => (
        <div key={ownerOf(one)} className="sealed">
          <p>
            <SealedWords sealed={one} />
          </p>
          {technician ? (
            <HandOver link={link} sealed={one} dated={dated} />
          ) : one.asks ? (
            <div className="correct-actions">
              <KeepSealed link={link} sealed={one} />
            </div>
          ) : null}
        </div>
      ))}
      {technician ? null : (
        <p>
          <Text id="sealed.technician" />
        </p>
      )}
    </section>
  );
}

function SealedWords({ sealed: { partner, name, leads } }: { readonly sealed: Sealed }) {
  return partner === null ? (
    <Text id="sealed.nobodys" values={{ count: leads }} />
  ) : (
    <Text id="sealed.of" values={{ count: leads, partner: name ?? partner }} />
  );
}

const kinds: readonly OfferedKind[] = ['jsonl', 'sheet-xlsx', 'sheet-csv'];

/** Exports, then erases. */
type HandOverProps = { readonly link: Link; readonly sealed: Sealed; readonly dated: Clock };

function HandOver({ link, sealed, dated }: HandOverProps) {
  const of = ownerOf(sealed);
  const text = useText();
  const intl = useIntl();
  const queries = useQueryClient();
  const running = useExport(link);
  const [kind, setKind] = useState<OfferedKind>('jsonl');
  const [place, setPlace] = useState('');
  const [erased, setErased] = useState<Erased | 'lost' | null>(null);
  const isExported = running.job?.result?.kind === 'done';
  const found = useQuery({
    queryKey: ['lead', 'fair-check', of, isExported],
    queryFn: () => link.call((client, signal) => client.erasure.check({ of }, { signal })),
  });
  const check = found.data;
  const lost = check ? check.undelivered + check.parked : 0;
  const wipe = () =>
    link
      .call((client, signal) => client.erasure.wipe({ of, force: lost > 0 }, { signal }), 120_000)
      .then(setErased, () => setErased('lost'))
      .finally(() => void queries.invalidateQueries());
  return (
    <>
      <div className="sealed-way">
        <label className="choice">
          {text('handover.kind')}
          <select
            className="small-field place"
            value={kind}
            onChange={({ target }) => setKind(kinds.find((one) => one === target.value) ?? 'jsonl')}
          >
            {kinds.map((one) => (
              <option key={one} value={one}>
                {`${text(`export.${one}`)} – ${text(`export.hint.${one}`)}`}
              </option>
            ))}
          </select>
        </label>
        <Places link={link} place={place} onChange={setPlace} />
        <Button
          className="staff-button"
          isDisabled={running.busy}
          onPress={() => running.start({ kind, filter: {}, place: place || null, language: intl.locale, of })}
        >
          <Text id="sealed.export" />
        </Button>
        {sealed.asks ? <KeepSealed link={link} sealed={sealed} /> : null}
      </div>
      <ExportProgress running={running} />
      {check?.exportedAll ? (
        <div className="danger">
          <p>
            <Text
              id="fair.lost"
              values={{ people: check.people, undelivered: check.undelivered, parked: check.parked }}
            />
          </p>
          <Button className="staff-button danger-button" onPress={() => void wipe()}>
            <Text id="sealed.erase" />
          </Button>
        </div>
      ) : null}
      {erased === null ? null : <ErasedWords erased={erased} dated={dated} />}
    </>
  );
}
