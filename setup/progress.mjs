/**
 * Prints progress messages of set-up, and runs its programs. Their output is shown only if they fail.
 *
 * Invariants:
 * - all messages go to stderr, because stdout belongs to the command;
 * - a failure shows the program's last output, never only its exit code.
 */
import { spawn } from 'node:child_process';
import { forgetWorker, noteWorker } from './worker.mjs';

/**
 * The error when a program that set-up needs fails. `message`: a sentence for the user, followed by the output of the
 * program.
 */
export class SetupFailure extends Error {}

/** Prints one line to stderr. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Runs `work` under a name. Prints progress every ten seconds, and how long it took. */
export async function step(name, work) {
  const started = Date.now();
  const seconds = () => `${((Date.now() - started) / 1000).toFixed(1)} s`;
  say(`set-up: ${name} ...`);
  const alive = setInterval(() => say(`set-up: ${name} ... still working, ${seconds()}`), 10_000);
  try {
    const result = await work();
    say(`set-up: ${name}: done in ${seconds()}`);
    return result;
  } catch (error) {
    say(`set-up: ${name}: failed after ${seconds()}`);
    throw error;
  } finally {
    clearInterval(alive);
  }
}

/**
 * Runs a program until it ends; returns its output.
 * @throws {SetupFailure} with the last 60 lines of its output when its exit code is not 0
 */
export function run(command, args, { cwd, env = process.env, timeoutMs = 15 * 60_000 } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      shell: process.platform === 'win32' && command === 'npm',
    });
    noteWorker(child.pid);
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-200_000);
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(new SetupFailure(`${command} could not be run (${error.code}).`));
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      forgetWorker(child.pid);
      if (code === 0) return resolve(output);
      const tail = output.trimEnd().split('\n').slice(-60).join('\n');
      const end = signal === null ? `ended with ${code}` : `was ended by ${signal}`;
      reject(new SetupFailure(`${command} ${args.slice(0, 2).join(' ')} ${end}:\n${tail}`));
    });
  });
}

/** Whether a program of that name is in PATH. */
export async function programExists(name) {
  const probe = process.platform === 'win32' ? ['where', [name]] : ['sh', ['-c', `command -v ${name}`]];
  return run(...probe).then(
    () => true,
    () => false,
  );
}
