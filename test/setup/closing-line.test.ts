/** The reporter that ends every run, tested on small runs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(root, 'node_modules', '.closing-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs vitest on one file with that text and returns its exit code and output. */
async function vitestOn(source: string, env: Record<string, string> = {}, failedChecks?: readonly string[]) {
  await writeFile(join(folder, 'some.test.ts'), `import { test } from 'vitest';\n${source}`);
  await writeFile(join(folder, 'vite.config.ts'), 'export default { test: { include: ["*.test.ts"] } };\n');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporter = join(root, 'test', 'closing-line.ts');
  const args = [vitest, 'run', '--root', folder, '--reporter', 'default', '--reporter', reporter];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, CI: '', TOUCHPOINT_SEED: '7', ...env },
    stdio: ['ignore', 'pipe', 'inherit', failedChecks === undefined ? 'ignore' : 'ipc'],
  });
  if (failedChecks !== undefined) child.send({ failedChecks });
  const [output, [code]] = await Promise.all([text(child.stdout as Readable), once(child, 'close')]);
  return { code: code as number, lines: output.trimEnd().split('\n') };
}

test('the very last line gives the figures, after every skipped test with its reason', async () => {
  const { code, lines } = await vitestOn(`
    import { notRun } from ${JSON.stringify(join(root, 'test', 'not-run.ts'))};
    test('a passes', () => {});
    notRun('b waits for metal', 'no reader is attached', 'reader');
    test.skip('c is skipped', () => {});
  `);
  expect(lines.slice(-4)).toEqual([
    'seed: 7 (TOUCHPOINT_SEED=7 repeats it)',
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

test('a run without any test fails', async () => {
  const { code, lines } = await vitestOn(`test.skip('a', () => {});`);
  expect(lines.at(-1)).toBe('0 passed, 0 failed, 1 skipped');
  expect(code).toBe(1);
});

test('in CI a missing program is a failure, a missing reader is not', async () => {
  const source = `
    import { notRun } from ${JSON.stringify(join(root, 'test', 'not-run.ts'))};
    notRun('a needs pcscd', 'pcscd is not installed');
    notRun('b waits for metal', 'no reader is attached', 'reader');
  `;
  const { code, lines } = await vitestOn(source, { CI: 'true' });
  expect(lines.at(-1)).toBe('0 passed, 1 failed, 1 skipped');
  expect(code).toBe(1);
});

test('a check that fails in parallel with the tests counts as failed', async () => {
  const beside = { TOUCHPOINT_CHECKS: 'beside' };
  const { code, lines } = await vitestOn(`test('a passes', () => {});`, beside, ['types']);
  expect(lines.slice(-2)).toEqual(['failed check: types', '1 passed, 1 failed, 0 skipped']);
  expect(code).toBe(1);
});

test('a check that passes in parallel with the tests changes nothing', async () => {
  const beside = { TOUCHPOINT_CHECKS: 'beside' };
  const { code, lines } = await vitestOn(`test('a passes', () => {});`, beside, []);
  expect(lines.at(-1)).toBe('1 passed, 0 failed, 0 skipped');
  expect(code).toBe(0);
});

test('checks without a result count as failed', async () => {
  const { code, lines } = await vitestOn(`test('a passes', () => {});`, { TOUCHPOINT_CHECKS: 'beside' });
  expect(lines.slice(-2)).toEqual([
    'failed check: the checks did not finish',
    '1 passed, 1 failed, 0 skipped',
  ]);
  expect(code).toBe(1);
});

test('a run of many files lists the ten slowest', async () => {
  const files = Array.from({ length: 11 }, (_, index) => `more-${index}.test.ts`);
  for (const file of files)
    await writeFile(join(folder, file), `import { test } from 'vitest';\ntest('a', () => {});`);
  const { lines } = await vitestOn(`test('a passes', () => {});`);
  for (const file of files) await rm(join(folder, file));
  expect(lines.filter((line) => /^slow: \d+\.\d s .*\.test\.ts$/.test(line))).toHaveLength(10);
});
