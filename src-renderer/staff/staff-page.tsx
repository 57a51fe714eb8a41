/**
 * The stand team's page: leads, one lead in detail, delivery, and the few settings of this screen.
 *
 * Invariants: only sections that work; a visitor's tap covers it at once (app.tsx); left alone it goes back to
 * the display by itself.
 */
import { useCallback, useDeferredValue, useEffect, useState } from 'react';
import { Input, Label, SearchField } from 'react-aria-components';
import type { DeviceState } from '../../src-main/contract/device.ts';
import type { Link } from '../link.ts';
import { useClock } from '../messages/clock.ts';
import { Text, useText } from '../messages/text.tsx';
import type { SoundBox } from '../visitor/sounds.ts';
import { DeliverySummary } from './delivery-summary.tsx';
import { LeadDetail } from './lead-detail.tsx';
import { LeadList } from './lead-list.tsx';
import { Rail } from './rail.tsx';
import { useLeads } from './use-leads.ts';

type StaffPageProps = {
  readonly link: Link;
  readonly device: DeviceState;
  readonly sounds: SoundBox;
  readonly onLeave: () => void;
};

const idleMs = 180_000;

/** The page. */
export function StaffPage({ link, device, sounds, onLeave }: StaffPageProps) {
  const text = useText();
  const clock = useClock(device.event?.timezone);
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  const [view, setView] = useState({ first: 0, last: 0 });
  const [chosen, setChosen] = useState(0);
  const { delivery } = device;
  const leads = useLeads(link, search, view, `${device.leads} ${Object.values(delivery).join(' ')}`);
  const lead = leads.total ? leads.at(Math.min(chosen, leads.total - 1)) : null;
  const look = useCallback((next: { first: number; last: number }) => setView(next), []);
  useIdle(onLeave);

  return (
    <div className="staff">
      <Rail device={device} sounds={sounds} onLeave={onLeave} />
      <main className="staff-main">
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
          <DeliverySummary device={device} />
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
      </main>
    </div>
  );
}

/** Calls `leave` when nobody touched the page for a while. */
function useIdle(leave: () => void): void {
  useEffect(() => {
    let timer = setTimeout(leave, idleMs);
    const again = () => {
      clearTimeout(timer);
      timer = setTimeout(leave, idleMs);
    };
    const signs = ['pointerdown', 'keydown', 'wheel'] as const;
    for (const sign of signs) window.addEventListener(sign, again, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const sign of signs) window.removeEventListener(sign, again);
    };
  }, [leave]);
}
