/** How a hub starts and exits: a fault results in one sentence without the key, and a normal shutdown is clean. */
import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFolder, until } from '../core/fixture.ts';
import { createPlatformHere } from '../core/platform-process.ts';
import { createHubProcess, devicesIn, runHub } from './hub-process.ts';

/** The files of a folder that other users can open. The folder itself has an empty name. */
const openTo = (folder: string): readonly string[] =>
  process.platform === 'win32'
    ? ['notes.txt']
    : ['', ...(readdirSync(folder, { recursive: true }) as string[])].filter(
        (name) => (statSync(join(folder, name)).mode & 0o077) !== 0,
      );

test.each([
  [['--key', 'k', '--expo', 'E'], '--upstream is missing: the base address of the platform.'],
  [['--upstream', 'https://x/v2', '--expo', 'E'], '--key is missing: the key of the platform (or HUB_KEY).'],
  [
    ['--upstream', 'http://example.org/v2', '--key', 'secret1', '--expo', 'E'],
    'The address of the platform must begin with https://, so that the key does not travel in the open.',
  ],
  [
    ['--upstream', 'https://x/v2', '--key', 'secret1', '--expo', 'E', '--database', 'mysql://secret1'],
    '--database must be an address that starts with postgres://.',
  ],
  [['devices', 'list', '--data', 'no-such-folder'], /^There is no database in no-such-folder yet/],
])('an impossible start results in one sentence: %j', async (args, sentence) => {
  const { code, out, err } = await runHub(...args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  if (typeof sentence === 'string') expect(err).toBe(`${sentence}\n`);
  else expect(err).toMatch(sentence);
  expect(err).not.toContain('secret1');
});

test('a hub prints the platform’s refusals, works alone in its folder, and shuts down cleanly', async () => {
  const folder = ownFolder();
  const platform = await createPlatformHere(join(folder, 'platform'));
  await platform.start();
  const to = (key: string, expo: string, data: string) =>
    runHub('--upstream', platform.baseUrl, '--key', key, '--expo', expo, '--data', join(folder, data));
  const badKey = await to('wrong-key', platform.expoId, 'a');
  expect(badKey).toMatchObject({ code: 2, out: '' });
  expect(badKey.err).toMatch(/^The platform refuses the key \(GET answered 401\)\.$/m);
  const aFile = join(folder, 'a-file');
  writeFileSync(aFile, '');
  const noFolder = await to(platform.key, platform.expoId, 'a-file');
  expect(noFolder).toMatchObject({ code: 2, err: `--data must be a folder, and ${aFile} is a file.\n` });
  const badEvent = await to(platform.key, 'NoSuchFair', 'hub');
  expect(badEvent.err).toMatch(/^The platform has no event NoSuchFair for this key \(GET answered 400\)\.$/m);

  // A mistyped event does not bind the store.
  const hub = await createHubProcess(join(folder, 'hub'), platform);
  // A folder of an older version that also contains a file of somebody else.
  writeFileSync(join(hub.folder, 'notes.txt'), '');
  for (const name of ['mirror.db', 'box-key.pem', 'notes.txt']) chmodSync(join(hub.folder, name), 0o644);
  chmodSync(hub.folder, 0o755);
  await hub.start();
  expect(openTo(hub.folder)).toEqual(['notes.txt']);
  const again = await to(platform.key, platform.expoId, 'hub');
  expect(again).toMatchObject({ code: 2, out: '' });
  expect(again.err).toContain('Another hub works in ');
  const file = join(folder, 'devices.json');
  const where = ['--data', hub.folder, '--out', file];
  const add = (...more: readonly string[]) =>
    runHub('devices', 'add', ...where, '--address', hub.baseUrl, ...more);
  await until('the hub has its touchpoints', async () => (await add('--count', '2')).code === 0, 60_000);
  expect((await add('--count', '1')).err).toContain('exists already and is not overwritten.');
  const bare = join(folder, 'bare.json');
  const of = ['devices', 'add', '--data', hub.folder, '--out', bare, '--count', '1', '--address'];
  expect((await runHub(...of, 'http://0.0.0.0:8820')).err).toContain('one that devices can reach');
  expect((await runHub(...of, 'http://192.168.1.10:8820')).code).toBe(0);
  expect(JSON.parse(readFileSync(bare, 'utf8'))).toMatchObject({
    address: 'http://192.168.1.10:8820/create/v2',
    hub: 'Hub',
  });
  const nowhere = join(folder, 'nowhere', 'devices.json');
  const lost = await runHub(...of.map((one) => (one === bare ? nowhere : one)), 'http://192.168.1.10:8820');
  expect(lost.err).toContain('nothing was added');
  const [each, sheet] = [join(folder, 'each'), join(folder, 'sheet.html')];
  const printed = ['--each', each, '--sheet', sheet, '--language', 'de'];
  const apart = ['devices', 'add', '--data', hub.folder, '--address', hub.baseUrl, '--count', '1'];
  expect((await runHub(...apart, ...printed)).code).toBe(0);
  expect(readdirSync(each)).toEqual([expect.stringMatching(/^AD2026T\d+ .+ \(D[0-9a-f]{10}\)\.touchpoint$/)]);
  expect(readFileSync(sheet, 'utf8')).toContain('Der Laptop muss diesen Fingerabdruck');
  expect((await runHub(...apart)).err).toContain('--out FILE, --each FOLDER or --sheet FILE');
  const [first] = devicesIn(file);
  expect((await runHub('devices', 'revoke', first?.id ?? '', '--data', hub.folder)).out).toBe(
    `Device ${first?.id} is revoked.\n`,
  );
  const { out } = await runHub('devices', 'list', '--data', hub.folder);
  const { publicKey } = JSON.parse(readFileSync(file, 'utf8')) as { readonly publicKey: string };
  const digits = createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex');
  const shown = digits.slice(0, 32).toUpperCase().match(/.{4}/g)?.join(' ');
  expect(out).toMatch(new RegExp(`^Fingerprint of this hub: ${shown}$`, 'm'));
  expect(out.split('\n').filter((line) => line.includes('facts: none accepted'))).toHaveLength(4);
  expect(out.split('\n').filter((line) => line.includes('revoked 20'))).toHaveLength(1);
  expect((await hub.request('GET', '/hub', first?.key ?? '')).status).toBe(401);

  expect(openTo(hub.folder)).toEqual(['notes.txt']);
  expect(await hub.kill('SIGTERM')).toBe(0);
  const other = await to(platform.key, 'Another', 'hub');
  expect(other.err).toContain(`This folder is the hub of the event ${platform.expoId}`);
  await platform.stop();
  await hub.start();
  // As in a terminal: the signal goes to the whole process group, and npm forwards it as well.
  expect(await hub.kill('SIGINT', 'SIGTERM')).toBe(0);
}, 240_000);
