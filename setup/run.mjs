/**
 * `node setup/run.mjs <command> [arguments]`: sets up what the command needs, then runs it on the pinned Node.js.
 *
 * Invariants:
 * - stdin and stdout belong to the command; this program passes on its exit code and forwards signals to it;
 * - a defect of the app restarts it (`restarts.mjs`);
 * - the command ends when this process, or the npm that started it, ends for any reason.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { commandNames, commandOf } from './commands.mjs';
import { ensurePackages } from './debian.mjs';
import { nodePath, root, runtimeEnvironment, runtimeFolder } from './paths.mjs';
import { watchNpm } from './process-id.mjs';
import { SetupFailure, say } from './progress.mjs';
import { ensureRenderer } from './renderer.mjs';
import { runWithRestarts } from './restarts.mjs';
import { ensureSetup } from './steps.mjs';
import { endWorkers } from './worker.mjs';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

async function main([name = '', ...args]) {
  const command = commandOf(name, args);
  if (command === null) {
    say(`There is no command "${name}"; the commands are ${commandNames.join(', ')}.`);
    return 2;
  }
  const endEarly = (signal) => {
    endWorkers();
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of signals) process.on(signal, endEarly);
  await Promise.all([ensurePackages(command.packages), ensureSetup()]);
  if (command.screens) await ensureRenderer();
  for (const signal of signals) process.off(signal, endEarly);
  if (command.restarts) return runAgainAfterDefects(command.runs);
  return command.beside.length > 0 ? runWithChecks(command) : runAll(command.runs);
}

/** Runs the app, and starts it again after a defect (`restarts.mjs`). A page that is open reconnects by itself. */
async function runAgainAfterDefects([{ args }]) {
  const ending = new AbortController();
  const end = () => ending.abort();
  for (const signal of signals) process.on(signal, end);
  const npmIsThere = watchNpm();
  const code = await runWithRestarts({
    run: (again) => start(args, again ? { variables: { TOUCHPOINT_RESTARTED: '1' } } : {}).ended,
    pause: async (ms) => {
      await sleep(ms, undefined, { signal: ending.signal }).catch(() => undefined);
      return !ending.signal.aborted && npmIsThere();
    },
    monotonic: () => performance.now(),
    isEnding: () => ending.signal.aborted || !npmIsThere(),
    say,
  });
  for (const signal of signals) process.off(signal, end);
  return code;
}

/** Runs the checks in sequence. After a failed check the others still run, and the result is a failure. */
async function runAll(runs) {
  const failed = [];
  for (const { name: title, check, args } of runs) {
    if (title !== undefined) say(`${title} ...`);
    const code = await start(args).ended;
    if (code !== 0 && (!check || code > 128)) return code;
    if (code !== 0) failed.push(title);
  }
  if (failed.length > 0) say(`failed: ${failed.join(', ')}`);
  return failed.length === 0 ? 0 : 1;
}

/**
 * Runs the tests, and at the same time the checks in sequence. The last lines of the tests contain the number of
 * failed checks.
 */
async function runWithChecks({ runs: [tests], beside }) {
  say(`tests, with ${beside.length} checks beside them ...`);
  const { child, ended } = start(tests.args, { variables: { TOUCHPOINT_CHECKS: 'beside' } });
  const abort = new AbortController();
  const checks = failedOf(beside, abort.signal).then((failedChecks) => {
    if (child.connected) child.send({ failedChecks });
    return failedChecks;
  });
  const code = await ended;
  abort.abort();
  const failed = await checks;
  return code !== 0 || failed.length === 0 ? code : 1;
}

/** Returns the names of failed checks. Prints the output of a failed check when it ends. */
async function failedOf(checks, signal) {
  const failed = [];
  for (const { name: title, args } of checks) {
    const { child, ended } = start(args, { output: 'pipe' });
    const stop = () => child.kill();
    signal.addEventListener('abort', stop);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    const code = await ended;
    signal.removeEventListener('abort', stop);
    if (signal.aborted) return failed;
    if (code !== 0) failed.push(title);
    say(code === 0 ? `check passed: ${title}` : `check failed: ${title}\n${output}`);
  }
  return failed;
}

/**
 * Starts a program with our input and output, or with its output in pipes. `ended` resolves to its exit code. The
 * child has a channel that closes when this process ends, so it can end as well (`end-with-parent.mjs`).
 */
function start(args, { variables = {}, output = 'inherit' } = {}) {
  const preload = pathToFileURL(join(root, 'setup', 'end-with-parent.mjs')).href;
  const child = spawn(nodePath(), ['--import', preload, ...args], {
    cwd: process.cwd(),
    env: {
      NODE_COMPILE_CACHE: join(runtimeFolder, 'compile-cache'),
      ...runtimeEnvironment(),
      ...variables,
    },
    stdio: [output === 'pipe' ? 'ignore' : 'inherit', output, output, 'ipc'],
  });
  const forward = (signal) => child.kill(signal);
  for (const signal of signals) process.on(signal, forward);
  const npmIsThere = watchNpm();
  const watch = setInterval(() => npmIsThere() || child.kill('SIGTERM'), 500);
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearInterval(watch);
      for (const name of signals) process.off(name, forward);
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
  return { child, ended };
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  say(
    error instanceof SetupFailure
      ? `${error.message}\nset-up did not finish; run the command again`
      : error.stack,
  );
  process.exitCode = 1;
}
