/** Checks docs/laws.md#law-10 and the code rules on every file of the tree, and that each rule can fail. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { coreLayers } from './core-layers.ts';
import { breaches } from './rules.ts';

const root = join(import.meta.dirname, '..', '..');

/** Tracked and new source files in the work tree. */
function tree(): ReadonlyMap<string, string> {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z'];
  const paths = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0');
  return new Map(
    paths
      .filter((path) => /\.(ts|tsx|mjs)$/.test(path))
      .flatMap((path) => {
        const text = textOf(path);
        return text === null ? [] : [[path, text] as const];
      }),
  );
}

/** Null for a tracked file that has just been removed. */
function textOf(path: string): string | null {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return null;
  }
}

test('the tree keeps the layers and the code rules', () => {
  const files = tree();
  expect(files.size).toBeGreaterThan(100);
  expect(breaches(files)).toEqual([]);
});

const header = '/** Seeded. */\n';

test.each([
  [
    'src-renderer/x.ts',
    'imports src-main/core/journal/facts/journal.ts',
    "import { j } from '../src-main/core/journal/facts/journal.ts';",
  ],
  [
    'src-renderer/x.ts',
    'imports src-main/core/foundations/ports.ts',
    "import type { J } from '../src-main/core/foundations/ports.ts';",
  ],
  [
    'src-renderer/x.ts',
    'imports src-main/core/foundations/ports.ts',
    "type J = import('../src-main/core/foundations/ports.ts').Clock;",
  ],
  ['src-renderer/x.ts', 'imports the package @orpc/server', "import { RPCHandler } from '@orpc/server/ws';"],
  ['src-renderer/x.tsx', 'imports node:fs', "import { readFileSync } from 'node:fs';"],
  ['src-renderer/x.ts', 'imports the package @orpc/contract', "import { oc } from '@orpc/contract';"],
  ['src-main/launch/x.ts', 'imports the package electron', "import { app } from 'electron';"],
  ['src-main/core/stand/taps/x.ts', 'imports the package electron', "import electron from 'electron/main';"],
  [
    'src-main/core/journal/facts/x.ts',
    'imports the package better-sqlite3',
    "import Database from 'better-sqlite3';",
  ],
  ['src-platform/http/x.ts', 'imports the package better-sqlite3', "import Database from 'better-sqlite3';"],
  ['src-main/core/event/sync/x.ts', 'imports the package undici', "import { fetch } from 'undici';"],
  ['src-main/core/stand/taps/x.ts', 'imports the package nfc-pcsc', "import { NFC } from 'nfc-pcsc';"],
  ['src-main/core/stand/taps/x.ts', 'imports the package nfc-pcsc', "await import('nfc-pcsc');"],
  ['src-main/core/stand/taps/x.ts', 'imports the package nfc-pcsc', "const { NFC } = require('nfc-pcsc');"],
  ['src-main/core/stand/taps/x.ts', 'imports the package left-pad', "import 'left-pad';"],
  [
    'src-main/core/stand/taps/x.ts',
    'imports src-main/commands/tap.ts',
    "export { a } from '../../../commands/tap.ts'; export const b = 1;",
  ],
  [
    'src-main/core/stand/taps/x.ts',
    'imports something computed',
    'const name = process.argv[2]; await import(name);',
  ],
  [
    'src-main/core/stand/taps/x.ts',
    'imports node:child_process',
    "import { spawn } from 'node:child_process';",
  ],
  [
    'src-main/core/foundations/badge/x.ts',
    'imports src-main/core/journal/facts/journal.ts',
    "import { j } from '../../journal/facts/journal.ts';",
  ],
  [
    'src-main/contract/x.ts',
    'imports src-main/core/journal/facts/journal.ts',
    "import { j } from '../core/journal/facts/journal.ts';",
  ],
  ['src-main/shell-browser/x.ts', 'imports src-main/core/kiosk.ts', "import { k } from '../core/kiosk.ts';"],
  [
    'src-main/devices/supervisor/x.ts',
    'imports src-main/launch/options.ts',
    "import { o } from '../../launch/options.ts';",
  ],
  [
    'src-platform/x.ts',
    'imports src-main/contract/contract.ts',
    "import { c } from '../src-main/contract/contract.ts';",
  ],
  [
    'src-main/launch/x.ts',
    'imports src-platform/serve.ts',
    "import { s } from '../../src-platform/serve.ts';",
  ],
  ['src-main/other/x.ts', 'belongs to no layer', 'export const a = 1;'],
  ['src-main/core/stand/taps/x.ts', 'imports ./ports without its ending', "import { a } from './ports';"],
  ['src-main/core/stand/taps/x.ts', 'default export', 'export default 1;'],
  ['src-main/core/stand/taps/x.ts', 'default export', 'const a = 1; export { a as default };'],
  ['src-main/core/stand/taps/x.ts', 'barrel', "export { a } from './ports.ts';"],
  ['src-main/core/stand/taps/x.ts', 'barrel', "export const a = 1; export * from './ports.ts';"],
  [
    'src-main/core/stand/taps/x.ts',
    'module-level mutable state (count)',
    'let count = 0; export function next() { return (count += 1); }',
  ],
  [
    'src-main/core/stand/taps/x.ts',
    'module-level mutable state (seen)',
    'const seen = new Map<string, number>();',
  ],
  ['src-main/core/stand/taps/x.ts', 'module-level mutable state (list)', 'export const list: string[] = [];'],
  ['src-main/core/bigFile.ts', 'name is not kebab-case', 'export const a = 1;'],
])('in %s a breach is found: %s', (path, breach, text) => {
  expect(breaches(new Map([[path, `${header}${text}`]]))).toContain(`${path}: ${breach}`);
});

