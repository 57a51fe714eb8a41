/**
 * One running Touchpoint per data folder.
 *
 * Invariants:
 * - the lock ends with its process, also after `kill -9`, and the next start gets it at once;
 * - two starts at the same moment never both get it.
 *
 * It consists of two parts: a socket name that the system releases when its owner ends (atomic, but visible only inside one
 * network namespace), and a file in the folder with the owner's process id and start time (visible everywhere).
 */
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { isRunning } from '../machine/running-process.ts';

/** A held lock. `release` may be called more than once. */
export type FolderLock = { readonly release: () => void };

/** Takes the lock of `folder` (absolute, without symbolic links); null when a running process holds it. */
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

/** The name of the folder's socket; null on systems where it would outlive its process (macOS). There the file decides. */
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
 * When a process started (boot id and clock ticks, proc(5) field 22), so that a reused process id is not taken for ours.
 * Null when there is no such process, or no /proc.
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
