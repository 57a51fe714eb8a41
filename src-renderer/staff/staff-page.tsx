/**
 * The stand team's page: its rail and the section that is open.
 *
 * Invariants: only sections that work; a visitor's tap covers it at once (app.tsx); left alone it goes back to
 * the display by itself.
 */
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import type { DeviceState } from '../../src-main/contract/device.ts';
import type { Link } from '../link/link.ts';
import type { SoundPlayer } from '../sound/sound-player.ts';
import { staffTimes } from '../times.ts';
import { DeliverySection } from './delivery-section.tsx';
import type { Entry } from './entry/entry.ts';
import { EntryPage } from './entry/entry-page.tsx';
import { WhoIsThere } from './entry/who-is-there.tsx';
import { LeadsSection } from './leads-section.tsx';
import { Rail } from './rail.tsx';
import type { Section } from './sections.ts';

type StaffPageProps = {
  readonly link: Link;
  readonly device: DeviceState;
  readonly sounds: SoundPlayer;
  readonly section: Section;
  readonly entry: Entry;
};

/** The page, as far as somebody is signed in. */
export function StaffPage({ link, device, sounds, section, entry }: StaffPageProps) {
  const { state } = useSyncExternalStore(entry.subscribe, entry.snapshot);
  const leave = useCallback(() => entry.lock(), [entry]);
  useIdle(leave, entry.touch);
  if (state === null) return null;
  if (state.session === null) return <EntryPage link={link} entry={entry} state={state} onLeave={leave} />;
  if (state.session.member === null) return <WhoIsThere link={link} onLeave={leave} />;
  return (
    <div className="staff">
      <Rail
        device={device}
        sounds={sounds}
        section={section}
        name={state.session.member.name}
        onLeave={leave}
      />
      <main className="staff-main">
        {section === 'leads' ? <LeadsSection link={link} device={device} /> : null}
        {section === 'delivery' ? <DeliverySection link={link} device={device} /> : null}
      </main>
    </div>
  );
}

/** Calls `leave` when nobody touched the page for a while, and `touch` whenever somebody does. */
function useIdle(leave: () => void, touch: () => void): void {
  useEffect(() => {
    let timer = setTimeout(leave, staffTimes.idle);
    const again = () => {
      clearTimeout(timer);
      timer = setTimeout(leave, staffTimes.idle);
      touch();
    };
    const signs = ['pointerdown', 'keydown', 'wheel'] as const;
    for (const sign of signs) window.addEventListener(sign, again, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const sign of signs) window.removeEventListener(sign, again);
    };
  }, [leave, touch]);
}
