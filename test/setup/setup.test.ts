/** The set-up and the commands that it runs, on small trees that share the packages and runtime of this tree. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { processesNaming } from '../launch/running-app.ts';

const root = join(import.meta.dirname, '..', '..');
let tree: string;

beforeEach(async () => {
  tree = await mkdtemp(join(tmpdir(), 'touchpoint-tree-'));
  await cp(join(root, 'setup'), join(tree, 'setup'), { recursive: true });
  const manifests = [
    'src-platform/package.json',
    'packages/api-client/package.json',
    'packages/pcsclite/package.json',
  ];
  for (const file of ['package.json', 'package-lock.json', ...manifests])
    await cp(join(root, file), join(tree, file), { recursive: true });
  await mkdir(join(tree, '.runtime'));
  await symlink(join(root, 'node_modules'), join(tree, 'node_modules'));
  await symlink(join(root, '.runtime', 'node_modules'), join(tree, '.runtime', 'node_modules'));
});

afterEach(async () => {
  for (const pid of processesNaming(tree)) process.kill(pid, 'SIGKILL');
  // A killed process may still be writing its last file.
  await rm(tree, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

type Run = {
  readonly child: ChildProcess;
  readonly ended: Promise<number | string>;
  readonly said: () => string;
};

/** Runs Node.js in the tree. */
function node(args: readonly string[], env: Record<string, string> = {}): Run {
  const child = spawn(process.execPath, [...args], { cwd: tree, env: { ...process.env, ...env } });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  return { child, ended, said: () => said };
}

const command = (name: string, args: readonly string[] = [], env: Record<string, string> = {}) =>
  node(['setup/run.mjs', name, ...args], env);

/** Replaces `npm run facts` with a program. */
async function program(text: string): Promise<void> {
  await mkdir(join(tree, 'src-main', 'commands'), { recursive: true });
  await writeFile(join(tree, 'src-main', 'commands', 'facts.ts'), text);
}

describe('a command', () => {
  test('that does not exist ends with a list of the commands', async () => {
    const run = command('strat');
    expect(await run.ended).toBe(2);
    expect(run.said()).toMatch(/^There is no command "strat"; the commands are start, [^\n]+\n$/);
  });

  test('runs on the pinned runtime with its arguments, and its exit code is passed on', async () => {
    await program('console.log(process.version, process.argv.slice(2).join("|")); process.exitCode = 7;');
    const run = command('facts', ['--data', 'a b']);
    expect(await run.ended).toBe(7);
    expect(run.said()).toBe('v24.21.0 --data|a b\n');
  });

  test('runs without a set-up if runtime and packages are in place, even if PATH has no programs', async () => {
    await program('console.log("ran");');
    const run = command('facts', [], { PATH: '/nowhere' });
    expect(await run.ended).toBe(0);
    expect(run.said()).toBe('ran\n');
  });

  const waiting =
    'process.on("SIGTERM", () => { console.log("down"); process.exit(3); }); setInterval(() => {}, 1000); console.log("up");';

  test('receives the SIGTERM that its parent receives', async () => {
    await program(waiting);
    const run = command('facts');
    await expect.poll(run.said, { timeout: 40_000 }).toContain('up');
    run.child.kill('SIGTERM');
    expect(await run.ended).toBe(3);
    expect(run.said()).toContain('down');
  });

  test('shuts down normally when its parent is killed', async () => {
    await program(
      `import { writeFileSync } from "node:fs"; process.on("exit", () => writeFileSync("ended", "")); ${waiting}`,
    );
    const run = command('facts');
    await expect.poll(run.said, { timeout: 40_000 }).toContain('up');
    run.child.kill('SIGKILL');
    await run.ended;
    await expect.poll(() => existsSync(join(tree, 'ended')), { timeout: 40_000 }).toBe(true);
    await expect.poll(() => processesNaming(tree), { timeout: 40_000 }).toEqual([]);
  });

  test('ends when the npm that started it is killed', async () => {
    await program(waiting);
    const npm = spawn('npm', ['run', 'facts'], { cwd: tree, stdio: ['ignore', 'pipe', 'ignore'] });
    let said = '';
    npm.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await expect.poll(() => said, { timeout: 40_000 }).toContain('up');
    npm.kill('SIGKILL');
    await expect.poll(() => processesNaming(`${tree}/src-main`), { timeout: 40_000 }).toEqual([]);
  });

  test('exits when no work is left', async () => {
    await program('setTimeout(() => console.log("done"), 50);');
    expect(await command('facts').ended).toBe(0);
  });
});

describe('set-ups run one at a time', () => {
  const work = `
    import { appendFileSync } from 'node:fs';
    import { withSetupLock } from './setup/lock.mjs';
    await withSetupLock(async () => {
      appendFileSync('journal', 'in ');
      await new Promise((resolve) => setTimeout(resolve, Number(process.argv[2])));
      appendFileSync('journal', 'out ');
    });
  `;

  beforeEach(() => writeFile(join(tree, 'work.mjs'), work));
  const journal = () => readFile(join(tree, 'journal'), 'utf8').catch(() => '');

  test('five that start together all work', async () => {
    const runs = Array.from({ length: 5 }, () => node(['work.mjs', '50']));
    for (const { ended } of runs) expect(await ended).toBe(0);
    expect(await journal()).toBe('in out '.repeat(5));
  }, 60_000);

  test('the next one works after one that was killed', async () => {
    const first = node(['work.mjs', '60000']);
    await expect.poll(journal, { timeout: 40_000 }).toBe('in ');
    first.child.kill('SIGKILL');
    await first.ended;
    const second = node(['work.mjs', '1']);
    expect(await second.ended).toBe(0);
    expect(await journal()).toBe('in in out ');
  });

  test('the next one ends the programs of one that was killed', async () => {
    const text = `
      import { withSetupLock } from './setup/lock.mjs';
      import { run } from './setup/progress.mjs';
      await withSetupLock(() => run('sleep', ['1000.${process.pid}']));
    `;
    await writeFile(join(tree, 'left.mjs'), text);
    const first = node(['left.mjs']);
    const sleepers = () => processesNaming(`1000.${process.pid}`).length;
    const isNoted = () => readdir(join(tree, '.runtime', 'workers')).catch(() => []);
    await expect.poll(isNoted, { timeout: 40_000 }).toHaveLength(1);
    await expect.poll(sleepers).toBe(1);
    first.child.kill('SIGKILL');
    await first.ended;
    expect(sleepers()).toBe(1);
    expect(await node(['work.mjs', '1']).ended).toBe(0);
    expect(sleepers()).toBe(0);
  });
});

test('a failed set-up shows the output of npm, and the command runs once the packages are in place', async () => {
  await program('console.log("ran");');
  await rm(join(tree, 'node_modules'));
  await mkdir(join(tree, 'bin'));
  await writeFile(join(tree, 'bin', 'npm'), '#!/bin/sh\necho "the words of npm" >&2\nexit 9\n', {
    mode: 0o755,
  });
  const run = command('facts', [], { PATH: `${join(tree, 'bin')}:${process.env.PATH}` });
  expect(await run.ended).toBe(1);
  expect(run.said()).toContain('the words of npm');
  expect(run.said()).toContain('run the command again');
  await symlink(join(root, 'node_modules'), join(tree, 'node_modules'));
  expect(await command('facts').ended).toBe(0);
});
