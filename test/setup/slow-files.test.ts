/** Compares the list of slow test files, which `npm run test:fast` leaves out, with the files themselves. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const lists = JSON.parse(readFileSync(join(root, 'test', 'slow-files.json'), 'utf8')) as Record<
  string,
  string[]
>;
const patterns = Object.values(lists).flat();
const filesOf = (pattern: string) =>
  globSync(pattern.replace(/\*\*$/, '**/*.test.ts'), { cwd: root }).map((file) => file.replaceAll('\\', '/'));

test.each(patterns)('%s names only existing test files', (pattern) => {
  const names = /\{(.+)\}/.exec(pattern)?.[1]?.split(',').length ?? 1;
  expect(filesOf(pattern).length).toBeGreaterThanOrEqual(names);
});

test('every file that starts a browser, a card service, the app or PostgreSQL is on the list', () => {
  const slow = new Set(patterns.flatMap(filesOf));
  const starts = /browser\.ts'|'@playwright\/test'|startApp\(|openVirtualReader\(|postgresPrograms\(/;
  const forgotten = globSync('test/**/*.test.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter(
      (file) =>
        file !== 'test/setup/slow-files.test.ts' && file !== 'test/setup/waiting.test.ts' && !slow.has(file),
    )
    .filter((file) => starts.test(readFileSync(join(root, file), 'utf8')));
  expect(forgotten).toEqual([]);
});
