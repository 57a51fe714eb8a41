/** Reports the files that this run leaves out (`in-turn.ts`), and tests that choice. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { changedSince, leftOut } from './in-turn.ts';
import { notRun } from './not-run.ts';

for (const file of leftOut()) notRun(file, 'the runs take it in turn with similar files', 'night');

beforeEach(() => void vi.stubEnv('TOUCHPOINT_THOROUGH', undefined));
afterEach(() => void vi.unstubAllEnvs());

/** The files that a run with this seed leaves out. */
const withSeed = (seed: number) => {
  vi.stubEnv('TOUCHPOINT_SEED', String(seed));
  return leftOut();
};

test('five seeds together run every file, and the nightly run leaves none out', () => {
  const runs = Array.from({ length: 5 }, (_none, seed) => withSeed(seed));
  const files = new Set(runs.flat());
  for (const file of files) {
    expect(existsSync(join(import.meta.dirname, '..', file)), file).toBe(true);
    expect(
      runs.some((left) => !left.includes(file)),
      file,
    ).toBe(true);
  }
  vi.stubEnv('TOUCHPOINT_THOROUGH', 'true');
  expect(withSeed(0)).toEqual([]);
});

test('a run takes every file whose path contains an argument of the command', () => {
  const left = [1, 3].flatMap(withSeed).filter((file) => file.startsWith('test/packaging/'));
  const argv = [...process.argv];
  process.argv = ['node', 'vitest.mjs', 'run', 'packaging'];
  try {
    expect([1, 3].flatMap(withSeed).filter((file) => left.includes(file))).toEqual([]);
  } finally {
    process.argv = argv;
  }
});

test('a file has changed if its code did, and not if only a comment or the title of a test did', () => {
  const folder = mkdtempSync(join(tmpdir(), 'in-turn-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', ...args], {
      cwd: folder,
    });
  const commit = (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    git('add', '.');
    git('commit', '--quiet', '--message', 'Change files');
  };
  const lines = [
    '// Comment of a test.',
    "it('returns', async () => {",
    '  expect(one()).toBe(1);',
    '});',
    "])('returns %s', (value) => {",
    "it('returns', () => expect(one()).toBe(1));",
    "it('returns', { timeout: 1000 }, () => {",
  ];
  const changes: Readonly<Record<string, string>> = {
    'assertion.ts': lines.with(2, '  expect(one()).toBe(2);').join('\n'),
    'assertion-beside-title.ts': lines.with(5, "it('returns', () => expect(one()).toBe(2));").join('\n'),
    'comment.ts': lines.with(0, '// Comment of a case.').join('\n'),
    'moved.ts': ['', ...lines].join('\n'),
    'option.ts': lines.with(6, "it('returns', { timeout: 2000 }, () => {").join('\n'),
    'skipped.ts': lines.with(1, "it.skip('returns', async () => {").join('\n'),
    'title.ts': lines.with(1, "it('returns one', async () => {").join('\n'),
    'title-of-a-table.ts': lines.with(4, "])('returns the %s', (value) => {").join('\n'),
  };
  git('init', '--quiet');
  commit(Object.fromEntries(Object.keys(changes).map((name) => [name, lines.join('\n')])));
  commit(changes);
  const changed = ['assertion-beside-title.ts', 'assertion.ts', 'option.ts', 'skipped.ts'];
  expect(changedSince('HEAD~1', folder)).toEqual(changed);
  expect(changedSince('HEAD~2', folder)).toBeNull();
});
