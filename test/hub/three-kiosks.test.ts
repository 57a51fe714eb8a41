/**
 * Three real kiosks at one box before the real platform, over SQLite and https: the platform goes and comes back, the box is killed
 * twice, and in the end each tap has one effect there and every screen says so.
 */
import { randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { ownFolder, until } from '../core/fixture.ts';
import { createPlatformProcess } from '../core/platform-process.ts';
import { type BoxKiosk, startBoxKiosk } from './box-kiosk.ts';
import { createHubProcess, devicesIn, type FileDevice, type HubProcess, runHub } from './hub-process.ts';

const enrol = async (box: HubProcess, device: FileDevice): Promise<string> => {
  const key = randomBytes(32).toString('base64url');
  const { status } = await box.request('POST', '/box/enrol', device.key, { device: device.id, key });
  expect(status).toBe(200);
  return key;
};

/** A loaded machine takes its time; what is waited for comes or never does. */
const PATIENCE_MS = 60_000;

it('brings every tap to the platform once, whatever is killed on the way', async () => {
  const folder = ownFolder();
  const platform = await createPlatformProcess(join(folder, 'platform'));
  await platform.start();
  const box = await createHubProcess(join(folder, 'box'), platform, [], { scheme: 'https', isTold: false });
  await box.start();
  const file = join(folder, 'devices.json');
  const { body } = await platform.call('GET', `/touchpoints/${platform.expoId}`);
  const stands = (body as readonly Record<string, string>[]).filter(({ purpose }) => purpose === 'lead');
  const chosen = stands.map(({ id = '' }) => id).slice(0, 3);
  await until(
    'the box has its touchpoints',
    async () => {
      const args = chosen.flatMap((id) => ['--touchpoint', id]);
      const where = ['--data', box.folder, '--address', box.baseUrl, '--out', file];
      return (await runHub('devices', 'add', ...args, ...where)).code === 0;
    },
    PATIENCE_MS,
  );
  const devices = devicesIn(file);
  const { pin } = JSON.parse(readFileSync(file, 'utf8')) as { readonly pin: string };
  expect(devices.map(({ touchpoint }) => touchpoint)).toEqual(chosen);
  const keys = await Promise.all(devices.map((device) => enrol(box, device)));
  const kiosks: readonly BoxKiosk[] = devices.map((device, index) =>
    startBoxKiosk(join(folder, device.id), device, {
      ...{ baseUrl: box.baseUrl, key: keys[index] ?? '', expoId: platform.expoId, pin },
    }),
  );
  await until(
    'every kiosk has its copy of the event',
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
      'the box has what was captured',
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
  await box.kill();
  tapAll(20);
  await box.start();
  await handedOver();
  await platform.start();
  await box.kill();
  tapAll(30);
  await box.start();

  await until(
    'every tap is confirmed on every screen',
    () => kiosks.every((kiosk) => kiosk.state().delivery.confirmed === 100),
    PATIENCE_MS,
  );
  const held = async () => (await platform.actions()).filter(({ badge }) => String(badge).startsWith('04BB'));
  await until('the platform has every tap', async () => (await held()).length >= taps, PATIENCE_MS);
  const ours = await held();
  expect(ours).toHaveLength(300);
  expect(new Set(ours.map(({ clientID }) => clientID)).size).toBe(300);
  const places = Map.groupBy(ours, ({ touchpointID }) => touchpointID);
  expect(chosen.map((place) => places.get(place)?.length)).toEqual([100, 100, 100]);
  expect(kiosks.flatMap((kiosk) => kiosk.errors())).toEqual([]);
  const holders = (text: string) =>
    globSync('**/*', { cwd: folder, withFileTypes: true })
      .filter((entry) => entry.isFile() && !relative(folder, entry.parentPath).startsWith('platform'))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => readFileSync(path).includes(text));
  // The control: what a device does hold is found.
  expect(holders(chosen[0] ?? '').length).toBeGreaterThan(3);
  expect(holders(platform.key)).toEqual([]);
  for (const kiosk of kiosks) {
    const { captured, confirmed, parked } = kiosk.state().delivery;
    expect({ captured, confirmed, parked }).toEqual({ captured: 100, confirmed: 100, parked: 0 });
  }
}, 300_000);
