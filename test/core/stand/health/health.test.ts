/** Verdicts: good, attention, and reasons not to open the stand. */
import { expect, test } from 'vitest';
import { linesOf } from '../../../../src-main/commands/health/sentences.ts';
import type { DeviceState } from '../../../../src-main/contract/device.ts';
import type { HealthCheck, KeyState, Verdict } from '../../../../src-main/contract/health.ts';
import { type HealthReading, judgeHealth } from '../../../../src-main/core/stand/health/health.ts';

const NOW = Date.UTC(2026, 10, 21, 9);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const fit: DeviceState = {
  ...{ version: '1', demo: false, deviceName: 'B17', event: null, partner: null, purpose: 'lead' },
  ...{ cardService: 'up', readers: [{ name: 'desk' }], network: 'online', storage: 'ok' },
  mirror: { complete: true, resources: [], remaining: null, asks: [], lastPassAt: NOW - MINUTE },
  delivery: {
    ...{ captured: 5, due: 1, inFlight: 1, uncertain: 1, sent: 1, confirmed: 1, parked: 0 },
    pause: null,
  },
  clock: { offsetMs: 20, suspect: false, platformDoubted: false },
  busyShare: 0,
  leads: 5,
};

const change = (left: number, found: number) => ({ from: '0', left, found });
const nothingElsewhere = { waiting: 0, refused: 0, undecided: 0, broken: 0 };
const inFile: KeyState = { place: 'file', why: 'none', missing: null };

function readingOf(
  state: Partial<DeviceState>,
  more: Partial<Omit<HealthReading, 'state'>> = {},
): HealthReading {
  return {
    now: NOW,
    host: '192.168.1.20:8080',
    machine: { freeBytes: 50e9, encryption: 'encrypted', power: { charge: 0.8, plugged: false } },
    attachmentBytes: 0,
    elsewhere: nothingElsewhere,
    backup: { newestAt: NOW - MINUTE, facts: 5 },
    lastFactAt: NOW - MINUTE,
    lastOwnFactAt: NOW - MINUTE,
    key: inFile,
    versionChange: null,
    ...more,
    state: { ...fit, ...state },
  };
}

const delivery = (more: Partial<DeviceState['delivery']>) => ({ delivery: { ...fit.delivery, ...more } });
const mirror = (more: Partial<DeviceState['mirror']>) => ({ mirror: { ...fit.mirror, ...more } });
const machine = (more: Partial<HealthReading['machine']>) => ({
  machine: { freeBytes: 50e9, encryption: 'encrypted' as const, power: null, ...more },
});

test('a device with nothing wrong is good, in every check', () => {
  const health = judgeHealth(readingOf({}));
  expect(health.verdict).toBe('good');
  expect(health.checks.map(({ verdict }) => verdict)).toEqual(health.checks.map(() => 'good'));
});

const cases: readonly [string, HealthCheck['name'], Verdict, HealthReading][] = [
  ['no reader is plugged in', 'reader', 'noGo', readingOf({ readers: [] })],
  ['the card service hangs', 'reader', 'noGo', readingOf({ cardService: 'silent' })],
  [
    'the app was started without a reader',
    'reader',
    'attention',
    readingOf({ cardService: 'off', readers: [] }),
  ],
  [
    'the touchpoint of the device is missing',
    'touchpoint',
    'noGo',
    readingOf({ assignmentFault: { kind: 'missing', touchpoint: 't' } }),
  ],
  ['the disk is full', 'storage', 'noGo', readingOf({ storage: 'full' })],
  ['only 100 MB are free', 'storage', 'noGo', readingOf({}, machine({ freeBytes: 100e6 }))],
  ['only 1 GB is free', 'storage', 'attention', readingOf({}, machine({ freeBytes: 1e9 }))],
  ['the free space is unknown', 'storage', 'good', readingOf({}, machine({ freeBytes: null }))],
  ['the disk is not encrypted', 'storage', 'good', readingOf({}, machine({ encryption: 'open' }))],
  [
    'the encryption of the disk is unknown',
    'storage',
    'good',
    readingOf({}, machine({ encryption: 'unknown' })),
  ],
  [
    'the backup is late',
    'backup',
    'attention',
    readingOf({}, { backup: { newestAt: null, facts: 0 }, lastFactAt: NOW - HOUR }),
  ],
  [
    'a backup is soon due',
    'backup',
    'good',
    readingOf({}, { backup: { newestAt: NOW - HOUR, facts: 4 }, lastFactAt: NOW - MINUTE }),
  ],
  ['the mirror is 25 hours old', 'mirror', 'noGo', readingOf(mirror({ lastPassAt: NOW - 25 * HOUR }))],
  ['the mirror is two hours old', 'mirror', 'attention', readingOf(mirror({ lastPassAt: NOW - 2 * HOUR }))],
  ['the mirror is incomplete', 'mirror', 'noGo', readingOf(mirror({ complete: false }))],
  ['no sync round has ended yet', 'mirror', 'noGo', readingOf(mirror({ lastPassAt: null }))],
  ['the keychain is locked', 'key', 'noGo', readingOf({}, { key: { ...inFile, missing: 'unreachable' } })],
  ['a new version found all facts', 'version', 'good', readingOf({}, { versionChange: change(5, 5) })],
  ['a new version found more facts', 'version', 'good', readingOf({}, { versionChange: change(4, 5) })],
  ['a new version found fewer facts', 'version', 'noGo', readingOf({}, { versionChange: change(9, 5) })],
  ['the missing facts are back', 'version', 'good', readingOf({}, { versionChange: change(5, 2) })],
  [
    'a new version found all facts, and the device was emptied since',
    'version',
    'good',
    readingOf({}, { versionChange: change(9, 9) }),
  ],
  ['the key is in a file', 'key', 'good', readingOf({})],
  ['the key is refused', 'delivery', 'noGo', readingOf(delivery({ pause: 'keyRefused' }))],
  ['there is no network', 'delivery', 'attention', readingOf(delivery({ pause: 'offline' }))],
  ['a fact is parked', 'delivery', 'attention', readingOf(delivery({ parked: 1 }))],
  ['the platform is busy', 'delivery', 'attention', readingOf({ busyShare: 0.5 })],
  [
    'the clock is ten minutes slow',
    'clock',
    'noGo',
    readingOf({ clock: { offsetMs: 10 * MINUTE, suspect: false, platformDoubted: false } }),
  ],
  [
    'the clock is two minutes fast',
    'clock',
    'attention',
    readingOf({ clock: { offsetMs: -2 * MINUTE, suspect: false, platformDoubted: false } }),
  ],
  [
    'the clock says another year',
    'clock',
    'noGo',
    readingOf({ clock: { offsetMs: null, suspect: true, platformDoubted: false } }),
  ],
  [
    'the battery is nearly empty',
    'power',
    'noGo',
    readingOf({}, machine({ power: { charge: 0.05, plugged: false } })),
  ],
  [
    'the nearly empty battery is being charged',
    'power',
    'good',
    readingOf({}, machine({ power: { charge: 0.05, plugged: true } })),
  ],
];

