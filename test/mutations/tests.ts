/**
 * Runs test files in a copy of the tree and reads the results from vitest's report.
 *
 * Invariants:
 * - Only a test that ran and failed counts as a failure.
 * - A run that exceeds its time limit is ended.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Result of a run. `failed` names files and tests. `report` is null if vitest wrote none. */
export type TestRun = {
  readonly ended: 'itself' | 'late';
  readonly report: {
    readonly passed: number;
    readonly failed: readonly { readonly file: string; readonly test: string }[];
    /** Files in which no test ran, because they could not be loaded. */
    readonly unloaded: readonly string[];
  } | null;
  /** The output of vitest, for a run that has no report. */
  readonly printed: string;
};

/** The simulated worlds of such a run, always the same ones: enough to detect the planted faults. */
const WORLDS = { TOUCHPOINT_SEED: '1', TOUCHPOINT_WORLDS: '60' };

type Report = {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
};

/** Runs `files` in `folder` until the first failure when `bail` is set, for at most `mostMs` milliseconds. */
export async function runTests(
  folder: string,
  files: readonly string[],
  { bail, mostMs }: { readonly bail: boolean; readonly mostMs: number },
): Promise<TestRun> {
  const output = join(folder, 'report.json');
  rmSync(output, { force: true });
  const vitest = join(folder, 'node_modules', 'vitest', 'vitest.mjs');
  const reporter = ['--reporter=json', `--outputFile=${output}`];
  const child = spawn(
    process.execPath,
    [vitest, 'run', ...files, ...reporter, ...(bail ? ['--bail=1'] : [])],
    {
      cwd: folder,
      env: { ...process.env, ...WORLDS },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      printed = (printed + text).slice(-4_000);
    });
  }
  let ended: TestRun['ended'] = 'itself';
  const late = setTimeout(() => {
    ended = 'late';
    child.kill('SIGKILL');
  }, mostMs);
  await once(child, 'close');
  clearTimeout(late);
  return { ended, report: readReport(folder, output), printed };
}

function readReport(folder: string, path: string): TestRun['report'] {
  let report: Report;
  try {
    report = JSON.parse(readFileSync(path, 'utf8')) as Report;
  } catch {
    // The run was ended before it could write a report. The caller prints the output.
    return null;
  }
  const failed: { file: string; test: string }[] = [];
  const unloaded: string[] = [];
  let passed = 0;
  for (const { name, assertionResults } of report.testResults) {
    const file = relative(folder, name).replaceAll('\\', '/');
    if (assertionResults.length === 0) unloaded.push(file);
    for (const { status, fullName } of assertionResults) {
      if (status === 'passed') passed += 1;
      if (status === 'failed') failed.push({ file, test: fullName });
    }
  }
  return { passed, failed, unloaded };
}
