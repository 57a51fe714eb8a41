/** Which updates are taken, when, and when the version before comes back: the tables. */
import { expect, test } from 'vitest';
import {
  FAIR_MARGIN_MS,
  isNewer,
  isWhole,
  type Moment,
  type Offered,
  QUIET_MS,
  refusalOf,
  type Taker,
  waitOf,
  wayBack,
} from '../../../src-main/shell-electron/policies/update-policy.ts';

const offer: Offered = { version: '1.2.0', isSigned: true, share: 100 };
const taker: Taker = { version: '1.1.9', number: 40, failed: null };

test.each<[string, Partial<Offered>, Partial<Taker>, ReturnType<typeof refusalOf>]>([
  ['newer, signed, for all', {}, {}, null],
  ['not signed', { isSigned: false }, {}, 'unsigned'],
  ['older', { version: '1.1.8' }, {}, 'notNewer'],
  ['the same', { version: '1.1.9' }, {}, 'notNewer'],
  ['older and signed, of another major', { version: '0.9.9' }, {}, 'notNewer'],
  ['no version', { version: 'latest' }, {}, 'notNewer'],
  ['a version before its release', { version: '1.3.0-beta.1' }, {}, 'notNewer'],
  ['tried before, and gone back', {}, { failed: '1.2.0' }, 'failedBefore'],
  ['another one than what was tried', {}, { failed: '1.1.10' }, null],
  ['for nobody yet', { share: 0 }, { number: 0 }, 'notYet'],
  ['for forty of a hundred, of which it is none', { share: 40 }, {}, 'notYet'],
  ['for forty-one of a hundred', { share: 41 }, {}, null],
])('an update that is %s', (_what, offered, by, refusal) => {
  expect(refusalOf({ ...offer, ...offered }, { ...taker, ...by })).toBe(refusal);
});

test.each([
  ['1.2.0', '1.1.9', true],
  ['1.10.0', '1.9.0', true],
  ['2.0.0', '1.99.99', true],
  ['1.1.9', '1.1.9', false],
  ['1.1.9', '1.2.0', false],
  ['1.2', '1.1.9', false],
  ['1.2.0', 'dev', false],
])('%s is newer than %s: %s', (version, other, newer) => {
  expect(isNewer(version, other)).toBe(newer);
});

test.each([
  ['whole', { size: 9, sha512: 'a' }, true],
  ['cut in half', { size: 4, sha512: 'b' }, false],
  ['changed at the same size', { size: 9, sha512: 'b' }, false],
  ['longer', { size: 10, sha512: 'a' }, false],
])('a file that is %s', (_what, found, whole) => {
  expect(isWhole(found, { size: 9, sha512: 'a' })).toBe(whole);
});

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 21, 3);
const quiet: Moment = { fair: null, lastFactAt: null, waiting: 0 };
const fair = (from: number, to: number) => ({ fair: { start: NOW + from, end: NOW + to } });

test.each<[string, Partial<Moment>, ReturnType<typeof waitOf>]>([
  ['a device that never took a tap', {}, null],
  ['a device that does not know when its fair is', { fair: 'unknown' }, 'fairUnknown'],
  ['opening hours', fair(-2 * HOUR, 6 * HOUR), 'fair'],
  ['a night between two days of the fair', fair(-30 * HOUR, 30 * HOUR), 'fair'],
  ['the evening before', fair(FAIR_MARGIN_MS - 1, 80 * HOUR), 'fair'],
  ['well before', fair(FAIR_MARGIN_MS, 80 * HOUR), null],
  ['the evening after', fair(-80 * HOUR, -FAIR_MARGIN_MS + 1), 'fair'],
  ['well after', fair(-80 * HOUR, -FAIR_MARGIN_MS), null],
  ['a tap of the last hours', { lastFactAt: NOW - QUIET_MS + 1 }, 'taps'],
  ['a tap that is long ago', { lastFactAt: NOW - QUIET_MS }, null],
  ['a tap of tomorrow, by a wrong clock', { lastFactAt: NOW + 20 * HOUR }, 'taps'],
  ['a fact on its way', { waiting: 1 }, 'waiting'],
])('%s', (_what, moment, wait) => {
  expect(waitOf({ ...quiet, ...moment }, NOW)).toBe(wait);
});

test.each([
  ['a first start', { failed: 0, schemaBefore: 7, schemaNow: 7 }, 'stay'],
  ['one that failed once', { failed: 1, schemaBefore: 7, schemaNow: 7 }, 'stay'],
  ['one that failed twice', { failed: 2, schemaBefore: 7, schemaNow: 7 }, 'back'],
  ['one that never opened the journal', { failed: 2, schemaBefore: 7, schemaNow: null }, 'back'],
  ['one that raised its tables', { failed: 2, schemaBefore: 7, schemaNow: 8 }, 'stuck'],
  ['one on a device without a journal', { failed: 5, schemaBefore: null, schemaNow: 8 }, 'back'],
] as const)('%s', (_what, tried, way) => {
  expect(wayBack(tried)).toBe(way);
});
