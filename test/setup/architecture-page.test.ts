/** ARCHITECTURE.md and three other documents name only files and folders that exist. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { namedPaths } from './named-paths.ts';

const root = join(import.meta.dirname, '..', '..');
const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');

/**
 * Whether a path that is relative to its heading's folder exists anywhere deeper in that source tree.
 */
function isBelowItsHeading(path: string): boolean {
  const [, top = '', name = ''] = /^(src-[a-z]+)(?:\/core)?\/(.+)$/u.exec(path) ?? [];
  return top !== '' && tracked.some((file) => file.startsWith(`${top}/`) && file.includes(`/${name}`));
}

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/laws.md', 'docs/release.md'])(
  'every file and folder that %s names exists',
  (document) => {
    const named = namedPaths(readFileSync(join(root, document), 'utf8'));
    expect(named).not.toEqual([]);
    const missing = named.filter(
      ({ candidates }) => !candidates.some((path) => existsSync(join(root, path)) || isBelowItsHeading(path)),
    );
    expect(missing.map(({ name }) => name)).toEqual([]);
  },
);

describe('a text', () => {
  test.each([
    ['`src-main/core/kiosk.ts`', 'src-main/core/kiosk.ts'],
    ['| a | `docs/decisions/` and `GET /actions` |', 'docs/decisions/'],
    ['`test/architecture`, `journal.db`, `npm run x`', 'test/architecture'],
  ])('%s names only %s', (text, name) => {
    expect(namedPaths(text)).toEqual([{ name, candidates: [name] }]);
  });

  test('a path below a heading that names a folder may be relative to that folder', () => {
    expect(namedPaths('## The core (`src-main/core`)\n`taps/`\n## Next\n`taps/`')).toEqual([
      { name: 'src-main/core', candidates: ['src-main/core', 'src-main/core/src-main/core'] },
      { name: 'taps/', candidates: ['taps/', 'src-main/core/taps/'] },
      { name: 'taps/', candidates: ['taps/'] },
    ]);
  });

  test('diagrams and code are left out', () => {
    expect(namedPaths('```\n`a/b.ts`\n```')).toEqual([]);
  });
});
