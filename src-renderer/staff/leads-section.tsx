/**
 * All leads of this device: search, list, one in detail, and where everything captured is.
 *
 * Invariant: a new search starts at the first line; the list says when it is empty, loading or cannot be read.
 */
import { useCallback, useDeferredValue, useState } from 'react';
import { Input, Label, SearchField } from 'react-aria-components';
import type { DeviceState } from '../../src-main/contract/device.ts';
import type { Link } from '../link/link.ts';
import { useClock } from '../messages/clock.ts';
import { Text, useText } from '../messages/text.tsx';
import { DeliverySummary } from './delivery-summary.tsx';
import { LeadDetail } from './lead-detail.tsx';
import { LeadList } from './lead-list.tsx';
import { useLeads } from './use-leads.ts';

/** The section. */
export function LeadsSection({ link, device }: { readonly link: Link; readonly device: DeviceState }) {
  const text = useText();
  const clock = useClock(device.event?.timezone);
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const [view, setView] = useState({ first: 0, last: 0 });
  const [chosen, setChosen] = useState(0);
  const leads = useLeads(link, search, view, `${device.leads} ${Object.values(device.delivery).join(' ')}`);
  const lead = leads.total ? leads.at(Math.min(chosen, leads.total - 1)) : null;
  const look = useCallback((next: { first: number; last: number }) => setView(next), []);

  return (
    <>
      <header className="staff-head">
        <div className="staff-title">
          <h1>
            <Text id="staff.leads" />
          </h1>
          <SearchField
            className="search"
            value={typed}
            maxLength={200}
            onChange={(value) => {
              setTyped(value);
              setChosen(0);
            }}
          >
            <Label className="only-heard">{text('staff.search')}</Label>
            <Input className="search-input" placeholder={text('staff.search')} />
          </SearchField>
        </div>
        <DeliverySummary device={device} link={link} />
      </header>
      {leads.total === null ? (
        <p className="staff-empty" role="status">
          <Text id={leads.failed ? 'staff.listFailed' : 'staff.loading'} />
        </p>
      ) : null}
      {leads.total === 0 ? (
        <div className="staff-empty" role="status">
          <h2>
            <Text id={search ? 'staff.noneFound' : 'staff.noneYet'} />
          </h2>
          <p>
            <Text id={search ? 'staff.noneFoundHint' : 'staff.noneYetHint'} />
          </p>
        </div>
      ) : null}
      {leads.total ? (
        <div className="staff-body">
          <LeadList leads={leads} clock={clock} chosen={chosen} onChoose={setChosen} onView={look} />
          {lead ? <LeadDetail lead={lead} clock={clock} /> : <div className="detail" />}
        </div>
      ) : null}
    </>
  );
}
