/**
 * Tracks the programs that set-up runs (npm, apt), so that none of them outlives it.
 *
 * Invariants:
 * - each program has its own process group. On Ctrl-C only set-up gets the signal, and it ends the program once;
 * - programs that a killed set-up left running are ended before the next set-up changes anything.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runtimeFolder } from './paths.mjs';
import { lives, owner, read } from './process-id.mjs';

const folder = join(runtimeFolder, 'workers');

/** Adds a program that was just started. */
export function noteWorker(pid) {
  if (pid === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, String(pid)), owner(pid));
}

/** Removes a program that ended. */
export function forgetWorker(pid) {
  rmSync(join(folder, String(pid)), { force: true });
}

/** Ends the tracked programs of this set-up, before it ends by a signal. */
export function endWorkers() {
  for (const { pid } of noted()) signalGroup(pid, 'SIGTERM');
}

/**
 * Ends the programs that a killed set-up left running, and waits until they have ended. Kills them after ten seconds.
 */
export async function endLeftWorkers() {
  const left = noted();
  for (const { pid } of left) signalGroup(pid, 'SIGTERM');
  const deadline = Date.now() + 10_000;
  for (const { pid, name } of left) {
    while (lives(name) && Date.now() < deadline) await wait(50);
    if (lives(name)) signalGroup(pid, 'SIGKILL');
    forgetWorker(pid);
  }
}

function noted() {
  return list().filter(({ name }) => lives(name));
}

function list() {
  try {
    return readdirSync(folder).map((file) => ({ pid: Number(file), name: read(join(folder, file)) ?? '' }));
  } catch {
    return [];
  }
}

function signalGroup(pid, signal) {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
