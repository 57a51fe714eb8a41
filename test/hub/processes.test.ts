/**
 * Several processes of one hub on one PostgreSQL database: each serves devices, one (the leader) talks to the
 * platform, and any other can take over. Everything that one process accepts or reads reaches the devices of all
 * processes.
 */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ownFolder, until } from '../core/fixture.ts';
import { createPlatformHere } from '../core/platform-process.ts';
import { ownServer, postgresTest as test } from '../platform/postgres/own-database.ts';
import { isThorough } from '../thoroughness.ts';
import { addDevices } from './enrolled-devices.ts';
import { startHubKiosk } from './hub-kiosk.ts';
import { createHubProcess, type HubProcess, runHub } from './hub-process.ts';

/** A generous limit for a loaded machine, because the tests wait for states. */
const PATIENCE_MS = 90_000;

const talks = ({ said }: HubProcess): number =>
  said().split('This process talks to the platform now.').length - 1;

test('two processes deliver each tap once across a restart of PostgreSQL, and a kill and a suspension of the leader', async () => {
  const folder = ownFolder();
  const { address: database, restart } = await ownServer();
  const platform = await createPlatformHere(join(folder, 'platform'));
  await platform.start();
  const more = ['--database', database, '--lease', '5', '--serve'];
  const one = await createHubProcess(join(folder, 'one'), platform, more);
  await one.start();
  const upstream = ['--upstream', platform.baseUrl, '--key', platform.key, '--expo', platform.expoId];
  const unknown = await runHub(...upstream, '--data', join(folder, 'two'), ...more);
  expect(unknown).toMatchObject({
    code: 2,
    err: expect.stringContaining('copy box-key.pem of the hub into'),
  });
  mkdirSync(join(folder, 'two'), { recursive: true });
  copyFileSync(join(folder, 'one', 'box-key.pem'), join(folder, 'two', 'box-key.pem'));
  const two = await createHubProcess(join(folder, 'two'), platform, more);
  await two.start();
  expect([talks(one), talks(two)]).toEqual([1, 0]);
  const devices = await addDevices(one, folder, ['AD2026T01', 'AD2026T02'], ['--database', database]);

  // One kiosk at each process. Each kiosk also has the address of the other process.
  const kiosks = devices.map((device, place) => {
    const [baseUrl, other] = place === 0 ? [one.baseUrl, two.baseUrl] : [two.baseUrl, one.baseUrl];
    const access = { baseUrl, others: [other], key: device.credential, expoId: platform.expoId };
    return startHubKiosk(join(folder, device.id), device, access);
  });
  const complete = () => kiosks.every(({ state }) => state().mirror.complete);
  await until('each kiosk has mirrored the event', complete, PATIENCE_MS);

  // A change that the platform reports to the leader also reaches the devices of the other process.
  const label = { name: 'Over both', color: '#0a7d5c', types: ['profile'] };
  await platform.call('POST', `/labels/${platform.expoId}`, label);
  const hubs = async (hub: HubProcess, device = devices[0]): Promise<readonly { name: string }[]> =>
    (await hub.request('GET', `/labels/${platform.expoId}?limit=100`, device?.credential ?? '')).json;
  await until(
    'both processes serve the label',
    async () =>
      (await Promise.all([hubs(one), hubs(two, devices[1])])).every((some) =>
        some.some(({ name }) => name === label.name),
      ),
    PATIENCE_MS,
  );

  let taps = 0;
  const tapAll = (times: number): void => {
    for (let round = 0; round < times; round += 1)
      for (const { tap } of kiosks) {
        taps += 1;
        tap(`04EE${taps.toString(16).toUpperCase().padStart(10, '0')}`);
      }
  };
  const confirmed = (): boolean =>
    kiosks.every(({ state }) => state().delivery.confirmed === taps / kiosks.length);
  tapAll(10);
  await until('every tap through both processes is confirmed', confirmed, PATIENCE_MS);

  // PostgreSQL restarts during taps, and both processes reconnect by themselves.
  for (let round = 0; round < (isThorough() ? 6 : 1); round += 1) {
    tapAll(10);
    await restart();
    tapAll(10);
    await until('every tap is confirmed after a restart of PostgreSQL', confirmed, PATIENCE_MS);
  }

  // The leader is killed during taps. The other process becomes leader, and the first serves again.
  for (let round = 0; round < (isThorough() ? 6 : 1); round += 1) {
    const [talking, other] = talks(one) > talks(two) ? [one, two] : [two, one];
    const before = talks(other);
    tapAll(10);
    await talking.kill();
    tapAll(10);
    await until('the other process talks to the platform', () => talks(other) > before, PATIENCE_MS);
    await talking.start();
    await until('every tap is confirmed after a kill', confirmed, PATIENCE_MS);
  }

  // The process that talks to the platform is suspended. When it resumes, it only serves devices.
  const [talking, other] = talks(one) > talks(two) ? [one, two] : [two, one];
  const before = talks(other);
  const asleep = await talking.sleep();
  tapAll(10);
  await until('the other process talks to the platform', () => talks(other) > before, PATIENCE_MS);
  asleep.resume();
  await until(
    'the suspended process reports that another one is the leader',
    () => talking.said().includes('Another process talks to the platform now.'),
    PATIENCE_MS,
  );
  tapAll(10);
  await until('every tap is confirmed after a suspension', confirmed, PATIENCE_MS);
  const ours = (await platform.actions()).filter(({ badge }) => String(badge).startsWith('04EE'));
  expect(ours).toHaveLength(taps);
  expect(new Set(ours.map(({ clientID }) => clientID)).size).toBe(taps);
  expect(kiosks.flatMap(({ errors }) => errors())).toEqual([]);
}, 600_000);
