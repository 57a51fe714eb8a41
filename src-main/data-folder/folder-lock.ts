/**
 * One running Touchpoint per data folder.
 *
 * Invariants:
 * - The lock ends with its process, even after `kill -9`, and the next start gets it at once.
 * - Two starts at the same moment never both get it.
 * - Apps in different containers that share the folder see each other (docs/decisions/one-app-per-data-folder.md).
 *
 * The lock consists of SQLite's lock on `running.lock`, and of the file `running` with the owner's process id and start
 * time. Earlier versions know only the file `running`, so a start checks both.
 */
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { holdExclusively } from '../core/foundations/store/database.ts';
import { isRunning } from '../machine/running-process.ts';

/** A held lock. `release` may be called more than once. */
export type FolderLock = { readonly release: () => void };

/** Takes the lock of `folder` (absolute, without symbolic links); null when a running process holds it. */
export function lockFolder(folder: string): FolderLock | null {
  const lockPath = join(folder, 'running.lock');
  const free = holdExclusively(lockPath);
  if (free === null) return null;
  const note = join(folder, 'running');
  if (ownerLives(note)) {
    free();
    return null;
  }
  chmodSync(lockPath, 0o600);
  writeFileSync(note, `${process.pid} ${startOf(process.pid) ?? '-'}\n`, { mode: 0o600 });
  // Keeps the handle from garbage collection, which would release the lock.
  process.on('exit', free);
  let held = true;
  return {
    release: () => {
      if (!held) return;
      held = false;
      process.off('exit', free);
      rmSync(note, { force: true });
      free();
    },
  };
}

function ownerLives(note: string): boolean {
  let pid: number;
  let start: string | undefined;
  try {
    const [pidText, startText] = readFileSync(note, 'utf8').trim().split(' ', 2);
    pid = Number(pidText);
    start = startText;
  } catch {
    return false;
  }
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  const now = startOf(pid);
  return now === null ? process.platform !== 'linux' && isRunning(pid) : now === start;
}

/**
 * When a process started (boot id and clock ticks, proc(5) field 22), so that another process with a reused id is not
 * mistaken for the owner. Null when there is no such process, or no /proc.
 */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}:${fields[19]}`;
  } catch {
    return null;
  }
}
