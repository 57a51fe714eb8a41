/**
 * The key of a real event in the Electron shell: it moves into the keychain and is then nowhere else. The core runs in its
 * own process, as in Electron. The test searches for a planted key in everything that the app writes.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { collectDiagnostics } from '../../src-main/commands/diagnostics/collect.ts';
import { readPlatformFile, writePlatformFile } from '../../src-main/device-setup/platform-file.ts';
import { ownFolder } from '../core/fixture.ts';
import { startPlatform } from '../platform/running-platform.ts';
import { fakeElectron } from './fakes/electron.ts';
import { startShellUnderTest } from './shell-under-test.ts';

const CANARY = 'canary-key-that-nobody-may-see';
const LONG = { timeout: 100_000 };

/** Files below `folder` that contain `text`. */
function filesWith(folder: string, text: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => {
    const path = join(folder, name);
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true && readFileSync(path).includes(text);
  });
}

test('a key in a file moves to the keychain and is in no file, log, argument or diagnostics', async () => {
  const platform = await startPlatform({ most: 1 });
  onTestFinished(() => platform.stop());
  await platform.makeKey(CANARY, { expos: ['AD2026'], canWrite: true, connections: true });
  const folder = ownFolder();
  writePlatformFile(folder, {
    address: platform.base,
    expo: 'AD2026',
    privateHttp: true,
    key: { place: 'file', text: CANARY },
  });
  const electron = fakeElectron(false);
  const shell = startShellUnderTest(folder, { electron });
  await shell.ready();
  await expect.poll(() => readPlatformFile(folder)?.key.place, LONG).toBe('keychain');
  expect(filesWith(folder, CANARY)).toEqual([]);
  for (const { pid } of shell.utilities) {
    expect(readFileSync(`/proc/${pid}/cmdline`, 'latin1')).not.toContain(CANARY);
    expect(readFileSync(`/proc/${pid}/environ`, 'latin1')).not.toContain(CANARY);
  }
  for (const [name, bytes] of collectDiagnostics(folder, Date.now())) {
    expect([name, Buffer.from(bytes).includes(CANARY)]).toEqual([name, false]);
  }
  await shell.end();
  expect(filesWith(folder, CANARY)).toEqual([]);
  expect([...shell.lines, ...shell.complaints].join('\n')).not.toContain(CANARY);
}, 180_000);
