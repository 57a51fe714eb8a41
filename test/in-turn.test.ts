/** Reports the files that this run leaves out (`in-turn.ts`), and tests that choice. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { leftOut } from './in-turn.ts';
import { notRun } from './not-run.ts';

for (const file of leftOut()) notRun(file, 'the runs take it in turn with similar files', 'night');

beforeEach(() => void vi.stubEnv('TOUCHPOINT_THOROUGH', undefined));
afterEach(() => void vi.unstubAllEnvs());

/** The files that a run with this seed leaves out. */
const withSeed = (seed: number) => {
  vi.stubEnv('TOUCHPOINT_SEED', String(seed));
  return leftOut();
};

test('twelve seeds together run every file, and the nightly run leaves none out', () => {
  const runs = Array.from({ length: 12 }, (_none, seed) => withSeed(seed));
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
