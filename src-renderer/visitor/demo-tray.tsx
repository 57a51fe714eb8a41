/**
 * Demo badges to tap without a reader. Only in the demo event.
 *
 * Invariants: there only while the device has demo badges; stays open across taps; everything in it works with
 * the keyboard alone.
 */
import { useEffect, useState } from 'react';
import { Button } from 'react-aria-components';
import type { DemoBadge } from '../../src-main/contract/tap.ts';
import type { Link } from '../link.ts';
import { Text, useText } from '../messages/text.tsx';

/** The tray and the control that opens it; nothing outside the demo. */
export function DemoTray({ link, demo }: { readonly link: Link; readonly demo: boolean }) {
  const text = useText();
  const badges = useDemoBadges(link, demo);
  const [open, setOpen] = useState(false);
  if (badges.length === 0) return null;
  const tap = (code: string) => {
    // A lost device is shown by the display itself.
    link.call((client, signal) => client.demo.tap({ code }, { signal })).catch(() => undefined);
  };
  return (
    <aside className="tray" data-open={open} aria-label={text('tray.title')}>
      <Button className="pill tray-handle" aria-expanded={open} onPress={() => setOpen(!open)}>
        <svg className="tray-icon" viewBox="0 0 24 24" aria-hidden="true">
          <rect x="5" y="3" width="14" height="18" rx="3" />
          <circle cx="12" cy="10" r="2.6" />
          <path d="M8.5 16.5h7" />
        </svg>
        <Text id={open ? 'common.close' : 'tray.open'} />
      </Button>
      {open ? (
        <ul className="tray-badges" aria-label={text('tray.hint')}>
          {badges.map((badge) => (
            <li key={badge.code}>
              <Button className="tray-badge" data-kind={badge.kind} onPress={() => tap(badge.code)}>
                <bdi className="tray-name">{badge.name}</bdi>
                <span className="tray-kind">
                  <Text id="tray.kind" values={{ kind: badge.kind }} />
                </span>
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
    </aside>
  );
}

function useDemoBadges(link: Link, demo: boolean): readonly DemoBadge[] {
  const [badges, setBadges] = useState<readonly DemoBadge[]>([]);
  useEffect(() => {
    let current = true;
    if (demo) {
      link
        .call((client, signal) => client.demo.badges(undefined, { signal }))
        .then(
          (found) => current && setBadges(found),
          () => undefined,
        );
    }
    return () => {
      current = false;
    };
  }, [link, demo]);
  return demo ? badges : [];
}
