/**
 * The programs set-up runs (npm, apt) never outlive it unseen.
 *
 * Invariants: they form process groups of their own, so a Ctrl-C meant for set-up ends them in an orderly way and
 * not twice; those left by a set-up that was killed are ended before the next one touches anything.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runtimeFolder } from './paths.mjs';
import { lives, owner, read } from './process-id.mjs';

const folder = join(runtimeFolder, 'workers');

/** Remembers a program that was just started. */
export function noteWorker(pid) {
  if (pid === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, String(pid)), owner(pid));
}

/** Forgets one that ended. */
export function forgetWorker(pid) {
  rmSync(join(folder, String(pid)), { force: true });
}

/** Tells the noted programs of this set-up to end; for its own end by a signal. */
export function endWorkers() {
  for (const { pid } of noted()) signalGroup(pid, 'SIGTERM');
}

/** Ends what a killed set-up left and waits until it is gone, at most ten seconds before it is forced. */
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
