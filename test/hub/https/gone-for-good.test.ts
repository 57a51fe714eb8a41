/**
 * A hub on SQLite is lost for ever, including its disk. Another machine with its key and a backup of its devices
 * continues at the second address. Each tap has one effect, including taps that only the lost hub had.
 */
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFolder, until } from '../../core/fixture.ts';
import { createPlatformHere } from '../../core/platform-process.ts';
import { createHubProcess, runHub } from '../hub-process.ts';
import { addProvisioned, PATIENCE_MS } from './provisioned-kiosk.ts';

test('another machine takes over the devices of a lost hub, and each of sixty taps arrives once', async () => {
  const folder = ownFolder();
  const platform = await createPlatformHere(join(folder, 'platform'));
  await platform.start();
  const serving = { scheme: 'https', isTold: false } as const;
  const one = await createHubProcess(join(folder, 'one'), platform, [], serving);
  await one.start();
  const two = await createHubProcess(join(folder, 'two'), platform, ['--name', 'Hub two'], serving);
  const at = (hub: typeof one) => ['--data', hub.folder];
  const addresses = ['--address', one.baseUrl, '--address', two.baseUrl];
  const device = join(folder, 'kiosk');
  const { kiosk, tapAll, isConfirmed } = await addProvisioned(device, '04DF', [...at(one), ...addresses]);

  // One more device, to be revoked.
  const stray = ['--touchpoint', 'AD2026T02', ...addresses, '--out', join(folder, 'stray.json')];
  const [, strayId = ''] =
    /^(D\w+) {2}/m.exec((await runHub('devices', 'add', ...at(one), ...stray)).out) ?? [];
  const copy = join(folder, 'copy.json');
  expect(await runHub('devices', 'backup', ...at(one), '--out', copy)).toMatchObject({
    code: 0,
    out: `2 devices are in ${copy}.\n`,
  });
  const credential = (
    JSON.parse(readFileSync(join(device, 'platform.json'), 'utf8')) as { readonly key: string }
  ).key;
  expect(readFileSync(copy, 'utf8')).not.toContain(credential);
  const restore = (text: string) => runHub('devices', 'restore', text, ...at(two));
  expect((await restore(copy)).err).toContain('copy box-key.pem of the hub that');
  copyFileSync(join(one.folder, 'box-key.pem'), join(two.folder, 'box-key.pem'));
  const altered = join(folder, 'altered.json');
  writeFileSync(altered, readFileSync(copy, 'utf8').replace('AD2026T01', 'AD2026T02'));
  expect((await restore(altered)).err).toBe(`${altered} is not a backup of devices, or was altered.\n`);
  expect(await restore(copy)).toMatchObject({ code: 0, err: '' });
  expect((await runHub('devices', 'revoke', strayId, ...at(two))).code).toBe(0);
  // An older backup does not restore a revoked right.
  expect((await restore(copy)).code).toBe(0);
  const known = (await runHub('devices', 'list', ...at(two))).out;
  expect(known.split('\n').filter((line) => line.includes('enrolled 20'))).toHaveLength(1);
  expect(known.split('\n').find((line) => line.startsWith(strayId))).toContain('revoked 20');

  tapAll(20);
  await until('the platform has confirmed every tap through the first hub', isConfirmed, PATIENCE_MS);
  await platform.stop();
  tapAll(20);
  await until(
    'the hub has the taps that the platform lacks',
    () => kiosk.state().delivery.atHub === 20,
    PATIENCE_MS,
  );
  await one.kill();
  rmSync(one.folder, { recursive: true });
  tapAll(20);
  await platform.start();
  await two.start();
  await until('the platform has confirmed every tap through the second hub', isConfirmed, PATIENCE_MS);

  const badges = (await platform.actions()).map(({ badge }) => String(badge));
  const ours = badges.filter((badge) => badge.startsWith('04DF'));
  expect([ours.length, new Set(ours).size]).toEqual([60, 60]);
  expect(kiosk.state().delivery).toMatchObject({ captured: 60, confirmed: 60, parked: 0 });
  // The state on the screen was read before the receipts, when the hub may still have been unreachable.
  await until(
    'the device shows the second hub as online',
    () => kiosk.state().hub?.upstream === 'online',
    PATIENCE_MS,
  );
  expect(kiosk.state().hub).toMatchObject({ name: 'Hub two' });
}, 400_000);
