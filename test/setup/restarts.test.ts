/** `npm start` restarts the app after a defect, but not endlessly. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

type RunWithRestarts = (parts: {
  readonly run: (again: boolean) => Promise<number>;
  readonly pause: (ms: number) => Promise<boolean>;
  readonly monotonic: () => number;
  readonly isEnding: () => boolean;
  readonly say: (line: string) => void;
}) => Promise<number>;

const module = new URL('../../setup/restarts.mjs', import.meta.url).href;
const { runWithRestarts } = (await import(module)) as { readonly runWithRestarts: RunWithRestarts };

const DEFECT = 70;

/** Runs programs that end with these codes after these milliseconds. The last one repeats. */
async function run(
  ends: readonly (readonly [code: number, lastsMs?: number])[],
  asked = Number.POSITIVE_INFINITY,
) {
  const pauses: number[] = [];
  const again: boolean[] = [];
  let now = 0;
  const code = await runWithRestarts({
    run: async (isAgain: boolean) => {
      const [end, lasts = 0] = ends[Math.min(again.length, ends.length - 1)] ?? [0];
      again.push(isAgain);
      now += lasts;
      return end;
    },
    pause: async (ms: number) => {
      pauses.push(ms / 1_000);
      now += ms;
      return again.length < asked;
    },
    monotonic: () => now,
    isEnding: () => again.length > asked,
    say: () => undefined,
  });
  return { code, pauses, runs: again.length, again };
}

test('an app that exited normally, was refused or never started is not restarted', async () => {
  // The last code is that of Ctrl-C on Windows.
  for (const code of [0, 1, 2, 130, 143, 0xc000013a])
    expect(await run([[code]])).toMatchObject({ code, runs: 1 });
});

test.each([
  ['an uncaught error', DEFECT],
  ['no memory for V8', 128 + constants.signals.SIGABRT],
  ['a page of a lost disk', 128 + constants.signals.SIGBUS],
  ['a crash of native code', 128 + constants.signals.SIGSEGV],
  ['the out-of-memory killer', 128 + constants.signals.SIGKILL],
  ['an access violation on Windows', 0xc0000005],
])('an app that ended by %s is restarted', async (_what, code) => {
  expect(await run([[code], [0]])).toMatchObject({ code: 0, runs: 2, pauses: [1], again: [false, true] });
});

test('a failed start after a defect is repeated, because the disk may return', async () => {
  expect(await run([[DEFECT], [1], [2], [0]])).toMatchObject({ code: 0, runs: 4, pauses: [1, 2, 4] });
});

test('an app that fails at once is restarted ten times, with growing delays', async () => {
  const ended = await run([[DEFECT]]);
  expect(ended).toMatchObject({ code: DEFECT, runs: 11 });
  expect(ended.pauses).toEqual([1, 2, 4, 8, 16, 30, 30, 30, 30, 30]);
});

test('a run of five minutes resets the count of restarts', async () => {
  const long = [DEFECT, 5 * 60_000] as const;
  const ended = await run([...Array.from({ length: 30 }, () => long), [0]]);
  expect(ended).toMatchObject({ code: 0, runs: 31 });
  expect(new Set(ended.pauses)).toEqual(new Set([1]));
});

test('an app that the user ends while it fails is not restarted', async () => {
  expect(await run([[DEFECT]], 1)).toMatchObject({ code: DEFECT, runs: 1 });
  expect(await run([[DEFECT]], 0)).toMatchObject({ code: DEFECT, runs: 1, pauses: [] });
});

test('run.mjs restarts the app with the same arguments, marked as a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'touchpoint-restart-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const setup = join(folder, 'setup');
  await cp(join(import.meta.dirname, '..', '..', 'setup'), setup, { recursive: true });
  await cp(join(import.meta.dirname, '..', '..', 'package.json'), join(folder, 'package.json'));
  // Here nothing is installed or built.
  const done = (name: string) => `export async function ${name}() {}\n`;
  await writeFile(join(setup, 'steps.mjs'), done('ensureSetup'));
  await writeFile(join(setup, 'renderer.mjs'), done('ensureRenderer'));
  const paths = await readFile(join(setup, 'paths.mjs'), 'utf8');
  const ours = paths.replace('if (!runtimeIsPublished) return', 'if (runtimeIsPublished || true) return');
  expect(ours).not.toBe(paths);
  await writeFile(join(setup, 'paths.mjs'), ours);
  await mkdir(join(folder, 'src-main', 'launch'), { recursive: true });
  const program = `
    import { appendFileSync, readFileSync } from 'node:fs';
    appendFileSync('starts', process.argv.slice(2).join(' ') + ' ' + (process.env.TOUCHPOINT_RESTARTED ?? 'first') + '\\n');
    process.exit(readFileSync('starts', 'utf8').split('\\n').length > 2 ? 0 : ${DEFECT});`;
  await writeFile(join(folder, 'src-main', 'launch', 'main.ts'), program);
  const child = spawn(process.execPath, ['setup/run.mjs', 'start', '--reader', 'none'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [code] = await once(child, 'close');
  expect(said).toContain('restart 1 of 10');
  expect(code).toBe(0);
  expect(await readFile(join(folder, 'starts'), 'utf8')).toBe('--reader none first\n--reader none 1\n');
});
