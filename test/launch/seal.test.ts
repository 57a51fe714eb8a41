/** Verification of an installed app's files, on a small app. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sealFolder } from '../../packaging/seal-folder.ts';
import { StartRefusal } from '../../src-main/core/foundations/refusal.ts';
import { packedResources, refuseAltered, SEAL_FILE } from '../../src-main/launch/seal.ts';
import { ownFolder } from '../core/fixture.ts';

function smallApp(): string {
  const folder = ownFolder();
  writeFileSync(join(folder, 'a.js'), 'one');
  writeFileSync(join(folder, 'b.node'), 'two');
  sealFolder(folder);
  return folder;
}

test('accepts an unchanged app, even with additional files', () => {
  const folder = smallApp();
  writeFileSync(join(folder, 'left-behind.tmp'), '');
  expect(() => refuseAltered(folder)).not.toThrow();
});

test.each([
  ['a changed file', (at: string) => writeFileSync(join(at, 'b.node'), 'twO'), 'its file b.node is not as'],
  ['an empty file', (at: string) => writeFileSync(join(at, 'a.js'), ''), 'its file a.js is not as'],
  ['a missing file', (at: string) => rmSync(join(at, 'a.js')), 'its file a.js is missing'],
  ['no seal', (at: string) => rmSync(join(at, SEAL_FILE)), 'seal.json) is missing'],
  [
    'half a seal',
    (at: string) => writeFileSync(join(at, SEAL_FILE), '{"files":{"a'),
    'seal.json) is missing',
  ],
  [
    'an empty seal',
    (at: string) => writeFileSync(join(at, SEAL_FILE), '{"files":{}}'),
    'seal.json) is missing',
  ],
])('refuses an app in one sentence that names %s', (_what, damage, words) => {
  const folder = smallApp();
  damage(folder);
  expect(() => refuseAltered(folder)).toThrow(StartRefusal);
  expect(() => refuseAltered(folder)).toThrow(words);
});

test.each([
  ['a source tree', '/home/tech/touchpoint/src-main/launch', null],
  ['a source tree under Electron', '/home/tech/touchpoint/out/core', null],
  ['the kiosk package', '/opt/touchpoint-kiosk/app/out/browser', null],
  ['a packed Electron app', '/opt/Touchpoint/resources/app.asar/out/core', '/opt/Touchpoint/resources'],
  [
    'a packed Electron app on Windows',
    'C:\\Program Files\\Touchpoint\\resources\\app.asar\\out\\core',
    'C:\\Program Files\\Touchpoint\\resources',
  ],
])('finds the packed files only for a packed Electron app: %s', (_what, here, wanted) => {
  expect(packedResources(here)).toBe(wanted);
});
