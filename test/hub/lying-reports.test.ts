/** Limits on reports: a device with false reports harms only itself, and its counts change no sum. */
import { expect, test } from 'vitest';
import { createCommander } from '../../src-hub/fleet/commander.ts';
import { needsOf, sumOfDevices } from '../../src-hub/fleet/judgement.ts';
import { readFleet, readReport } from '../../src-hub/fleet/reading.ts';
import { makeSigningKey } from '../../src-main/provision/provision-file.ts';
import { addDevice, revokeDevice } from '../../src-platform/keys/devices.ts';
import { expo, startHub } from './serving/serving-hub.ts';

const NOW = 1_790_000_000_000;

const deliveryOf = (captured: number) => ({
  captured,
  due: 0,
  inFlight: 0,
  uncertain: 0,
  atHub: 0,
  sent: 0,
  confirmed: captured,
  parked: 0,
});

const reportOf = (change: object = {}) => JSON.stringify({ at: NOW, delivery: deliveryOf(3), ...change });

/** A hub with one device for each report. */
const startFleet = async (...reports: readonly string[]) => {
  const { store, about, until } = await startHub();
  const ids: string[] = [];
  for (const report of reports) {
    const { id } = await addDevice(store, about, new Date(NOW), until);
    await store.transaction(async (db) => {
      const told = { report, reported: new Date(NOW).toISOString(), enrolled: new Date(NOW).toISOString() };
      await db.updateTable('device').set(told).where('id', '=', id).execute();
    });
    ids.push(id);
  }
  const fleet = async () => {
    const devices = await readFleet(store, expo, NOW);
    return ids.map((id) => devices.find((device) => device.id === id));
  };
  return { store, ids, fleet };
};

test('other devices still get their commands after a report with an impossible command number', async () => {
  const { store, ids } = await startFleet(reportOf({ command: 1e300 }), reportOf());
  const commander = createCommander({
    store,
    privateKey: makeSigningKey().privateKey,
    now: () => NOW,
    platformTime: () => NOW,
  });
  await commander.send(ids, { kind: 'reload' });
  for (const id of ids) expect(await commander.waitingFor(id, 0)).toHaveLength(1);
});

test.each([
  ['at', { at: 1e300 }],
  ['at', { at: -1e300 }],
  ['lastTapAt', { lastTapAt: -1e300 }],
  ['since', { since: 1e300 }],
  ['mirrorAt', { mirrorAt: -9e15 }],
])('a report with an impossible %s gets only times within the range of Date: %j', (_field, change) => {
  const report = readReport(reportOf(change), NOW);
  for (const time of [report?.at, report?.since, report?.lastTapAt, report?.mirrorAt])
    if (time != null) expect(() => new Date(time).toISOString()).not.toThrow();
});

test('impossible counts are flagged and excluded from the sums, like those of a revoked device', async () => {
  const { store, ids, fleet } = await startFleet(
    reportOf(),
    reportOf({ delivery: deliveryOf(1e15) }),
    reportOf({ delivery: { ...deliveryOf(5), captured: 7 } }),
    reportOf({ delivery: deliveryOf(4) }),
  );
  await revokeDevice(store, ids[3] ?? '', new Date(NOW));
  const devices = (await fleet()).flatMap((device) => device ?? []);
  expect(devices.map((device) => needsOf(device, NOW).includes('implausible'))).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(sumOfDevices(devices)).toMatchObject({ captured: 3, confirmed: 3 });
});

test('a reported version or name cannot reverse the text direction of a line', () => {
  const report = readReport(reportOf({ version: '1.0\u202e9.9\u0007', device: 'B\u20667' }), NOW);
  expect(report).toMatchObject({ version: '1.09.9', device: 'B7' });
});
