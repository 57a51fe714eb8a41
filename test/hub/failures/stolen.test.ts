/** A device is stolen: its revocation at the hub ends all its access, even during a request. */
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { fleetPage } from '../../../src-hub/fleet/page.ts';
import { readFleet } from '../../../src-hub/fleet/reading.ts';
import { wordsOf } from '../../../src-hub/fleet/texts.ts';
import { revokeDevice } from '../../../src-platform/keys/devices.ts';
import { expo, startHub } from '../serving/serving-hub.ts';

const LENGTH = 40_000_000;
const SHA = 'a'.repeat(64);

/** A snapshot that generates its bytes on demand. `made` counts them. */
const longSnapshot = () => {
  const progress = { made: 0 };
  const bytes = function* (): Generator<Buffer> {
    for (; progress.made < LENGTH; progress.made += 100_000) yield Buffer.alloc(100_000);
  };
  return {
    progress,
    source: {
      manifest: async () => ({ text: '{}', publicKey: '', signature: '' }),
      file: () => ({ length: LENGTH, open: () => Readable.from(bytes()) }),
    },
  };
};

test('a stolen device loses access at once: for every request, on open connections, and in a running download', async () => {
  const { progress, source } = longSnapshot();
  const hub = await startHub({ snapshots: source });
  const { request, store, device, enrol, baseUrl } = hub;
  const key = 'a'.repeat(43);
  await enrol(device, key);
  const calls = [
    ['GET', '/hub'],
    ['GET', `/visitors/${expo}`],
    ['GET', `/hub/facts/${expo}`],
    ['GET', `/hub/receipts/${expo}?ids=1`],
    ['GET', `/hub/snapshot/${expo}`],
    ['POST', `/actions/${expo}`, []],
    ['POST', `/hub/again/${expo}`, []],
    ['POST', '/hub/here', {}],
  ] as const;
  const all = () =>
    Promise.all(calls.map(async ([method, path, body]) => (await request(method, path, key, body)).status));
  for (const [method, path, body] of calls) expect((await request(method, path, key, body)).status).toBe(200);

  const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
  const download = await fetch(`${baseUrl}/hub/snapshot/${expo}/${SHA}`, { headers: { authorization } });
  expect(download.status).toBe(200);
  const reader = download.body?.getReader();
  await reader?.read();
  expect(progress.made).toBeLessThan(LENGTH);
  expect(await revokeDevice(store, device.id, new Date())).toBe(true);
  const rest = async (): Promise<number> => {
    let taken = 0;
    for (;;) {
      const piece = await reader?.read();
      if (piece === undefined || piece.done) return taken;
      taken += piece.value.length;
    }
  };
  await expect(rest()).rejects.toThrow();
  expect(progress.made).toBeLessThan(LENGTH);
  expect(await all()).toEqual(calls.map(() => 401));
  // The device's own key and the key in the file stay invalid.
  for (const again of [key, device.key])
    expect(
      (await request('POST', '/hub/enrol', again, { device: device.id, key: 'b'.repeat(43) })).status,
    ).toBe(401);

  const now = Date.now();
  const devices = await readFleet(store, expo, now);
  const picture = {
    hub: 'Hall',
    now,
    upstream: { state: 'online', since: null },
    receiptFingerprint: 'AB12 CD34 EF56 AB12 CD34 EF56 AB12 CD34',
    devices,
  } as const;
  const { text } = fleetPage(picture, { find: '', need: null, page: 1 }, wordsOf('en', 'UTC'), null);
  expect(text).toContain('revoked');
});
