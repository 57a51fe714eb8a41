/**
 * How many of the random repetitions a run makes, and with which seed.
 *
 * Invariants:
 * - An ordinary run tries a tenth of each list of repetitions; `TOUCHPOINT_THOROUGH=true` (`.ci/nightly`) tries all
 *   of it.
 * - The seed derives from the commit. So different commits try different repetitions, and a commit always tries the
 *   same ones. `TOUCHPOINT_SEED` overrides it. The run prints it in its last lines.
 */
import { execFileSync } from 'node:child_process';

/** An ordinary run tries one of this many parts. */
const PARTS = 10;

/** Whether this run tries everything, as the nightly run does. */
export function isThorough(): boolean {
  return process.env.TOUCHPOINT_THOROUGH === 'true';
}

/** The seed of this run, 0 to 2^28 - 1. `test/global-setup.ts` fixes it for all workers. */
export function runSeed(): number {
  return Number(process.env.TOUCHPOINT_SEED ?? seedOfCommit());
}

/** The first seven digits of the commit's id; 1 in a tree without Git. */
function seedOfCommit(): number {
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number.parseInt(commit.slice(0, 7), 16);
  } catch {
    return 1;
  }
}

/**
 * Which of the repetitions 0 to `all - 1` this run tries: one block of `parts`, which the seed selects, or
 * all of them. A block is contiguous (it may wrap), so a rule such as "every fifth time" also applies
 * within it.
 */
export function repetitions(all: number, parts = PARTS): readonly number[] {
  const count = isThorough() ? all : Math.ceil(all / parts);
  const first = isThorough() ? 0 : (runSeed() % parts) * count;
  return Array.from({ length: count }, (_, index) => (first + index) % all);
}

/**
 * Which of the variants 0 to `all - 1` this run tries for the thing with this index: one of them (the next one for
 * the next index and for the next seed), or all of them.
 */
export function inTurn<T>(all: readonly T[], index: number): readonly T[] {
  if (isThorough()) return all;
  const first = (runSeed() + index) % all.length;
  return all.slice(first, first + 1);
}

/**
 * Whether this run tries the thing with this index: one in `of` things (others with the next seed), or all of them.
 */
export function isDue(index: number, of: number): boolean {
  return isThorough() || (runSeed() + index) % of === 0;
}

/** The number of simulated worlds in a run; `TOUCHPOINT_WORLDS` overrides `usual`. */
export function worlds(usual: number): number {
  return Number(process.env.TOUCHPOINT_WORLDS ?? usual);
}
