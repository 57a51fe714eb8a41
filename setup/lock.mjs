/**
 * A lock that permits one set-up at a time in this folder.
 *
 * Invariants:
 * - steps of one process share the lock, so they can run at the same time;
 * - a set-up that was killed does not block the next one;
 * - a set-up that waits for the lock prints the reason.
 */
import { linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runtimeFolder } from './paths.mjs';
import { lives, owner, read } from './process-id.mjs';
import { say } from './progress.mjs';
import { endLeftWorkers } from './worker.mjs';

const lockFile = join(runtimeFolder, 'setup.lock');

/** The number of steps of this process that use the lock. */
let users = 0;
/** Resolves when this process has the lock; null while no step wants it. */
let taken = null;

/** Waits for the lock, then runs `work`. Releases the lock after the last step that shares it, even if a step fails. */
export async function withSetupLock(work) {
  users += 1;
  taken ??= takeLock();
  try {
    await taken;
    return await work();
  } finally {
    users -= 1;
    if (users === 0) {
      taken = null;
      process.off('exit', free);
      free();
    }
  }
}

async function takeLock() {
  mkdirSync(runtimeFolder, { recursive: true });
  let said = false;
  while (!take()) {
    if (!said) say('set-up: waiting for another set-up in this folder');
    said = true;
    await wait(250);
  }
  process.once('exit', free);
  await endLeftWorkers();
}

/** Creates the lock atomically: writes a temporary file, then links it. So no process reads an incomplete lock. */
function take() {
  const own = `${lockFile}.${process.pid}`;
  writeFileSync(own, owner(process.pid));
  try {
    linkSync(own, lockFile);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    clearDead();
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Renames the lock of an owner that has ended. If another process took the lock in the meantime, renames it back. */
function clearDead() {
  const seen = read(lockFile);
  if (seen === null || lives(seen)) return;
  const aside = `${lockFile}.dead.${process.pid}`;
  try {
    renameSync(lockFile, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (read(aside) !== seen) linkSync(aside, lockFile);
  rmSync(aside, { force: true });
}

function free() {
  if (read(lockFile) === owner(process.pid)) rmSync(lockFile, { force: true });
}
