/** Two hubs work at the same time, one with a copy of the other's folder. Nobody should do that. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFolder, until } from '../../core/fixture.ts';
import { createPlatformHere } from '../../core/platform-process.ts';
import { addDevices } from '../enrolled-devices.ts';
import { startHubKiosk } from '../hub-kiosk.ts';
import { createHubProcess } from '../hub-process.ts';
import { startLine } from '../line.ts';

/** A generous limit for a loaded machine; the test waits for states. */
const PATIENCE_MS = 120_000;

test('two hubs with copied folders deliver each fact once, even if a device changes between them', async () => {
  const folder = ownFolder();
  const platform = await createPlatformHere(join(folder, 'platform'));
  await platform.start();
  const one = await createHubProcess(join(folder, 'one'), platform);
  const two = await createHubProcess(join(folder, 'two'), platform);
  await one.start();
  const devices = await addDevices(one, folder, ['AD2026T01', 'AD2026T02']);
  const line = await startLine(one.baseUrl);
  const kiosks = devices.map((device) =>
    startHubKiosk(join(folder, device.id), device, {
      ...{ baseUrl: line.baseUrl, key: device.credential, expoId: platform.expoId },
    }),
  );
  const whole = () => kiosks.every(({ state }) => state().mirror.complete);
  await until('each kiosk has its mirror', whole, PATIENCE_MS);
  let taps = 0;
  const tapAll = (times: number): void => {
    for (let round = 0; round < times; round += 1)
      for (const { tap } of kiosks) {
        taps += 1;
        tap(`04EF${taps.toString(16).toUpperCase().padStart(10, '0')}`);
      }
  };
  const captured = () => kiosks.every(({ state }) => state().delivery.captured === taps / kiosks.length);

  // The folder is copied while the platform is away, so both hubs hold the same facts that are not yet sent.
  await platform.stop();
  tapAll(10);
  const handedOver = () =>
    kiosks.every(({ state }) => state().delivery.sent + state().delivery.confirmed === taps / kiosks.length);
  await until('the hub has every tap', handedOver, PATIENCE_MS);
  await one.kill('SIGTERM');
  cpSync(one.folder, two.folder, { recursive: true });
  await Promise.all([one.start(), two.start()]);
  await platform.start();
  tapAll(10);
  line.leadTo(two.baseUrl);
  tapAll(10);
  await until('every tap is captured', captured, PATIENCE_MS);
  line.leadTo(one.baseUrl);
  tapAll(10);

  const confirmed = () => kiosks.every(({ state }) => state().delivery.confirmed === taps / kiosks.length);
  await until('every tap is confirmed', confirmed, PATIENCE_MS);
  const ours = (await platform.actions()).filter(({ badge }) => String(badge).startsWith('04EF'));
  expect(ours).toHaveLength(taps);
  expect(new Set(ours.map(({ clientID }) => clientID)).size).toBe(taps);
  expect(kiosks.flatMap(({ errors }) => errors())).toEqual([]);
}, 400_000);
