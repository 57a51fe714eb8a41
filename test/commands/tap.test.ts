/** `npm run tap` while an app with the real driver runs. The command starts pcscd itself. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findBadge, listOfBadges } from '../../src-main/commands/tap/demo-badges.ts';
import { notRunUnless } from '../not-run.ts';
import { openVirtualReader, virtualReader } from '../virtual-reader/virtual-reader.ts';

const cardTest = notRunUnless(virtualReader.present, virtualReader.reason);

const tool = fileURLToPath(new URL('../../src-main/commands/tap.ts', import.meta.url));
const stubApp = fileURLToPath(new URL('../devices/stub-app.ts', import.meta.url));

type Ended = { readonly code: number; readonly out: string; readonly err: string };

/** Runs a command line until it ends. `before`: a prefix, such as a command that enters a namespace. */
function runTool(args: readonly string[], before: readonly string[] = []): Promise<Ended> {
  const [program = '', ...rest] = [...before, process.execPath, tool, ...args];
  return new Promise((resolve) => {
    execFile(program, rest, { timeout: 60_000 }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

const badges = [
  { code: '04A1B2C3D4E501', alias: 'amelie', name: 'Amélie Beaumont', kind: 'visitor', says: 'a' },
  { code: '04A1B2C3D4E502', alias: 'amadou', name: 'Amadou Ba', kind: 'visitor', says: 'b' },
  { code: '08F3A1C7', alias: 'phone', name: '', kind: 'phone', says: 'c' },
  { code: '047B0000BAD000', alias: 'torn', name: '', kind: 'unreadable', says: 'd' },
] as const;

test('the tap tool finds a badge by UID, short name and name, with or without accents', () => {
  for (const wanted of ['04:a1:b2:c3:d4:e5:01', 'amelie', 'AMELIE BEAUMONT', 'Beaumont', 'amélie beaumont']) {
    expect(findBadge(wanted, badges)).toMatchObject({
      card: { kind: 'type2', uid: '04A1B2C3D4E501' },
      expected: 'captured',
    });
  }
  expect(findBadge('08F3A1C7', badges)).toMatchObject({ card: { kind: 'phone' }, expected: 'phone' });
  expect(findBadge('torn', badges)).toMatchObject({ card: { kind: 'mute' }, expected: 'notRead' });
  expect(findBadge('DEADBEEF', badges)).toMatchObject({
    card: { kind: 'type2', uid: 'DEADBEEF' },
    expected: 'captured',
  });
  expect(findBadge('08112233', badges)).toMatchObject({ expected: 'phone' });
  expect(findBadge('am', badges)).toContain('Several');
  expect(findBadge('nobody', badges)).toContain('no demo badge');
});

test('the list of badges has one badge per line, code first', () => {
  const lines = listOfBadges(badges).trimEnd().split('\n');
  expect(lines).toHaveLength(4);
  expect(lines[0]).toBe('04A1B2C3D4E501  amelie  Amélie Beaumont — a');
  expect(lines[2]).toBe('08F3A1C7        phone   c');
});

test('help and list need neither app nor reader; wrong use or a missing app gives one sentence', async () => {
  expect(await runTool(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('--data DIR') });
  expect(await runTool(['--list'])).toMatchObject({ code: 0, out: expect.stringMatching(/^[0-9A-F]+ /) });
  for (const args of [[], ['--nonsense'], ['nobody at all']]) {
    const ended = await runTool(args);
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err.trim().split('\n')).toHaveLength(1);
  }
});

cardTest('Without a running app the tool says so and starts nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tap-tool-'));
  writeFileSync(
    join(folder, 'app.json'),
    JSON.stringify({ pid: 2 ** 22 + 1, shell: 'browser', rpc: null, token: 'x' }),
  );
  await using reader = await openVirtualReader();
  const ended = await runTool(['DEADBEEF', '--data', folder], [reader.wrapper('env')]);
  expect(ended).toMatchObject({ code: 1, err: expect.stringContaining('npm start') });
  expect(await reader.isServiceUp()).toBe(false);
  rmSync(folder, { recursive: true });
});

cardTest(
  'The tool starts the card service, plays badges of every kind and prints the outcome of each',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tap-tool-'));
    await using reader = await openVirtualReader();
    const app = reader.spawn(process.execPath, [stubApp, folder], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    app.unref();
    const appFile = join(folder, 'app.json');
    await expect
      .poll(() => existsSync(appFile) && readFileSync(appFile).length, { timeout: 40_000 })
      .toBeGreaterThan(0);
    const tap = (badge: string) => runTool([badge, '--data', folder], [reader.wrapper('env')]);
    const first = await tap('04 A1 B2 C3 D4 E5 01');
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toContain('started pcscd');
    expect(first.out).toContain('Captured: Ada L., Engines.');
    expect(await tap('04A1B2C3D4E501')).toMatchObject({ code: 0, out: expect.stringContaining('tap 2') });
    expect(await tap('04A1B2C3D4E502')).toMatchObject({
      code: 0,
      out: expect.stringContaining('unknown badge'),
    });
    expect(await tap('phone')).toMatchObject({ code: 0, out: expect.stringContaining('a phone') });
    expect(await tap('torn')).toMatchObject({ code: 0, out: expect.stringContaining('Not read') });
    rmSync(folder, { recursive: true });
  },
  90_000,
);