test.each(cases)('if %s, the check %s is %s, and so is the device', (_what, name, verdict, reading) => {
  const health = judgeHealth(reading);
  expect(health.checks.find((check) => check.name === name)?.verdict).toBe(verdict);
  expect(health.verdict).toBe(verdict);
});

const hub = (upstream: 'online' | 'away' | 'unknown', since: number | null) => ({
  hub: { name: 'Hall 7', upstream, since },
});
const silent = { ...hub('online', null), network: 'offline' as const };

test.each<readonly [string, Partial<DeviceState>, object | null, string]>([
  ['at no hub', {}, null, ''],
  [
    'at a hub that reaches the platform',
    hub('online', NOW - HOUR),
    { state: 'online', since: NOW - HOUR },
    'The hub Hall 7 at 192.168.1.20:8080 answers, and reaches the platform.',
  ],
  [
    'at a hub that does not reach the platform',
    hub('away', NOW - 5 * MINUTE),
    { state: 'away', since: NOW - 5 * MINUTE },
    'The hub Hall 7 at 192.168.1.20:8080 answers, and does not reach the platform, the last time 5 min ago.',
  ],
  [
    'whose hub is silent',
    silent,
    { state: 'silent', since: NOW - MINUTE },
    'The hub Hall 7 at 192.168.1.20:8080 does not answer, the last time 60 s ago.',
  ],
  [
    'whose hub never answered',
    { ...silent, ...mirror({ lastPassAt: null }) },
    { state: 'silent', since: null },
    'The hub Hall 7 at 192.168.1.20:8080 does not answer, the last time before this start.',
  ],
])('reports a device %s', (_what, state, wanted, sentence) => {
  const health = judgeHealth(readingOf(state));
  const found = health.checks.find((check) => check.name === 'delivery');
  const whole = wanted === null ? null : { name: 'Hall 7', host: '192.168.1.20:8080', ...wanted };
  expect(found?.name === 'delivery' ? found.hub : 'none').toEqual(whole);
  const lines = linesOf({ ...health, running: true, seenAt: NOW, rehearsal: null }, NOW);
  expect(lines.find((line) => line.includes('Delivery:'))).toMatch(/waiting\.( The hub |$)/);
  expect(lines.join('\n')).toContain(sentence);
});

test.each([
  [{ waiting: 9 }, '9 waiting for a CRM that accepts none'],
  [{ broken: 1 }, '1 CRM with a broken access'],
  [{ refused: 2 }, '2 refused by a CRM'],
  [{ undecided: 3 }, '3 changed here and in a CRM, to decide'],
])('reports `attention` for %j at CRMs', (concern, sentence) => {
  const health = judgeHealth(readingOf({}, { elsewhere: { ...nothingElsewhere, ...concern } }));
  expect(health.checks.find(({ name }) => name === 'delivery')?.verdict).toBe('attention');
  const lines = linesOf({ ...health, running: true, seenAt: NOW, rehearsal: null }, NOW);
  expect(lines.join('\n')).toContain(`3 waiting, ${sentence}.`);
});

test.each([
  [
    'the hub, on a device of a hub',
    hub('online', null),
    'the hub does not accept this device any more; kept here until',
  ],
  ['the platform, on any other device', {}, 'the platform refuses the key, 3 waiting.'],
])('says who refused the credential: %s', (_what, state, sentence) => {
  const health = judgeHealth(readingOf({ ...state, ...delivery({ pause: 'keyRefused' }) }));
  const lines = linesOf({ ...health, running: true, seenAt: NOW, rehearsal: null }, NOW);
  expect(lines.find((line) => line.includes('Delivery:'))).toContain(sentence);
});
