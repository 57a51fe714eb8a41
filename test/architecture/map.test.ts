/**
 * Checks the map in ARCHITECTURE.md ("Where do I change ...") against the tree: a row that misleads fails.
 *
 * `test/setup/architecture-page.test.ts` checks that every named file exists.
 *
 * Invariants:
 * - A symbol in a row is in a file that the row names.
 * - A test in a row reaches a file of that row by imports or by the paths of programs that it starts, or it is in a
 *   folder of tests that drive the app from outside.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** Folders whose tests start the app, a page, a hub or a package as a whole, and import none of its modules. */
const FROM_OUTSIDE =
  /^test\/(?:renderer|screens|page|end-to-end|hub|platform|packaging|launch|commands|setup|shell-browser|shell-electron|devices|rehearsal|simulation|exploration|architecture|earlier-versions|bench)\//u;

type Row = {
  readonly topic: string;
  readonly files: readonly string[];
  /** The names in a cell. A name in brackets belongs to the file before it. */
  readonly symbols: readonly { readonly name: string; readonly file: string | null }[];
  readonly tests: readonly string[];
};

const isPath = (text: string): boolean => /^[\w.-]+(?:\/[\w.-]+)*(?:\/|\.[a-z]+)$/u.test(text);
const isSymbol = (text: string): boolean => /^[A-Za-z_$][\w$]*$/u.test(text);

/**
 * The file to which a name refers: the path itself, or a file beside the previous one. Null for a file on a device,
 * such as `stand.json`.
 */
const placed = (path: string, before: string | null): string | null =>
  [path, posix.join(posix.dirname(before ?? ''), path)].find((each) => existsSync(join(root, each))) ?? null;

const readRow = (line: string): Row => {
  const [, topic = '', where = '', kept = ''] = line.split(/(?<!\\)\|/u).map((cell) => cell.trim());
  const files: string[] = [];
  const symbols: { name: string; file: string | null }[] = [];
  for (const { 1: text = '', index } of where.matchAll(/`([^`]+)`/gu)) {
    const file = files.at(-1) ?? null;
    if (isPath(text)) {
      const path = placed(text, file);
      if (path !== null) files.push(path);
    } else if (isSymbol(text)) {
      const inBrackets = /`[^`]+` \((?:`\w+`, )*$/u.test(where.slice(0, index));
      symbols.push({ name: text, file: inBrackets ? file : null });
    }
  }
  const tests = [...kept.matchAll(/`([^`]+)`/gu)].map(([, text = '']) => text);
  return { topic, files, symbols, tests: tests.filter(isPath) };
};

const rows = (): readonly Row[] => {
  const [, map = ''] = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').split(
    /^## Where do I change.*$/mu,
  );
  const [table = ''] = map.split(/^## /mu);
  return table
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes('`'))
    .map(readRow);
};

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Files to which `path` refers: its imports, and the programs that it starts. */
const namedIn = (path: string): readonly string[] =>
  [...textOf(path).matchAll(/['"`](\.{1,2}\/[^'"`\s]+|(?:src-|test\/)[^'"`\s]+)['"`]/gu)]
    .map(([, to = '']) => (to.startsWith('.') ? posix.join(posix.dirname(path), to) : to))
    .filter((to) => existsSync(join(root, to)) && statSync(join(root, to)).isFile());

const reachedFrom = (test: string): ReadonlySet<string> => {
  const reached = new Set([test]);
  for (const path of reached) {
    if (!/\.(?:ts|tsx|mjs)$/u.test(path)) continue;
    for (const to of namedIn(path)) reached.add(to);
  }
  return reached;
};

test('the map has its rows, and some of them have symbols', () => {
  expect(rows().length).toBeGreaterThan(80);
  expect(rows().filter(({ symbols }) => symbols.length > 0).length).toBeGreaterThan(10);
});

test('every symbol in a row is in a file that the row names', () => {
  const broken = rows().flatMap(({ topic, files, symbols }) =>
    symbols
      .filter(({ name, file }) => {
        const word = new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`, 'u');
        const from = file === null ? files : [file];
        return !from.some((path) => !path.endsWith('/') && word.test(textOf(path)));
      })
      .map(({ name, file }) => `${topic}: ${name} is not in ${file ?? 'its files'}`),
  );
  expect(broken).toEqual([]);
});

test('every test in a row reaches a file of the row', () => {
  const idle = rows().flatMap(({ topic, files, tests }) =>
    tests
      .filter((path) => !FROM_OUTSIDE.test(path))
      .filter((path) => {
        const reached = reachedFrom(path);
        return !files.some((file) =>
          file.endsWith('/') ? [...reached].some((to) => to.startsWith(file)) : reached.has(file),
        );
      })
      .map((path) => `${topic}: ${path}`),
  );
  expect(idle).toEqual([]);
});
