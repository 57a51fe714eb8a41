/**
 * A real kiosk whose file contains two addresses, one of a hub and one of its standby, which share a PostgreSQL
 * database. The kiosk switches to the standby when the hub is silent, and back when the standby ends. Each tap has one
 * effect.
 */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ownFolder, until } from '../../core/fixture.ts';
import { createPlatformHere } from '../../core/platform-process.ts';
import { ownDatabase, postgresTest as test } from '../../platform/postgres/own-database.ts';
import { createHubProcess } from '../hub-process.ts';
import { addProvisioned, PATIENCE_MS } from './provisioned-kiosk.ts';

test('a kiosk switches to the standby and back automatically, and each of sixty taps arrives once', async () => {
  const folder = ownFolder();
  const database = await ownDatabase();
  const platform = await createPlatformHere(join(folder, 'platform'));
  await platform.start();
  const serving = { scheme: 'https', isTold: false } as const;
  const more = (name: string) => ['--database', database, '--lease', '10', '--name', name];
  const one = await createHubProcess(join(folder, 'one'), platform, more('Hub one'), serving);
  await one.start();
  const second = join(folder, 'two');
  mkdirSync(second);
  copyFileSync(join(one.folder, 'box-key.pem'), join(second, 'box-key.pem'));
  const two = await createHubProcess(second, platform, [...more('Hub two'), '--standby'], serving);
  const taken = two.start();

  const own = ['--data', one.folder, '--database', database];
  const addresses = ['--address', one.baseUrl, '--address', two.baseUrl];
  const { kiosk, tapAll, isConfirmed } = await addProvisioned(join(folder, 'kiosk'), '04DE', [
    ...own,
    ...addresses,
  ]);
  const hubNow = () => {
    const check = kiosk.health().checks.find(({ name }) => name === 'delivery');
    return check?.name === 'delivery' ? check.hub : null;
  };
  tapAll(20);
  await until('the platform has confirmed every tap through the hub', isConfirmed, PATIENCE_MS);
  expect(hubNow()).toMatchObject({ name: 'Hub one', host: new URL(one.baseUrl).host });

  const asleep = await one.sleep();
  tapAll(20);
  await taken;
  await until('the platform has confirmed every tap through the standby', isConfirmed, PATIENCE_MS);
  // The state on the screen was read before the receipts, when the hub may still have been unreachable.
  await until('the device shows the standby as online', () => hubNow()?.state === 'online', PATIENCE_MS);
  expect(hubNow()).toMatchObject({ name: 'Hub two', host: new URL(two.baseUrl).host });
  expect(await asleep.wake()).toBe(3);
  tapAll(10);
  await until('the platform has confirmed every further tap', isConfirmed, PATIENCE_MS);

  const again = await createHubProcess(
    one.folder,
    platform,
    [...more('Hub one'), '--standby', '--port', new URL(one.baseUrl).port],
    serving,
  );
  const back = again.start();
  tapAll(5);
  expect(await two.kill('SIGTERM')).toBe(0);
  tapAll(5);
  await back;
  await until('the platform has confirmed every tap through the first hub again', isConfirmed, PATIENCE_MS);
  expect(hubNow()).toMatchObject({ name: 'Hub one', host: new URL(one.baseUrl).host });

  const badges = (await platform.actions())
    .map(({ badge }) => String(badge))
    .filter((badge) => badge.startsWith('04DE'));
  expect(badges).toHaveLength(60);
  expect(new Set(badges).size).toBe(60);
  expect(kiosk.state().delivery).toMatchObject({ captured: 60, confirmed: 60, parked: 0, possiblyTwice: 0 });
}, 400_000);
