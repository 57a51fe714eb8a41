/**
 * The demo tray: badges that can be tapped without hardware. They take the same path as the badges of a reader.
 *
 * Invariants:
 * - It exists only for the demo event.
 * - A demo tap is an ordinary insertion with exactly one outcome.
 */
import type { DemoBadge } from '../../../contract/tap.ts';
import { readingOfCard } from '../../foundations/badge/decode.ts';
import { openProfile } from '../../foundations/badge/profile.ts';
import type { Clock, ReaderEvent } from '../../foundations/ports.ts';
import { DEMO_READING_MS } from '../../foundations/time/windows.ts';

const READER = 'demo tray';

export type DemoTray = {
  readonly badges: readonly DemoBadge[];
  /** Taps the badge of this code; false when there is none. */
  readonly tap: (code: string) => Promise<boolean>;
};

/** A tray that sends its taps to `handle`, like a reader. */
export function createDemoTray(
  badges: readonly DemoBadge[],
  clock: Clock,
  handle: (event: ReaderEvent) => void,
): DemoTray {
  let insertion = 0;
  return {
    badges,
    tap: async (code) => {
      const badge = badges.find((entry) => entry.code === code);
      if (badge === undefined) return false;
      insertion += 1;
      const mine = insertion;
      handle({ kind: 'inserted', reader: READER, insertion: mine });
      await clock.sleep(DEMO_READING_MS);
      handle(
        badge.kind === 'unreadable'
          ? { kind: 'unread', reader: READER, insertion: mine, reason: 'pulled' }
          : {
              kind: 'card',
              reader: READER,
              insertion: mine,
              card: readingOfCard({ uid: badge.code, atr: '', ndef: { state: 'none' } }, openProfile),
            },
      );
      handle({ kind: 'removed', reader: READER });
      return true;
    },
  };
}
