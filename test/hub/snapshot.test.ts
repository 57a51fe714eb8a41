/**
 * A new device at a real hub fetches its first mirror as one file and has the same records as a device that reads page
 * by page. The hub answers ranges of the file and limits concurrent downloads.
 */
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { readMirror } from '../../src-main/core/event/mirror/reading.ts';
import { RESOURCES } from '../../src-main/core/event/mirror/resources.ts';
import { signerOf } from '../../src-main/provision/signed-text.ts';
import type { Operation } from '../../src-platform/http/operation.ts';
import { askedRange, pieceOf } from '../../src-platform/http/piece.ts';
import { createSlots, snapshotOperations } from '../../src-platform/hub/snapshot-operations.ts';
import { ownFolder, until } from '../core/fixture.ts';
import { createPlatformHere } from '../core/platform-process.ts';
import { enrol } from './enrolled-devices.ts';
import { startHubKiosk } from './hub-kiosk.ts';
import { createHubProcess, devicesIn, runHub } from './hub-process.ts';

const TAKEN = 'the first mirror came as a snapshot';

/** A generous limit for a loaded machine, because the tests wait for states. */
const PATIENCE_MS = 60_000;

it('a snapshot gives a new device the same records as paging, and no connections of other partners', async () => {
  const folder = ownFolder();
  const platform = await createPlatformHere(join(folder, 'platform'));
  await platform.start();
  const hub = await createHubProcess(join(folder, 'hub'), platform);
  await hub.start();
  const file = join(folder, 'devices.json');
  let said = '';
  await until(
    'the hub has its touchpoints',
    async () => {
      const where = ['--data', hub.folder, '--address', hub.baseUrl, '--out', file];
      const { code, out } = await runHub('devices', 'add', '--count', '2', ...where);
      said = out;
      return code === 0;
    },
    PATIENCE_MS,
  );
  const fingerprint = said.split('Fingerprint of this hub: ')[1]?.trim();
  const [one, two] = devicesIn(file);
  if (one === undefined || two === undefined) throw new Error('Expected two devices in the file');
  const [key, otherKey] = [await enrol(hub, one), await enrol(hub, two)];
  const path = `/hub/snapshot/${platform.expoId}`;
  expect((await hub.request('GET', path, 'nobody')).status).toBe(401);
  const expected = (await platform.call('GET', `/visitors/${platform.expoId}?limit=100`)).body as object[];
  await until(
    'the hub has its visitors',
    async () =>
      (await hub.request('GET', `/visitors/${platform.expoId}?limit=100`, key)).json.length ===
      expected.length,
    PATIENCE_MS,
  );

  const at = { baseUrl: hub.baseUrl, expoId: platform.expoId };
  const paged = startHubKiosk(join(folder, 'paged'), two, { ...at, key: otherKey });
  let manifest: { text: string; publicKey: string; signature: string } | null = null;
  await until(
    'the hub has made its snapshot',
    async () => {
      const response = await fetch(hub.baseUrl + path, {
        headers: { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
      });
      manifest = response.ok ? ((await response.json()) as typeof manifest) : null;
      return response.ok;
    },
    PATIENCE_MS,
  );
  if (manifest === null) throw new Error('Expected a manifest');
  expect(signerOf(manifest)).toBe(fingerprint);
  const fresh = startHubKiosk(
    join(folder, 'fresh'),
    one,
    { ...at, key },
    { isFromHub: (signed) => signerOf(signed) === fingerprint },
  );
  for (const kiosk of [fresh, paged])
    await until('the device has its mirror', () => kiosk.state().mirror.complete, PATIENCE_MS);
  await until('a whole round is over', () => fresh.state().mirror.lastPassAt !== null, PATIENCE_MS);
  expect(fresh.said()).toContain(TAKEN);
  expect(paged.said()).not.toContain(TAKEN);
  expect([...fresh.errors(), ...paged.errors()]).toEqual([]);
  await Promise.all([fresh.stop(), paged.stop()]);
  const mirrors = ['fresh', 'paged'].map((name) => readMirror(join(folder, name, 'mirror.db')));
  for (const { name } of RESOURCES.filter(({ ofOwnPartner }) => !ofOwnPartner)) {
    // The hub continues to read details, which create new revisions of the same records.
    const [ours, theirs] = mirrors.map((mirror) =>
      [...(mirror?.bodies(name) ?? [])].map(([, body]) => body.replace(/"revision":\d+}$/, '}')),
    );
    expect(ours).toEqual(theirs);
  }
  expect(mirrors[0]?.bodies('visitors').size).toBeGreaterThan(100);
  const connections = [...(mirrors[0]?.bodies('connections') ?? [])].map(([, body]) => JSON.parse(body));
  expect(connections.every(({ partnerID }) => partnerID === one.partner)).toBe(true);
  for (const mirror of mirrors) mirror?.close();
}, 300_000);

