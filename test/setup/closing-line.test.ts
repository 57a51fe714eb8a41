/**
 * The reporter that ends every run, on runs of its own.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(root, 'node_modules', '.closing-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs vitest on one file of that text and gives its exit code and output. */
async function vitestOn(text: string, env: Record<string, string> = {}) {
  await writeFile(join(folder, 'some.test.ts'), `import { test } from 'vitest';\n${text}`);
  await writeFile(join(folder, 'vite.config.ts'), 'export default { test: { include: ["*.test.ts"] } };\n');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporter = join(root, 'test', 'closing-line.ts');
  const args = [vitest, 'run', '--root', folder, '--reporter', 'default', '--reporter', reporter];
  return new Promise<{ code: number; lines: string[] }>((resolve) => {
    const child = execFile(
      process.execPath,
      args,
      { env: { ...process.env, CI: '', TOUCHPOINT_FAILED_CHECKS: '', ...env } },
      (_error, stdout) => {
        resolve({ code: child.exitCode ?? -1, lines: stdout.trimEnd().split('\n') });
      },
    );
  });
}

test('the very last line gives the figures, after every test that was not run with its reason', async () => {
  const { code, lines } = await vitestOn(`
    import { notRun } from ${JSON.stringify(join(root, 'test', 'not-run.ts'))};
    test('a passes', () => {});
    notRun('b waits for metal', 'no reader is attached', 'reader');
    test.skip('c is skipped', () => {});
  `);
  expect(lines.slice(-3)).toEqual([
    'not run: b waits for metal (no reader is attached)',
    'not run: c is skipped (no reason given)',
    '1 passed, 0 failed, 2 skipped',
  ]);
  expect(code).toBe(0);
});

test('a failure fails the run and is counted', async () => {
  const { code, lines } = await vitestOn(`
    test('a fails', () => { throw new Error('on purpose'); });
    test('b passes', () => {});
  `);
  expect(lines.at(-1)).toBe('1 passed, 1 failed, 0 skipped');
  expect(code).toBe(1);
});

test('a file that cannot be loaded counts as failed', async () => {
  const { code, lines } = await vitestOn(`import './nowhere.ts';\ntest('a', () => {});`);
  expect(lines.at(-1)).toBe('0 passed, 1 failed, 0 skipped');
  expect(code).toBe(1);
});

test('a run in which nothing ran fails', async () => {
  const { code, lines } = await vitestOn(`test.skip('a', () => {});`);
  expect(lines.at(-1)).toBe('0 passed, 0 failed, 1 skipped');
  expect(code).toBe(1);
});

test('in CI a missing program is a failure, a missing reader is not', async () => {
  const text = `
    import { notRun } from ${JSON.stringify(join(root, 'test', 'not-run.ts'))};
    notRun('a needs pcscd', 'pcscd is not installed');
    notRun('b waits for metal', 'no reader is attached', 'reader');
  `;
  const { code, lines } = await vitestOn(text, { CI: 'true' });
  expect(lines.at(-1)).toBe('0 passed, 1 failed, 1 skipped');
  expect(code).toBe(1);
});

test('a check that failed before the tests counts as failed', async () => {
  const { code, lines } = await vitestOn(`test('a passes', () => {});`, {
    TOUCHPOINT_FAILED_CHECKS: 'types',
  });
  expect(lines.slice(-2)).toEqual(['failed check: types', '1 passed, 1 failed, 0 skipped']);
  expect(code).toBe(1);
});
