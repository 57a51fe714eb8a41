/** A keychain that is locked or lost during a fair: no tap is lost, and the device reports what to do. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { HealthCheck } from '../../src-main/contract/health.ts';
import type { Clock } from '../../src-main/core/foundations/ports.ts';
import { plainSettings } from '../../src-main/core/stand/visit/settings.ts';
import { writePlatformFile } from '../../src-main/device-setup/platform-file.ts';
import { createAppLifecycle } from '../../src-main/launch/app-lifecycle.ts';
import { openLog } from '../../src-main/log/log.ts';
import { ownFolder, until } from '../core/fixture.ts';
import { realClock, realRandom } from '../core/real-parts.ts';
import { staffScreen } from '../core/screen.ts';
import { drawHere } from '../drawing/draw-here.ts';
import { startPlatform } from '../platform/running-platform.ts';
import { keychainOfSystem } from './keychain-parts.ts';

const EVENT = 'AD2026';
const LONG = 60_000;
const CANARY = 'canary-key-of-this-stand';

test('a device keeps taps while its key cannot be read, and delivers them without a restart afterwards', async () => {
  const platform = await startPlatform({ most: 1 });
  onTestFinished(() => platform.stop());
  await platform.makeKey(CANARY, { expos: [EVENT], canWrite: true, connections: true });
  const folder = ownFolder();
  const { storage, place } = keychainOfSystem();
  const key = await place.keep(CANARY);
  writePlatformFile(folder, { address: platform.base, expo: EVENT, privateHttp: true, key });
  storage.mode = 'locked';

  const log = openLog(folder, [], Date.now);
  const clock: Clock = { ...realClock, sleep: (ms, signal) => realClock.sleep(ms / 20, signal) };
  const open = () => {
    const app = createAppLifecycle({
      clock,
      random: realRandom,
      log,
      folder,
      pageFiles: () => ({ find: () => null }),
      version: '1',
      drivers: () => [],
      cardService: 'off',
      drawPicture: drawHere,
      given: null,
      password: '',
      keyPlace: place,
      usualStand: { ...plainSettings(), touchpoint: 'AD2026T01' },
      demoBadges: [],
      demoStaff: null,
      webhook: null,
    });
    onTestFinished(app.stop);
    app.start();
    const kiosk = app.kiosk();
    if (kiosk === null) throw new Error('There is no kiosk');
    return { app, kiosk };
  };
  const { app, kiosk } = open();
  const screen = await staffScreen(kiosk);
  const check = <Name extends HealthCheck['name']>(name: Name) =>
    kiosk.health().checks.find((one): one is Extract<HealthCheck, { name: Name }> => one.name === name);

  await until(
    'delivery pauses because the key is missing',
    () => kiosk.state().delivery.pause === 'keyMissing',
    LONG,
  );
  expect(check('key')).toMatchObject({ verdict: 'noGo', place: 'keychain', missing: 'unreachable' });
  expect(check('delivery')).toMatchObject({ verdict: 'noGo', pause: 'keyMissing' });
  // The device gets its touchpoint from the platform, and captures only after that.
  storage.mode = 'keychain';
  await until('the event is here', () => kiosk.state().mirror.complete, LONG);
  expect(check('key')).toMatchObject({ verdict: 'good', place: 'keychain', missing: null });
  await screen.taps.enter({ text: '04A1B2C3D4E5F6', source: 'wedge' });
  await until('it is delivered', () => kiosk.state().delivery.confirmed === 1, LONG);
  await app.stop();

  const bringBack = storage.lose();
  const { kiosk: later } = open();
  await until('it is said again', () => later.state().delivery.pause === 'keyMissing', LONG);
  const { taps } = await staffScreen(later);
  await taps.enter({ text: '04B2C3D4E5F607', source: 'wedge' });
  expect(later.state().delivery).toMatchObject({ captured: 2, confirmed: 1, parked: 0 });
  bringBack();
  await until('both are delivered', () => later.state().delivery.confirmed === 2, LONG);
  log.flush();
  const [day = ''] = readdirSync(join(folder, 'logs'));
  const lines = readFileSync(join(folder, 'logs', day), 'utf8');
  expect(lines).toContain('cannot be read; taps are kept');
  expect(lines).not.toContain(CANARY);
}, 180_000);
