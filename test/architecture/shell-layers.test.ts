/**
 * The layers around the core: their order, and that each row can fail.
 */
import { expect, test } from 'vitest';
import { breaches } from './rules.ts';
import { shellLayers } from './shell-layers.ts';

test('a row names no row below it, so no two folders import each other', () => {
  const seen: string[] = [];
  for (const { path, mayImport } of shellLayers) {
    const below = shellLayers
      .map((row) => row.path)
      .filter((other) => other !== path && !seen.includes(other));
    const isBelow = (part: string) =>
      !seen.includes(part) && below.some((other) => `${part}/`.startsWith(`${other}/`));
    const wrong = mayImport.filter(isBelow);
    expect(wrong, path).toEqual([]);
    seen.push(path);
  }
});

/** For each row, a folder and a forbidden import. */
const seeds: readonly (readonly [string, string])[] = [
  ['machine', 'log/log.ts'],
  ['certificate', 'log/log.ts'],
  ['devices/card', 'devices/reader/messages.ts'],
  ['devices/reader', 'devices/supervisor/supervisor.ts'],
  ['devices/supervisor', 'devices/card/apdu.ts'],
  ['devices/serial', 'devices/reader/messages.ts'],
  ['devices/virtual', 'core/foundations/ports.ts'],
  ['drawing', 'log/log.ts'],
  ['reading', 'log/log.ts'],
  ['log', 'data-folder/data-folder.ts'],
  ['data-folder', 'launch/options.ts'],
  ['demo-platform', 'launch/bring-up.ts'],
  ['provision', 'core/foundations/ports.ts'],
  ['device-key', 'core/foundations/ports.ts'],
  ['device-setup', 'launch/options.ts'],
  ['rehearsal', 'launch/options.ts'],
  ['sharing', 'launch/options.ts'],
  ['commands/tap', 'core/journal/facts/journal.ts'],
  ['commands/health', 'data-folder/data-folder.ts'],
  ['commands/diagnostics', 'data-folder/data-folder.ts'],
  ['commands/command-line.ts', 'core/journal/facts/journal.ts'],
  ['commands/leads', 'launch/options.ts'],
  ['commands/screen', 'data-folder/data-folder.ts'],
  ['commands', 'launch/options.ts'],
  ['page', 'shell-browser/sessions.ts'],
  ['shell-browser', 'core/kiosk.ts'],
  ['phones', 'launch/options.ts'],
  ['launch', 'shell-electron/main.ts'],
  ['shell-electron/policies', 'core/foundations/ports.ts'],
  ['shell-electron/keychain', 'shell-electron/shell.ts'],
  ['shell-electron/updates', 'shell-electron/shell.ts'],
  ['shell-electron', 'core/kiosk.ts'],
];

test.each(seeds)('a file of %s may not import %s', (folder, target) => {
  const path = `src-main/${folder}/x.ts`;
  const up = '../'.repeat(folder.split('/').length);
  const text = `/** Seeded. */\nimport { x } from '${up}${target}';\nexport const y = x;`;
  expect(breaches(new Map([[path, text]]))).toEqual([`${path}: imports src-main/${target}`]);
});

test('every row has a planted breach', () => {
  const seeded = seeds.map(([folder]) => `src-main/${folder}`);
  expect(seeded.toSorted()).toEqual(shellLayers.map(({ path }) => path).toSorted());
});
