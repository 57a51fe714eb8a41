/**
 * The fleet page at a real hub: who may see it, what it shows of a real kiosk, and that the kiosk runs its commands.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fingerprintOfKey } from '../../src-main/provision/provision-file.ts';
import { readCommand } from '../../src-main/provision/signed-command.ts';
import { ownFolder, until } from '../core/fixture.ts';
import { createPlatformHere } from '../core/platform-process.ts';
import { realClock } from '../core/real-parts.ts';
import { addDevice } from './enrolled-devices.ts';
import { startHubKiosk } from './hub-kiosk.ts';
import { createHubProcess, openVisitor, runHub } from './hub-process.ts';

const PATIENCE_MS = 60_000;

/** Shorter intervals: a report every half second. */
const quickClock = {
  ...realClock,
  monotonic: () => realClock.monotonic() * 60,
  sleep: (ms: number, signal?: AbortSignal) => realClock.sleep(Math.min(ms / 60, 400), signal),
};

it('the fleet page shows a kiosk to people with the key, and sends it commands', async () => {
  const folder = ownFolder();
  const platform = await createPlatformHere(join(folder, 'platform'));
  await platform.start();
  const hub = await createHubProcess(join(folder, 'hub'), platform);
  await hub.start();
  const root = new URL(hub.baseUrl).origin;
  const { ask } = openVisitor(root);
  expect((await ask('/fleet/enter', { key: 'x' })).text).toContain('There is no key yet');
  const newKey = async () => (await runHub('fleet', 'key', '--data', hub.folder)).out.trim();
  const before = await newKey();
  for (let round = 0; round < 3; round += 1)
    expect((await ask('/fleet/enter', { key: 'AAAA' })).status).toBe(401);
  // A wrong key that another person types does not lock anyone out.
  expect((await ask('/fleet/enter', { key: before })).status).toBe(303);
  await ask('/fleet/leave', {});
  const key = await newKey();
  expect((await ask('/fleet/enter', { key: before })).status).toBe(401);
  expect((await ask('/fleet')).text).not.toContain('id="live"');
  expect((await ask('/fleet/enter', { key: key.toLowerCase() })).status).toBe(303);
  const empty = await ask('/fleet');
  expect(empty.text).toContain('No device yet.');
  expect(empty.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");

  const device = await addDevice(hub, folder, 'AD2026T01');
  const fingerprint = fingerprintOfKey(readFileSync(join(hub.folder, 'box-key.pem'), 'utf8'));
  let reloads = 0;
  const kiosk = startHubKiosk(
    join(folder, 'kiosk'),
    device,
    { baseUrl: hub.baseUrl, key: device.credential, expoId: platform.expoId },
    {
      clock: quickClock,
      atHub: {
        belongs: () => true,
        open: (text, now) => readCommand(text, now, { fingerprint, device: device.id }),
        reload: () => {
          reloads += 1;
        },
      },
    },
  );
  await until('the kiosk has mirrored the event', () => kiosk.state().mirror.complete, PATIENCE_MS);
  await until('the kiosk knows its hub before the first tap', () => kiosk.state().hub != null, PATIENCE_MS);
  for (const uid of ['04AA0000000001', '04AA0000000002']) kiosk.tap(uid);
  const shown = (text: string): Promise<void> =>
    until(
      `the page shows ${text}`,
      async () => (await ask('/fleet')).text.replaceAll(/<[^>]*>/g, '').includes(text),
      PATIENCE_MS,
    );
  await shown('2 Captured on the devices');
  await shown('2 Accepted by the hub');
  await shown('2 confirmed');

  expect((await ask('/fleet/commands', { off: device.id }, 'http://elsewhere.example')).status).toBe(403);
  expect(
    (await ask('/fleet/commands', { off: device.id, back: 'https://elsewhere.example' })).headers.get(
      'location',
    ),
  ).toBe('/fleet');
  await until('the kiosk is out of order', () => kiosk.state().outOfOrder === true, PATIENCE_MS);
  await shown('Back in order');
  kiosk.tap('04AA0000000003');
  await shown('3 Captured on the devices');
  await ask('/fleet/undo', { back: '/fleet' });
  await until('the kiosk is back in order', () => kiosk.state().outOfOrder === false, PATIENCE_MS);
  await ask('/fleet/commands', { do: 'message', all: 'yes', text: '<b>Hall closes at six</b>' });
  await ask('/fleet/commands', { do: 'reload', device: device.id });
  await until(
    'the message is shown and the settings were read again once',
    () => kiosk.state().staffMessage?.text === '<b>Hall closes at six</b>' && reloads === 1,
    PATIENCE_MS,
  );
  await ask('/fleet/leave', {});
  await ask('/fleet/commands', { off: device.id });
  expect((await ask('/fleet')).text).not.toContain(device.id);
  expect(kiosk.state().outOfOrder).toBe(false);
  expect(kiosk.errors()).toEqual([]);
}, 300_000);
