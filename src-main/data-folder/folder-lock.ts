/**
 * One running Touchpoint per data folder.
 *
 * Invariants: the lock dies with its process, also on `kill -9`; taking over after a dead process needs no waiting and
 * no person; two starts at the same moment never both get it. Two things make it: a socket name the system frees
 * by itself when its owner ends (atomic, but only seen inside one network namespace), and a note in the folder that
 * names the owner by process id and start time (seen everywhere, and by people).
 */
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { isRunning } from '../machine/running-process.ts';

/** A held lock. `release` may be called more than once. */
export type FolderLock = { readonly release: () => void };

/** Takes the lock of `folder` (absolute, free of links), or says null where a running process holds it. */
export async function lockFolder(folder: string): Promise<FolderLock | null> {
  const socket = await holdSocketName(folder);
  if (socket === 'held') return null;
  const note = join(folder, 'running');
  if (ownerLives(note)) {
    socket?.close();
    return null;
  }
  writeFileSync(note, `${process.pid} ${startOf(process.pid) ?? '-'}\n`, { mode: 0o600 });
  let held = true;
  return {
    release: () => {
      if (!held) return;
      held = false;
      rmSync(note, { force: true });
      socket?.close();
    },
  };
}

/** The name of the folder's socket; null where the system has none that die with their process (macOS): there the note decides. */
export function socketName(folder: string, os: NodeJS.Platform): string | null {
  const id = createHash('sha256').update(folder).digest('hex').slice(0, 32);
  if (os === 'linux') return `\0touchpoint-${id}`;
  return os === 'win32' ? `\\\\.\\pipe\\touchpoint-${id}` : null;
}

async function holdSocketName(folder: string): Promise<Server | 'held' | null> {
  const name = socketName(folder, process.platform);
  if (name === null) return null;
  const server = createServer((connection) => connection.destroy());
  const outcome = await new Promise<'ours' | NodeJS.ErrnoException>((resolve) => {
    server.once('error', resolve);
    server.listen(name, () => resolve('ours'));
  });
  if (outcome === 'ours') return server.unref();
  if (outcome.code === 'EADDRINUSE') return 'held';
  return null;
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
 * When a process started (boot id and clock ticks, proc(5) field 22), so that a process id used again by another
 * program is not taken for ours. Null where there is no such process, or no /proc.
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
