/** When an update may be installed. */
import { expect, test } from 'vitest';
import { checkForUpdate, type Moment } from '../../src-main/shell-electron/updates/updates.ts';

const HOUR = 3_600_000;
const MARGIN = 12 * HOUR;
const NOW = Date.UTC(2026, 10, 21, 3);
const quiet: Moment = { fair: null, lastFactAt: null, waiting: 0 };
const fair = (from: number, to: number) => ({ fair: { start: NOW + from, end: NOW + to } });

test.each<[string, Partial<Moment>, string | null]>([
  ['does not wait on a device that never took a tap', {}, null],
  ['waits if the device does not know the days of its fair', { fair: 'unknown' }, 'fairUnknown'],
  ['waits during opening hours', fair(-2 * HOUR, 6 * HOUR), 'fair'],
  ['waits at night between two days of the fair', fair(-30 * HOUR, 30 * HOUR), 'fair'],
  ['waits less than twelve hours before the fair', fair(MARGIN - 1, 80 * HOUR), 'fair'],
  ['does not wait twelve hours before the fair', fair(MARGIN, 80 * HOUR), null],
  ['waits less than twelve hours after the fair', fair(-80 * HOUR, -MARGIN + 1), 'fair'],
  ['does not wait twelve hours after the fair', fair(-80 * HOUR, -MARGIN), null],
  ['waits less than twelve hours after a tap', { lastFactAt: NOW - MARGIN + 1 }, 'taps'],
  ['does not wait twelve hours after a tap', { lastFactAt: NOW - MARGIN }, null],
  ['waits after a tap in the future, from a wrong clock', { lastFactAt: NOW + 20 * HOUR }, 'taps'],
  ['waits for a fact that is not delivered', { waiting: 1 }, 'waiting'],
])('an update %s', async (_what, moment, wait) => {
  const outcome = await checkForUpdate({
    updater: { check: () => Promise.resolve(null), download: () => Promise.resolve(), install: () => '' },
    core: { moment: () => Promise.resolve({ ...quiet, ...moment }), backUp: () => Promise.resolve(true) },
    now: () => NOW,
    key: '',
  });
  expect(outcome).toEqual(wait === null ? { kind: 'none' } : { kind: 'waits', why: wait });
});
