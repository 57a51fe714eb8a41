/**
 * The last lines of a test run: the slowest files, the seed, what did not run and why, then the figures that CI reads.
 *
 * Invariants:
 * - The very last line is exactly `N passed, N failed, N skipped`.
 * - A file that did not load, an error outside any test, and a failed check that ran in parallel with the tests count
 *   as failed.
 * - A run in which nothing ran fails.
 */
import { writeSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { runSeed } from './thoroughness.ts';

/** How many slow files are listed. A run with no more files than that lists none. */
const SLOWEST = 10;

/** Figures of a run, and its skipped tests in the order of the files. */
type Closing = {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failedChecks: readonly string[];
  readonly notRun: readonly { readonly title: string; readonly reason: string }[];
};

/** Adds up the results of a finished run. */
function closingOf(
  modules: readonly TestModule[],
  unhandledErrors: readonly SerializedError[],
  failedChecks: readonly string[],
): Closing {
  const notRun: { title: string; reason: string }[] = [];
  let passed = 0;
  let failed = unhandledErrors.length + failedChecks.length;
  for (const module of modules) {
    failed += module.errors().length;
    for (const test of module.children.allTests()) {
      const result = test.result();
      if (result.state === 'passed') passed += 1;
      else if (result.state === 'failed') failed += 1;
      else notRun.push({ title: test.fullName, reason: reasonOf(result) });
    }
  }
  return { passed, failed, skipped: notRun.length, failedChecks, notRun };
}

function reasonOf(result: { readonly state: string; readonly note?: string | undefined }): string {
  if (result.state === 'pending') return 'the run ended before it';
  return result.note ?? 'no reason given';
}

/** The slowest files with their seconds, slowest first. Empty for a short run. */
function slowest(modules: readonly TestModule[]): readonly string[] {
  if (modules.length <= SLOWEST) return [];
  const times = modules.map((module) => {
    const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
      module.diagnostic();
    const ms = environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration;
    return { file: relative(process.cwd(), module.moduleId), ms };
  });
  return times
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, SLOWEST)
    .map(({ file, ms }) => `slow: ${(ms / 1000).toFixed(1)} s ${file}`);
}

/** The text at the end of a run. */
function closingText(modules: readonly TestModule[], closing: Closing): string {
  const seed = runSeed();
  const lines = [
    ...slowest(modules),
    `seed: ${seed} (TOUCHPOINT_SEED=${seed} repeats it)`,
    ...closing.notRun.map(({ title, reason }) => `not run: ${title} (${reason})`),
    ...closing.failedChecks.map((name) => `failed check: ${name}`),
  ];
  const figures = `${closing.passed} passed, ${closing.failed} failed, ${closing.skipped} skipped`;
  return `\n${[...lines, figures].join('\n')}\n`;
}

/**
 * Waits for the checks that run in parallel with the tests. `setup/run.mjs` sends the names of those that failed. A
 * run that was started without checks has none.
 */
function awaitChecks(): Promise<readonly string[]> {
  const { TOUCHPOINT_CHECKS: checks } = process.env;
  // Runs that a test starts have no checks of their own.
  delete process.env.TOUCHPOINT_CHECKS;
  if (checks !== 'beside') return Promise.resolve([]);
  return new Promise((resolve) => {
    // The process that runs the checks has ended, and its results are lost.
    const giveUp = () => resolve(['the checks did not finish']);
    if (!process.connected) return giveUp();
    process.once('disconnect', giveUp);
    process.once('message', ({ failedChecks }: { failedChecks: readonly string[] }) => {
      resolve(failedChecks);
      // An open channel would keep this process alive.
      process.channel?.unref();
    });
  });
}

/** A vitest reporter; the text is written when the process exits, so that nothing follows it. */
// biome-ignore lint/style/noDefaultExport: vitest loads a reporter given by path from the default export.
export default class ClosingLine implements Reporter {
  /** Listens from the start, because the checks may end before the tests. */
  readonly #checks = awaitChecks();

  async onTestRunEnd(
    modules: readonly TestModule[],
    unhandledErrors: readonly SerializedError[],
  ): Promise<void> {
    const closing = closingOf(modules, unhandledErrors, await this.#checks);
    if (closing.passed + closing.failed === 0 || closing.failed > 0) process.exitCode = 1;
    process.once('exit', () => writeSync(1, closingText(modules, closing)));
  }
}