const BYTES = Buffer.from('0123456789');

const askFor = async (range?: string, ifRange?: string): Promise<readonly [number, string, string]> => {
  const asked = askedRange({ range, ifRange }, '"x"', BYTES.length);
  const { status, headers, bytes } = pieceOf(asked, '"x"', BYTES.length, (first, last) =>
    Readable.from([BYTES.subarray(first, last + 1)]),
  );
  return [status, headers['content-range'] ?? '', (await buffer(bytes)).toString()];
};

it.each([
  [undefined, undefined, [200, '', '0123456789']],
  ['bytes=3-5', undefined, [206, 'bytes 3-5/10', '345']],
  ['bytes=3-5', '"x"', [206, 'bytes 3-5/10', '345']],
  ['bytes=7-', '"x"', [206, 'bytes 7-9/10', '789']],
  ['bytes=7-99', '"x"', [206, 'bytes 7-9/10', '789']],
  ['bytes=3-5', '"y"', [200, '', '0123456789']],
  ['bytes=0-1,4-5', undefined, [200, '', '0123456789']],
  ['lines=1-2', undefined, [200, '', '0123456789']],
])('a request with Range %s and If-Range %s is answered with %j', async (range, ifRange, expected) => {
  expect(await askFor(range, ifRange)).toEqual(expected);
});

it('a range that begins beyond the end is refused', () => {
  expect(() => askedRange({ range: 'bytes=10-12' }, '"x"', 10)).toThrow('There are no such bytes');
});

const operationsOf = (...ports: Parameters<typeof snapshotOperations>): readonly [Operation, Operation] => {
  const [manifest, bytes] = snapshotOperations(...ports);
  if (manifest === undefined || bytes === undefined) throw new Error('Expected two operations');
  return [manifest, bytes];
};

it('a hub gives a snapshot to fifty devices at once, and to another one after a slot expires or is released', async () => {
  let now = 0;
  const signed = { text: '{}', publicKey: '', signature: '' };
  const [manifest, bytes] = operationsOf(
    {
      manifest: async () => signed,
      file: () => ({ length: 10, open: () => Readable.from([BYTES]) }),
    },
    () => new Date(now),
    async () => false,
  );
  const call = (who: number) => ({
    ...{ caller: { keyId: `D${who}` }, params: { sha256: 'x' }, query: {}, head: false, body: undefined },
    ...{ expo: { id: 'E1' }, range: 'bytes=0-3' },
  });
  const ask = (operation: Operation, who: number, range = 'bytes=0-3'): Promise<unknown> =>
    (operation.handle as (of: unknown) => Promise<unknown>)({ ...call(who), range });
  for (let who = 1; who <= 50; who += 1) expect(await ask(manifest, who)).toBe(signed);
  const refused = { status: 429, headers: { 'retry-after': '5' } };
  await expect(ask(manifest, 51)).rejects.toMatchObject(refused);
  await expect(ask(bytes, 51)).rejects.toMatchObject(refused);
  await ask(bytes, 7, 'bytes=4-9');
  expect(await ask(manifest, 51)).toBe(signed);
  await expect(ask(manifest, 52)).rejects.toMatchObject(refused);
  now = 20_000;
  await ask(bytes, 1);
  now = 31_000;
  expect(await ask(manifest, 52)).toBe(signed);
  const slots = createSlots(1, 1_000, () => now);
  expect([slots.enter('a'), slots.enter('b'), slots.enter('a')]).toEqual([true, false, true]);
});
