/**
 * Exports, follow-up letters, erasure requests and the end of the fair.
 *
 * Invariants:
 * - Exports contain only leads of the current partner. Only the card of sealed leads exports those of another partner.
 * - Every receipt names the file and what was left out.
 */
import { useQuery } from '@tanstack/react-query';
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { LeadFilter } from '../../../src-main/contract/leads.ts';
import type { StaffSession } from '../../../src-main/contract/staff.ts';
import type { Link } from '../../link/link.ts';
import { useClock, useDatedClock } from '../../messages/clock.ts';
import { Text } from '../../messages/text.tsx';
import { viewOf } from '../address/lead-view.ts';
import { EndOfFair } from './end-of-fair.tsx';
import { ExportCard } from './export-card.tsx';
import { ForgetCard } from './forget-card.tsx';
import { ImportCard } from './import-card.tsx';
import { ProofCard } from './proof-card.tsx';
import { SealedLeads } from './sealed-leads.tsx';

type HandoverProps = {
  readonly link: Link;
  readonly device: DeviceState;
  readonly session: StaffSession;
  readonly params: URLSearchParams;
  readonly selected: ReadonlySet<string>;
};

/** The section. */
export function HandoverSection({ link, device, session, params, selected }: HandoverProps) {
  const clock = useClock(device.event?.timezone);
  const dated = useDatedClock(device.event?.timezone);
  const { filter } = viewOf(params);
  const narrowed = Object.keys(filter).length > 0;
  const all = useCount(link, {}, true);
  const some = useCount(link, filter, narrowed);
  return (
    <>
      <header className="staff-head">
        <div className="staff-title">
          <h1>
            <Text id="staff.handover" />
          </h1>
        </div>
        <p className="counts">
          <Text id="handover.hint" />
        </p>
      </header>
      <div className="cards-page">
        <SealedLeads link={link} device={device} technician={session.technician} />
        <ExportCard
          link={link}
          all={all}
          narrowed={narrowed ? { filter, count: some } : null}
          selected={selected}
        />
        <div className="cards-column">
          <ImportCard link={link} />
          <ProofCard link={link} />
          <ForgetCard link={link} dated={dated} />
          <EndOfFair link={link} clock={clock} dated={dated} technician={session.technician} />
        </div>
      </div>
    </>
  );
}

/** The number of people who match a filter; null while unknown. */
function useCount(link: Link, filter: LeadFilter, enabled: boolean): number | null {
  const page = useQuery({
    queryKey: ['leads', 'count', filter],
    enabled,
    queryFn: () =>
      link.call((client, signal) =>
        client.leads.page({ filter, sort: 'latest', from: { position: 0 }, limit: 1 }, { signal }),
      ),
  });
  return page.data?.counts.people ?? null;
}
