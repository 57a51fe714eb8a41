/** When an update may be installed. */
import { expect, test } from 'vitest';
import { checkForUpdate, type Moment } from '../../src-main/shell-electron/updates/updates.ts';

const HOUR = 3_600_000;
const MARGIN = 12 * HOUR;
const NOW = Date.UTC(2026, 10, 21, 3);
const quiet: Moment = { fair: null, lastFactAt: null, waiting: 0 };
const fair = (from: number, to: number) => ({ fair: { start: NOW + from, end: NOW + to } });

test.each<[string, Partial<Moment>, string | null]>([
  ['a device that never took a tap', {}, null],
  ['a device that does not know the days of its fair', { fair: 'unknown' }, 'fairUnknown'],
  ['opening hours', fair(-2 * HOUR, 6 * HOUR), 'fair'],
  ['a night between two days of the fair', fair(-30 * HOUR, 30 * HOUR), 'fair'],
  ['the evening before', fair(MARGIN - 1, 80 * HOUR), 'fair'],
  ['well before', fair(MARGIN, 80 * HOUR), null],
  ['the evening after', fair(-80 * HOUR, -MARGIN + 1), 'fair'],
  ['well after', fair(-80 * HOUR, -MARGIN), null],
  ['a tap of the last hours', { lastFactAt: NOW - MARGIN + 1 }, 'taps'],
  ['a tap that is long ago', { lastFactAt: NOW - MARGIN }, null],
  ['a tap in the future, from a wrong clock', { lastFactAt: NOW + 20 * HOUR }, 'taps'],
  ['a fact that is not delivered', { waiting: 1 }, 'waiting'],
])('decides whether an update must wait: %s', async (_what, moment, wait) => {
  const outcome = await checkForUpdate({
    updater: { check: () => Promise.resolve(null), download: () => Promise.resolve(), install: () => '' },
    core: { moment: () => Promise.resolve({ ...quiet, ...moment }), backUp: () => Promise.resolve(true) },
    now: () => NOW,
    key: '',
  });
  expect(outcome).toEqual(wait === null ? { kind: 'none' } : { kind: 'waits', why: wait });
});