test.each(
  coreLayers.slice(0, -1).map(({ path }, floor) => [path, coreLayers[floor + 1]?.path ?? ''] as const),
)('the core layer %s may not import a higher layer: %s', (lower, upper) => {
  const fileIn = (layer: string, name: string) => (layer.endsWith('.ts') ? layer : `${layer}/${name}`);
  const from = fileIn(lower, 'x.ts');
  const to = fileIn(upper, 'y.ts');
  const text = `${header}import { y } from './${posix.relative(posix.dirname(from), to)}';`;
  expect(breaches(new Map([[from, text]]))).toEqual([`${from}: imports ${to}`]);
});

test('a cycle of files and a cycle of folders are found', () => {
  const found = breaches(
    new Map([
      ['src-renderer/a/x.ts', `${header}import { z } from './z.ts';`],
      ['src-renderer/a/z.ts', `${header}import { x } from './x.ts';`],
      ['src-main/page/x.ts', `${header}import { y } from '../launch/y.ts';`],
      ['src-main/launch/y.ts', `${header}import { w } from '../page/w.ts';`],
      ['src-main/page/w.ts', `${header}export const w = 1;`],
    ]),
  );
  expect(found).toContain('cycle: src-renderer/a/x.ts -> src-renderer/a/z.ts -> src-renderer/a/x.ts');
  expect(found).toContain('cycle: src-main/page -> src-main/launch -> src-main/page');
});

test('a file of the renderer that loads a package through the contract is found', () => {
  const page = (text: string) =>
    breaches(
      new Map([
        ['src-renderer/staff/sheet/x.ts', `${header}${text}`],
        ['src-main/contract/a.ts', `${header}export const A = 1;`],
        ['src-main/contract/b.ts', `${header}import { C } from './c.ts';\nexport const B = C;`],
        ['src-main/contract/c.ts', `${header}import { z } from 'zod';\nexport const C = z.string();`],
      ]),
    );
  expect(page("import { A } from '../../../src-main/contract/a.ts';")).toEqual([]);
  expect(page("import type { B } from '../../../src-main/contract/b.ts';")).toEqual([]);
  expect(page("import { B } from '../../../src-main/contract/b.ts';")).toEqual([
    'src-renderer/staff/sheet/x.ts: loads a package through src-main/contract/b.ts',
  ]);
});

test('an exported arrow function is found, unless its type names its family', () => {
  const of = (text: string) => breaches(new Map([['src-main/core/stand/taps/x.ts', header + text]]));
  expect(of('export const tap = () => 1;')).toEqual([
    'src-main/core/stand/taps/x.ts: tap is exported as a constant, not declared as a function',
  ]);
  expect(of('export const tap: Reader = () => 1;')).toEqual([]);
});

test('a file without a header comment is found', () => {
  expect(breaches(new Map([['src-main/core/stand/taps/x.ts', 'export const a = 1;']]))).toEqual([
    'src-main/core/stand/taps/x.ts: no header comment',
  ]);
});

test('a permitted import is not a breach', () => {
  const text = `${header}import { x } from '../../foundations/store/database.ts';\nimport type { Clock } from '../../foundations/ports.ts';\nexport function a(c: Clock) {\n  return [c, x];\n}`;
  expect(breaches(new Map([['src-main/core/stand/taps/x.ts', text]]))).toEqual([]);
});
