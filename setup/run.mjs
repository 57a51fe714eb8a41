/**
 * `node setup/run.mjs <command> [arguments]`: sets up what the command needs, then runs it on the pinned Node.js.
 *
 * Invariants: stdout and stdin belong to the command; its exit code is ours; signals reach it; it ends when we or
 * the npm that started us are gone, however that happened.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { commandNames, commandOf } from './commands.mjs';
import { ensurePackages } from './debian.mjs';
import { watchNpm } from './npm-watch.mjs';
import { nodePath, root, runtimeEnvironment, runtimeFolder } from './paths.mjs';
import { SetupFailure, say } from './progress.mjs';
import { ensureRenderer } from './renderer.mjs';
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
  await ensurePackages(command.packages);
  await ensureSetup({ reader: command.reader });
  if (command.screens) await ensureRenderer();
  for (const signal of signals) process.off(signal, endEarly);
  return runAll(command.runs);
}

/** In turn; a check that fails does not keep the others, nor the tests, from being run, but fails the whole. */
async function runAll(runs) {
  const failed = [];
  for (const { name: title, check, args } of runs) {
    if (title !== undefined) say(`${title} ...`);
    const code = await runToEnd(args, failed);
    if (code !== 0 && (!check || code > 128)) return code;
    if (code !== 0) failed.push(title);
  }
  if (failed.length > 0) say(`failed: ${failed.join(', ')}`);
  return failed.length === 0 ? 0 : 1;
}

/** Tests count the failed checks in their last line. The child hears of our end through a channel that closes with us (`end-with-parent.mjs`). */
function runToEnd(args, failedChecks) {
  const preload = pathToFileURL(join(root, 'setup', 'end-with-parent.mjs')).href;
  const child = spawn(nodePath(), ['--import', preload, ...args], {
    cwd: process.cwd(),
    env: {
      NODE_COMPILE_CACHE: join(runtimeFolder, 'compile-cache'),
      ...runtimeEnvironment(),
      TOUCHPOINT_FAILED_CHECKS: failedChecks.join(','),
    },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const forward = (signal) => child.kill(signal);
  for (const signal of signals) process.on(signal, forward);
  const npmIsThere = watchNpm();
  const watch = setInterval(() => npmIsThere() || child.kill('SIGTERM'), 500);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      clearInterval(watch);
      for (const name of signals) process.off(name, forward);
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
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
