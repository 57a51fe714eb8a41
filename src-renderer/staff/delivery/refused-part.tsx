/**
 * What this device refused before delivery: codes that cannot be badges, and people who were turned away at a door.
 *
 * Invariant: it is shown only if there is something to show. Staff handle the codes in the worklist.
 */
import { useQuery } from '@tanstack/react-query';
import type { Link } from '../../link/link.ts';
import type { Clock } from '../../messages/clock.ts';
import { Text, useText } from '../../messages/text.tsx';
import { addressOf } from '../address/address.ts';
import { LeadName } from '../parts/lead-parts.tsx';

/** The part. */
export function RefusedPart({ link, clock }: { readonly link: Link; readonly clock: Clock }) {
  const text = useText();
  const worklist = useQuery({
    queryKey: ['worklist'],
    queryFn: () => link.call((client, signal) => client.leads.worklist(undefined, { signal })),
  });
  const doors = useQuery({
    queryKey: ['lead', 'turned-away'],
    queryFn: () => link.call((client, signal) => client.delivery.turnedAway(undefined, { signal })),
  });
  const codes = worklist.data?.refused.length ?? 0;
  const { entries = [], total = 0 } = doors.data ?? {};
  if (codes === 0 && total === 0) return null;
  return (
    <section className="dead-letters" aria-label={text('delivery.refusedTitle')}>
      <div className="dead-letters-head">
        <div>
          <h2>
            <Text id="delivery.refusedTitle" />
          </h2>
          <p>
            <Text id="delivery.refusedHint" values={{ codes, doors: total }} />
          </p>
        </div>
        {codes > 0 ? (
          <a className="staff-button line-button" href={addressOf('worklist')}>
            <Text id="delivery.toWorklist" />
          </a>
        ) : null}
      </div>
      <ul>
        {entries.map((entry) => (
          <li key={entry.factId} className="dead-letter-line">
            <span className="lead-cell">
              <strong>
                <LeadName lead={entry} />
              </strong>
              <span>{clock(entry.at)}</span>
            </span>
            <span className="dead-letter-reason">
              <Text id={`turnedAway.${entry.reason}`} />
            </span>
            <span>
              <bdi>{entry.staff}</bdi>
            </span>
          </li>
        ))}
      </ul>
      {total > entries.length ? (
        <p className="dead-letter-final">
          <Text id="sheet.more" values={{ count: total - entries.length }} />
        </p>
      ) : null}
    </section>
  );
}
