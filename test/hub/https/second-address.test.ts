/**
 * A real kiosk whose file names two addresses, of a box and of its standby on one PostgreSQL database: it goes over by itself
 * when the box falls silent, and back when the standby ends, and each tap has one effect.
 */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ownFolder, until } from '../../core/fixture.ts';
import { createPlatformProcess } from '../../core/platform-process.ts';
import { ownDatabase, postgresTest as test } from '../../platform/postgres/own-database.ts';
import { createHubProcess, runHub } from '../hub-process.ts';
import { provision, startProvisioned } from './provisioned-kiosk.ts';

/** A loaded machine takes its time; what is waited for comes or never does. */
const PATIENCE_MS = 90_000;

test('a kiosk goes over to the standby by itself, and back, and each of sixty taps arrives once', async () => {
  const folder = ownFolder();
  const database = await ownDatabase();
  const platform = await createPlatformProcess(join(folder, 'platform'));
  await platform.start();
  const serving = { scheme: 'https', isTold: false } as const;
  const more = (name: string) => ['--database', database, '--lease', '10', '--name', name];
  const one = await createHubProcess(join(folder, 'one'), platform, more('Box one'), serving);
  await one.start();
  const second = join(folder, 'two');
  mkdirSync(second);
  copyFileSync(join(one.folder, 'box-key.pem'), join(second, 'box-key.pem'));
  const two = await createHubProcess(second, platform, [...more('Box two'), '--standby'], serving);
  const taken = two.start();

  const file = join(folder, 'device.json');
  const addresses = ['--address', one.baseUrl, '--address', two.baseUrl];
  const add = ['devices', 'add', '--data', one.folder, '--database', database, '--touchpoint', 'AD2026T01'];
  const where = [...add, ...addresses, '--out', file];
  await until('the box has its touchpoints', async () => (await runHub(...where)).code === 0, PATIENCE_MS);
  const device = join(folder, 'kiosk');
  mkdirSync(device);
  await provision(device, readFileSync(file, 'utf8'));
  const { kiosk, tap } = startProvisioned(device);
  let taps = 0;
  const tapAll = (count: number): void => {
    for (let left = count; left > 0; left -= 1) tap(`04DE${String(++taps).padStart(10, '0')}`);
  };
  const confirmed = () => {
    const { delivery } = kiosk.state();
    return delivery.captured === taps && delivery.confirmed === taps;
  };
  const boxNow = () => {
    const check = kiosk.health().checks.find(({ name }) => name === 'delivery');
    return check?.name === 'delivery' ? check.box : null;
  };
  await until('the event is here', () => kiosk.state().mirror.complete, PATIENCE_MS);
  tapAll(20);
  await until('the box has brought all', confirmed, PATIENCE_MS);
  expect(boxNow()).toMatchObject({ name: 'Box one', host: new URL(one.baseUrl).host });

  const asleep = await one.sleep();
  tapAll(20);
  await taken;
  await until('the standby has brought all', confirmed, PATIENCE_MS);
  expect(boxNow()).toMatchObject({ name: 'Box two', host: new URL(two.baseUrl).host, state: 'online' });
  expect(await asleep.wake()).toBe(3);
  tapAll(10);
  await until('the standby goes on', confirmed, PATIENCE_MS);

  const again = await createHubProcess(
    one.folder,
    platform,
    [...more('Box one'), '--standby', '--port', new URL(one.baseUrl).port],
    serving,
  );
  const back = again.start();
  tapAll(5);
  expect(await two.kill('SIGTERM')).toBe(0);
  tapAll(5);
  await back;
  await until('the first box has brought all', confirmed, PATIENCE_MS);
  expect(boxNow()).toMatchObject({ name: 'Box one', host: new URL(one.baseUrl).host });

  const badges = (await platform.actions())
    .map(({ badge }) => String(badge))
    .filter((badge) => badge.startsWith('04DE'));
  expect(badges).toHaveLength(60);
  expect(new Set(badges).size).toBe(60);
  expect(kiosk.state().delivery).toMatchObject({ captured: 60, confirmed: 60, parked: 0, possiblyTwice: 0 });
}, 400_000);
