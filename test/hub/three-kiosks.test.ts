/**
 * Three real kiosks at one hub in front of the real platform, over https, on SQLite or on PostgreSQL as the seed of
 * the run selects. The platform is unreachable for a while, and the hub is killed during taps three times. In the end
 * each tap has one effect at the platform, and every screen shows it. The nightly run takes both databases, with
 * thirty kills each.
 */
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { ownFolder, until } from '../core/fixture.ts';
import { createPlatformProcess } from '../core/platform-process.ts';
import { notRunUnless } from '../not-run.ts';
import { newDatabase, postgresPrograms, startCluster } from '../platform/postgres/cluster.ts';
import { inTurn, isThorough } from '../thoroughness.ts';
import { addDevices } from './enrolled-devices.ts';
import { type HubKiosk, startHubKiosk } from './hub-kiosk.ts';
import { createHubProcess } from './hub-process.ts';

/** A generous limit for a loaded machine: over twice the time after which a device requests a lost receipt again. */
const PATIENCE_MS = 120_000;

const programs = postgresPrograms();
const engines = inTurn(['SQLite', 'PostgreSQL'], 0);
const testOn = (engine: string) =>
  notRunUnless(engines.includes(engine), 'the runs take the two databases in turn', 'night');
const fullTest =
  programs === null ? notRunUnless(false, 'PostgreSQL is not installed') : testOn('PostgreSQL');

/** `database`: the option that selects another engine than SQLite. */
const bringTaps = async (database: readonly string[]): Promise<void> => {
  const folder = ownFolder();
  const platform = await createPlatformProcess(join(folder, 'platform'));
  await platform.start();
  const serving = { scheme: 'https', isTold: false } as const;
  const hub = await createHubProcess(join(folder, 'hub'), platform, database, serving);
  await hub.start();
  const { body } = await platform.call('GET', `/touchpoints/${platform.expoId}`);
  const stands = (body as readonly Record<string, string>[]).filter(({ purpose }) => purpose === 'lead');
  const chosen = stands.map(({ id = '' }) => id).slice(0, 3);
  const devices = await addDevices(hub, folder, chosen, database);
  const { pin } = JSON.parse(readFileSync(join(folder, 'devices.json'), 'utf8')) as { readonly pin: string };
  expect(devices.map(({ touchpoint }) => touchpoint)).toEqual(chosen);
  const kiosks: readonly HubKiosk[] = devices.map((device) =>
    startHubKiosk(join(folder, device.id), device, {
      ...{ baseUrl: hub.baseUrl, key: device.credential, expoId: platform.expoId, pin },
    }),
  );
  await until(
    'every kiosk has mirrored the event',
    () => kiosks.every((kiosk) => kiosk.state().mirror.complete),
    PATIENCE_MS,
  );
  let taps = 0;
  const tapAll = (times: number): void => {
    for (let round = 0; round < times; round += 1) {
      for (const kiosk of kiosks) {
        taps += 1;
        kiosk.tap(`04BB${taps.toString(16).toUpperCase().padStart(10, '0')}`);
      }
    }
  };
  const handedOver = (): Promise<void> =>
    until(
      'the hub has every captured tap',
      () =>
        kiosks.every((kiosk) => {
          const { captured, sent, confirmed } = kiosk.state().delivery;
          return captured === taps / kiosks.length && sent + confirmed === captured;
        }),
      PATIENCE_MS,
    );

  tapAll(20);
  await platform.stop();
  tapAll(30);
  await handedOver();
  await hub.kill();
  tapAll(20);
  await hub.start();
  await handedOver();
  await platform.start();
  for (let kills = 0; kills < (isThorough() ? 29 : 2); kills += 1) {
    await hub.kill();
    tapAll(15);
    await hub.start();
    tapAll(1);
  }

  const each = taps / kiosks.length;
  await until(
    'every tap is confirmed on every screen',
    () => kiosks.every((kiosk) => kiosk.state().delivery.confirmed === each),
    PATIENCE_MS,
  );
  const held = async () => (await platform.actions()).filter(({ badge }) => String(badge).startsWith('04BB'));
  await until('the platform has every tap', async () => (await held()).length >= taps, PATIENCE_MS);
  const ours = await held();
  expect(ours).toHaveLength(taps);
  expect(new Set(ours.map(({ clientID }) => clientID)).size).toBe(taps);
  const places = Map.groupBy(ours, ({ touchpointID }) => touchpointID);
  expect(chosen.map((place) => places.get(place)?.length)).toEqual([each, each, each]);
  expect(kiosks.flatMap((kiosk) => kiosk.errors())).toEqual([]);
  const holders = (text: string) =>
    globSync('**/*', { cwd: folder, withFileTypes: true })
      .filter((entry) => entry.isFile() && !relative(folder, entry.parentPath).startsWith('platform'))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => readFileSync(path).includes(text));
  // To check the test: the search finds data that a device does hold.
  expect(holders(chosen[0] ?? '').length).toBeGreaterThan(3);
  expect(holders(platform.key)).toEqual([]);
  for (const kiosk of kiosks) {
    const { captured, confirmed, parked } = kiosk.state().delivery;
    expect({ captured, confirmed, parked }).toEqual({ captured: each, confirmed: each, parked: 0 });
  }
};

testOn('SQLite')(
  'delivers every tap once with a hub on SQLite that is killed during taps',
  () => bringTaps([]),
  300_000,
);

fullTest(
  'delivers every tap once with a hub on PostgreSQL that is killed during taps',
  async () => {
    const cluster = await startCluster(programs ?? '');
    onTestFinished(() => cluster.stop());
    await bringTaps(['--database', await newDatabase(cluster.address)]);
  },
  300_000,
);
