/**
 * The last words of a test run: what was not run and why, then one line of figures that CI reads.
 *
 * Invariants: the very last line is exactly `N passed, N failed, N skipped`; a file that could not be loaded, an error
 * outside any test and a check that failed before the tests count as failed; a run in which nothing ran fails.
 */
import { writeSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** Figures of a run and the tests that were not run, in the order of the files. */
type Closing = {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failedChecks: readonly string[];
  readonly notRun: readonly { readonly title: string; readonly reason: string }[];
};

/** Counts a finished run. */
function closingOf(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): Closing {
  const notRun: { title: string; reason: string }[] = [];
  const failedChecks = (process.env.TOUCHPOINT_FAILED_CHECKS ?? '').split(',').filter((name) => name !== '');
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

/** The text the run ends with. */
function closingText(closing: Closing): string {
  const lines = [
    ...closing.notRun.map(({ title, reason }) => `not run: ${title} (${reason})`),
    ...closing.failedChecks.map((name) => `failed check: ${name}`),
  ];
  const figures = `${closing.passed} passed, ${closing.failed} failed, ${closing.skipped} skipped`;
  return `\n${[...lines, figures].join('\n')}\n`;
}

/** A vitest reporter; the text is written when the process exits, so that nothing follows it. */
// biome-ignore lint/style/noDefaultExport: vitest loads a reporter given by path from the default export.
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const closing = closingOf(modules, unhandledErrors);
    if (closing.passed + closing.failed === 0 || closing.failed > 0) process.exitCode = 1;
    process.once('exit', () => writeSync(1, closingText(closing)));
  }
}
