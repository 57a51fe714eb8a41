/**
 * How the fleet page shows reports: which devices need a person and why, correct sums over thousands of devices, one
 * page of devices at a time, and no typed text as HTML.
 */
import { expect, test } from 'vitest';
import { needsOf, sumOfDevices } from '../../src-hub/fleet/judgement.ts';
import { fleetPage } from '../../src-hub/fleet/page.ts';
import { type FleetDevice, readReport } from '../../src-hub/fleet/reading.ts';
import { wordsOf } from '../../src-hub/fleet/texts.ts';

const NOW = 1_790_000_000_000;

const told = {
  ...{ device: 'B17', version: '1', at: NOW, purpose: 'lead', lastTapAt: NOW - 5_000, readers: 1 },
  ...{ cardService: 'up', storage: 'ok', fault: null, pause: null, mirrorAt: NOW - 1_000 },
  delivery: {
    ...{ captured: 21, due: 1, inFlight: 2, uncertain: 3 },
    ...{ atHub: 4, sent: 9, confirmed: 5, parked: 1 },
  },
};

const deviceOf = (change: Partial<FleetDevice> = {}, report: object = {}): FleetDevice => ({
  ...{ id: 'D1', name: 'Stand 1', touchpoint: 'T1', partner: null, enrolled: true, revoked: false },
  ...{ reportedAt: NOW, report: readReport(JSON.stringify({ ...told, ...report }), NOW) },
  ...{ counts: { taken: 0, atHub: 0, sent: 0, confirmed: 0, parked: 0 }, waiting: [] },
  ...change,
});

const well = { delivery: { ...told.delivery, captured: 20, parked: 0 } };

test.each([
  ['a healthy device', deviceOf({}, well), []],
  [
    'one whose clock is a day ahead',
    deviceOf({}, { ...well, at: NOW + 86_400_000, mirrorAt: NOW + 86_400_000 }),
    [],
  ],
  ['one whose disk is not encrypted', deviceOf({}, { ...well, encryption: 'open' }), ['openDisk']],
  ['one that does not report its disk', deviceOf({}, { ...well, encryption: 'maybe' }), []],
  ['one without a report for three minutes', deviceOf({ reportedAt: NOW - 180_000 }, well), ['silent']],
  ['one with a report from the future', deviceOf({ reportedAt: NOW + 2 * 86_400_000 }, well), ['silent']],
  ['one that never reported', deviceOf({ reportedAt: null, report: null }), ['silent']],
  ['one that is not enrolled', deviceOf({ enrolled: false, reportedAt: null, report: null }), []],
  ['one without a reader', deviceOf({}, { ...well, readers: 0 }), ['reader']],
  ['one configured without a reader', deviceOf({}, { ...well, readers: 0, cardService: 'off' }), []],
  ['one the hub refuses', deviceOf({}, { ...well, pause: 'keyRefused' }), ['refused']],
  ['one without a network', deviceOf({}, { ...well, pause: 'offline' }), []],
  ['one with parked facts', deviceOf(), ['setAside']],
  ['one whose mirror is two hours old', deviceOf({}, { ...well, mirrorAt: NOW - 7_200_000 }), ['oldMirror']],
  ['one that fetches its first mirror', deviceOf({}, { ...well, mirrorAt: null, since: NOW - 60_000 }), []],
  [
    'one that got no mirror in two hours',
    deviceOf({}, { ...well, mirrorAt: null, since: NOW - 7_200_000 }),
    ['oldMirror'],
  ],
  ['one with a low battery', deviceOf({}, { ...well, battery: 0.1 }), ['battery']],
  ['one with a low battery that is plugged in', deviceOf({}, { ...well, battery: 0.1, plugged: true }), []],
  ['a revoked one with undelivered facts', deviceOf({ revoked: true }), ['revoked']],
] as const)('the fleet page tells which help %s needs, if any', (_what, device, needs) => {
  expect(needsOf(device, NOW)).toEqual(needs);
});

test('the fleet page shows since when a device is silent, without an impossible time after the hub’s clock was set back', () => {
  const devices = [
    deviceOf({ reportedAt: NOW - 600_000 }, well),
    deviceOf({ id: 'D2', reportedAt: NOW + 2 * 86_400_000 }, well),
  ];
  const picture = {
    hub: 'Hall',
    now: NOW,
    upstream: { state: 'online', since: null },
    receiptFingerprint: 'AB12 CD34 EF56 AB12 CD34 EF56 AB12 CD34',
    devices,
  } as const;
  const view = { find: '', need: null, page: 1 };
  const page = (language: 'en' | 'de') => fleetPage(picture, view, wordsOf(language, 'UTC'), null).text;
  expect(page('en')).toMatch(/silent since \d{1,2}:\d\d.*never/s);
  expect(page('de')).toMatch(/still seit \d{1,2}:\d\d/);
  expect(page('en')).not.toMatch(/reported -|reported \d+ d/);
});

test('the fleet page sums the facts of 2,000 devices as they report them, and shows fifty devices per page', () => {
  const devices = Array.from({ length: 2_000 }, (_none, index) =>
    deviceOf({ id: `D${index}`, name: `<b>Stand ${index}</b>` }),
  );
  const sums = sumOfDevices(devices);
  expect(sums).toEqual({
    ...{ captured: 42_000, waiting: 12_000, atHub: 8_000 },
    ...{ sent: 10_000, confirmed: 10_000, setAside: 2_000 },
  });
  const { captured, ...parts } = sums;
  expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(captured);
  const picture = {
    hub: 'Hall <7>',
    now: NOW,
    upstream: { state: 'online', since: null },
    receiptFingerprint: 'AB12 CD34 EF56 AB12 CD34 EF56 AB12 CD34',
    devices,
  } as const;
  const view = { find: '', need: null, page: 40 };
  const { text } = fleetPage(picture, view, wordsOf('en', 'UTC'), null);
  expect(text.match(/<tr>/g)).toHaveLength(51);
  expect(text).toContain('Page 40 of 40');
  expect(text).toContain('42,000');
  // The id distinguishes devices with the same name, and `devices revoke` needs it.
  expect(text).toContain('<bdi>D1999</bdi>');
  expect(text).toContain('&lt;b&gt;Stand 1999&lt;/b&gt;');
  expect(text).not.toMatch(/<b>|<7>/);
  const german = fleetPage(picture, { ...view, need: 'silent' }, wordsOf('de', 'UTC'), null);
  expect(german.text).toContain('Kein Gerät passt.');
});
