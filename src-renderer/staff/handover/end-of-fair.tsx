/**
 * The end of the fair: shows whether everything is delivered and exported, and erases personal data on the device.
 *
 * Invariants:
 * - Only the technician can erase.
 * - The first press shows what will be lost, and only the second press erases.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { Erased, FairCheck } from '../../../src-main/contract/erasure.ts';
import type { Link } from '../../link/link.ts';
import type { Clock } from '../../messages/clock.ts';
import { Text } from '../../messages/text.tsx';
import { ErasedWords } from './forget-card.tsx';

type EndOfFairProps = {
  readonly link: Link;
  readonly clock: Clock;
  readonly dated: Clock;
  readonly technician: boolean;
};

/** The card. */
export function EndOfFair({ link, clock, dated, technician }: EndOfFairProps) {
  const queries = useQueryClient();
  const [sure, setSure] = useState(false);
  const [erased, setErased] = useState<Erased | 'lost' | null>(null);
  const found = useQuery({
    queryKey: ['lead', 'fair-check'],
    queryFn: () => link.call((client, signal) => client.erasure.check(undefined, { signal })),
  });
  const check = found.data;
  const wipe = (force: boolean) => {
    setSure(false);
    link
      .call((client, signal) => client.erasure.wipe({ force }, { signal }), 120_000)
      .then(setErased, () => setErased('lost'))
      .finally(() => void queries.invalidateQueries());
  };
  return (
    <section className="staff-card">
      <h2>
        <Text id="fair.title" />
      </h2>
      {check ? <Checks check={check} clock={clock} /> : null}
      {technician ? null : (
        <p>
          <Text id="fair.technician" />
        </p>
      )}
      {technician && check && !sure ? (
        <Button className="staff-button danger-button" onPress={() => setSure(true)}>
          <Text id="fair.wipe" />
        </Button>
      ) : null}
      {sure && check ? (
        <div className="danger">
          <p>
            <Text
              id="fair.lost"
              values={{ people: check.people, undelivered: check.undelivered, parked: check.parked }}
            />
          </p>
          {check.endsSharing ? (
            <p>
              <Text id="fair.endsSharing" />
            </p>
          ) : null}
          <div className="correct-actions">
            <Button
              className="staff-button danger-button"
              onPress={() => wipe(check.undelivered + check.parked > 0)}
            >
              <Text id="fair.wipeNow" />
            </Button>
            <Button className="mini-button" onPress={() => setSure(false)}>
              <Text id="staff.cancel" />
            </Button>
          </div>
        </div>
      ) : null}
      {erased === null ? null : <ErasedWords erased={erased} dated={dated} />}
    </section>
  );
}

function Checks({ check, clock }: { readonly check: FairCheck; readonly clock: Clock }) {
  const { undelivered, parked, exportedAll, eraseBy } = check;
  return (
    <ul className="checks">
      <li data-ok={undelivered === 0}>
        <Text id="fair.delivered" values={{ count: undelivered }} />
      </li>
      <li data-ok={parked === 0}>
        <Text id="fair.parked" values={{ count: parked }} />
      </li>
      <li data-ok={exportedAll !== null}>
        {exportedAll === null ? (
          <Text id="fair.notExported" />
        ) : (
          <Text id="fair.exported" values={{ time: clock(exportedAll.at), file: exportedAll.file }} />
        )}
      </li>
      {eraseBy === null ? null : (
        <li data-ok={eraseBy > Date.now()}>
          <Text id="fair.eraseBy" values={{ time: clock(eraseBy) }} />
        </li>
      )}
    </ul>
  );
}
