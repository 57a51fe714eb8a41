/**
 * The list on paper: the lines around the visible ones, as a table.
 *
 * Invariants:
 * - Rendered only while printing.
 * - If it does not contain all lines, it says which ones it contains and how many there are.
 */
import { useCallback, useRef, useSyncExternalStore } from 'react';
import type { LeadLine } from '../../../src-main/contract/leads.ts';
import type { Clock } from '../../messages/clock.ts';
import { Text } from '../../messages/text.tsx';
import { HotWord, LeadName, Stars } from '../parts/lead-parts.tsx';
import type { LeadPages } from './use-lead-pages.ts';

type PrintedListProps = { readonly pages: LeadPages; readonly total: number; readonly clock: Clock };

/** The table; empty on a screen. */
export function PrintedList({ pages, total, clock }: PrintedListProps) {
  const printing = usePrinting();
  if (!printing) return null;
  const lines = pages.loaded();
  const first = lines[0]?.index ?? 0;
  return (
    <section className="printed-list">
      {lines.length < total ? (
        <p>
          <Text id="list.printed" values={{ first: first + 1, last: first + lines.length, total }} />
        </p>
      ) : null}
      <table>
        <tbody>
          {lines.map(({ lead }) => (
            <PrintedLine key={lead.id} lead={lead} clock={clock} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function PrintedLine({ lead, clock }: { readonly lead: LeadLine; readonly clock: Clock }) {
  return (
    <tr>
      <th scope="row">
        <LeadName lead={lead} />
      </th>
      <td>
        <bdi>{[lead.company, lead.jobTitle].filter(Boolean).join(' · ')}</bdi>
      </td>
      <td>
        <bdi>{[lead.phone, lead.email].filter(Boolean).join(' · ')}</bdi>
      </td>
      <td>
        <Stars rating={lead.rating} /> <HotWord hot={lead.hot} />
      </td>
      <td>
        <bdi>{lead.note}</bdi>
      </td>
      <td>{clock(lead.lastAt)}</td>
    </tr>
  );
}

/** Whether the browser is printing. It captures the page right after `beforeprint`. */
function usePrinting(): boolean {
  const printing = useRef(false);
  const subscribe = useCallback((changed: () => void) => {
    const hear = ({ type }: Event) => {
      printing.current = type === 'beforeprint';
      changed();
    };
    window.addEventListener('beforeprint', hear);
    window.addEventListener('afterprint', hear);
    return () => {
      window.removeEventListener('beforeprint', hear);
      window.removeEventListener('afterprint', hear);
    };
  }, []);
  return useSyncExternalStore(subscribe, () => printing.current);
}
