/** When an update may be installed. */
import { expect, test } from 'vitest';
import {
  FAIR_MARGIN_MS,
  type Moment,
  QUIET_MS,
  waitOf,
} from '../../src-main/shell-electron/updates/updates.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 21, 3);
const quiet: Moment = { fair: null, lastFactAt: null, waiting: 0 };
const fair = (from: number, to: number) => ({ fair: { start: NOW + from, end: NOW + to } });

test.each<[string, Partial<Moment>, ReturnType<typeof waitOf>]>([
  ['a device that never took a tap', {}, null],
  ['a device that does not know the days of its fair', { fair: 'unknown' }, 'fairUnknown'],
  ['opening hours', fair(-2 * HOUR, 6 * HOUR), 'fair'],
  ['a night between two days of the fair', fair(-30 * HOUR, 30 * HOUR), 'fair'],
  ['the evening before', fair(FAIR_MARGIN_MS - 1, 80 * HOUR), 'fair'],
  ['well before', fair(FAIR_MARGIN_MS, 80 * HOUR), null],
  ['the evening after', fair(-80 * HOUR, -FAIR_MARGIN_MS + 1), 'fair'],
  ['well after', fair(-80 * HOUR, -FAIR_MARGIN_MS), null],
  ['a tap of the last hours', { lastFactAt: NOW - QUIET_MS + 1 }, 'taps'],
  ['a tap that is long ago', { lastFactAt: NOW - QUIET_MS }, null],
  ['a tap in the future, from a wrong clock', { lastFactAt: NOW + 20 * HOUR }, 'taps'],
  ['a fact that is not delivered', { waiting: 1 }, 'waiting'],
])('%s', (_what, moment, wait) => {
  expect(waitOf({ ...quiet, ...moment }, NOW)).toBe(wait);
});
