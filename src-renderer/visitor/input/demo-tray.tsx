/**
 * Demo badges that can be tapped without a reader, and the purpose of the device. Only in the demo event.
 *
 * Invariants:
 * - The tray is present only while the device has demo badges. It stays open across taps, and a step keeps its height.
 * - A badge shows its kind, unless it belongs to an ordinary visitor. Everything can be operated by keyboard.
 */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState, type WheelEvent } from 'react';
import { Button, ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import type { DeviceState, Purpose } from '../../../src-main/contract/device.ts';
import type { DemoBadge } from '../../../src-main/contract/tap.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { purposes } from '../state/purposes.ts';

/** The tray and its control; empty outside the demo. */
export function DemoTray({ link, device }: { readonly link: Link; readonly device: DeviceState | null }) {
  const text = useText();
  const badges = useDemoBadges(link, device?.demo ?? false);
  const [open, setOpen] = useState(false);
  const tray = useRef<HTMLElement>(null);
  useRoom(tray, badges.length === 0 ? 'none' : open ? 'open' : 'closed');
  if (badges.length === 0) return null;
  const tap = (code: string) => {
    // The display already shows that the device is lost.
    link.call((client, signal) => client.demo.tap({ code }, { signal })).catch(() => undefined);
  };
  return (
    <aside className="tray" data-open={open} ref={tray} aria-label={text('tray.title')}>
      <Button className="pill tray-handle" aria-expanded={open} onPress={() => setOpen(!open)}>
        <svg className="tray-icon" viewBox="0 0 24 24" aria-hidden="true">
          <rect x="5" y="3" width="14" height="18" rx="3" />
          <circle cx="12" cy="10" r="2.6" />
          <path d="M8.5 16.5h7" />
        </svg>
        <Text id={open ? 'common.close' : 'tray.open'} />
      </Button>
      {open && device ? <PurposeSwitch link={link} purpose={device.purpose} /> : null}
      {open ? (
        <ul className="tray-badges" aria-label={text('tray.hint')} onWheel={rollAlong}>
          {badges.map((badge) => (
            <li key={badge.code}>
              <Button className="tray-badge" data-kind={badge.kind} onPress={() => tap(badge.code)}>
                <bdi className="tray-name">{badge.name}</bdi>
                {badge.kind === 'visitor' ? null : (
                  <span className="tray-kind">
                    <Text id="tray.kind" values={{ kind: badge.kind }} />
                  </span>
                )}
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
    </aside>
  );
}

/**
 * The display makes room for the tray. The attribute is on the element around both, because a `:has()` selector would
 * slow down every tap.
 */
function useRoom(tray: RefObject<HTMLElement | null>, room: 'none' | 'open' | 'closed'): void {
  useLayoutEffect(() => {
    const around = tray.current?.parentElement;
    if (!around) return;
    around.dataset.tray = room;
    return () => {
      delete around.dataset.tray;
    };
  }, [tray, room]);
}

/** A mouse wheel scrolls vertically, but the badges are in a row. */
function rollAlong({ currentTarget, deltaX, deltaY }: WheelEvent<HTMLElement>) {
  if (deltaX !== 0) return;
  const onwards = getComputedStyle(currentTarget).direction === 'rtl' ? -1 : 1;
  currentTarget.scrollBy({ left: onwards * deltaY });
}

/** Changes the purpose of the device; shows the current one. */
function PurposeSwitch({ link, purpose }: { readonly link: Link; readonly purpose: Purpose }) {
  const text = useText();
  const become = (next: Purpose) => {
    // The display already shows that the device is lost.
    link.call((client, signal) => client.demo.become({ purpose: next }, { signal })).catch(() => undefined);
  };
  return (
    <ToggleButtonGroup
      className="tray-purposes"
      aria-label={text('tray.purpose')}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[purpose]}
      onSelectionChange={(keys) => {
        const next = purposes.find((one) => keys.has(one));
        if (next && next !== purpose) become(next);
      }}
    >
      {purposes.map((one) => (
        <ToggleButton key={one} id={one} className="pill">
          <Text id="tray.become" values={{ purpose: one }} />
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
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
