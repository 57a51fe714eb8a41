/**
 * Backups of an open database: `backup/journal-1.db` is the newest, `journal-2.db` the previous one.
 *
 * Invariants:
 * - A backup gets its name only after it was read completely and found sound. Each name holds a good backup or
 *   nothing.
 * - The backup is made a few pages at a time. Writes during that time are in it or in the next backup.
 * - When a backup is stopped, both names keep their previous files.
 * - If a new backup lacks facts of an earlier one (because the journal lost them), the earlier one stays as
 *   `journal-kept-<number>.db`.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, isDamage, openCopy, openReadOnly } from '../../foundations/store/database.ts';

/** Pages per step: about a millisecond. */
const STEP_PAGES = 48;

type BackupPorts = {
  readonly database: Database;
  /** The data folder. */
  readonly folder: string;
  /** Verifies the backup, one slice per `next()`. Returns the fault, or null. */
  readonly check: (copy: Database) => Generator<void, string | null>;
  /** Yields to other work. */
  readonly pause: () => Promise<void>;
  readonly signal: AbortSignal;
};

/** Result of a backup. `faulty`: the backup, and so perhaps the journal, is incomplete or damaged. */
type BackupEnd =
  | { readonly kind: 'made'; readonly path: string }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'faulty'; readonly why: string };

class Stopped extends Error {}

/** Makes one backup. @throws SqliteError when a write fails; earlier backups stay */
export async function makeBackup(ports: BackupPorts): Promise<BackupEnd> {
  const folder = join(ports.folder, 'backup');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const part = join(folder, 'journal.part');
  const discard = (): void => {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(part + suffix, { force: true });
  };
  discard();
  try {
    await ports.database.backup(part, {
      progress: () => {
        if (ports.signal.aborted) throw new Stopped();
        return STEP_PAGES;
      },
    });
    const why = await checkCopy(part, ports);
    if (ports.signal.aborted) return { kind: 'stopped' };
    if (why !== null) return { kind: 'faulty', why };
    return { kind: 'made', path: takeNames(folder, part) };
  } catch (error) {
    if (error instanceof Stopped || ports.signal.aborted) return { kind: 'stopped' };
    throw error;
  } finally {
    discard();
  }
}

async function checkCopy(path: string, ports: BackupPorts): Promise<string | null> {
  const copy = openCopy(path);
  try {
    const check = ports.check(copy);
    for (;;) {
      const step = check.next();
      if (step.done === true) return step.value;
      if (ports.signal.aborted) return null;
      await ports.pause();
    }
  } finally {
    copy.close();
  }
}

function takeNames(folder: string, part: string): string {
  const newest = join(folder, 'journal-1.db');
  const file = openSync(part, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  const older = join(folder, 'journal-2.db');
  for (const copy of [older, newest]) if (!holdsAllOf(part, copy)) renameSync(copy, freeName(folder));
  if (existsSync(newest)) renameSync(newest, older);
  renameSync(part, newest);
  return newest;
}

function freeName(folder: string): string {
  for (let count = 1; ; count += 1) {
    const path = join(folder, `journal-kept-${count}.db`);
    if (!existsSync(path)) return path;
  }
}

/** Paths of the backups, relative to the data folder, the newest last. */
export function copiesIn(dataFolder: string): readonly string[] {
  return ['journal-2.db', 'journal-1.db']
    .map((name) => join('backup', name))
    .filter((path) => existsSync(join(dataFolder, path)));
}

/** The newest backup: when it was made, in Unix milliseconds, and its number of facts. */
export type BackupState = { readonly newestAt: number | null; readonly facts: number };

/** Reads the state of the newest backup in a data folder. An unchanged backup is not opened again. */
export function createBackupReader(dataFolder: string): () => BackupState {
  const newest = join(dataFolder, 'backup', 'journal-1.db');
  let known: BackupState = { newestAt: null, facts: 0 };
  return () => {
    const newestAt = statSync(newest, { throwIfNoEntry: false })?.mtimeMs ?? null;
    if (newestAt !== known.newestAt)
      known = { newestAt, facts: newestAt === null ? 0 : factsIn(newest).length };
    return known;
  };
}

/** Whether one backup holds all facts of another. It does if its chain contains the last fact of the other. */
function holdsAllOf(path: string, other: string): boolean {
  const last = factsIn(other).at(-1);
  return last === undefined || factsIn(path).some(({ id }) => id === last.id);
}

/** Number and id of each fact in the journal or backup at `path`, in order. Empty if SQLite can read none of them. */
export function factsIn(path: string): readonly { readonly seq: number; readonly id: string }[] {
  let copy: Database | null = null;
  try {
    copy = openReadOnly(path);
    return (
      copy?.prepare<[], { seq: number; id: string }>('SELECT seq, id FROM fact ORDER BY seq').all() ?? []
    );
  } catch (error) {
    // The file is not ours, or it is damaged. A restore reads its pages anyway.
    if (isDamage(error) || (error instanceof Error && 'code' in error)) return [];
    throw error;
  } finally {
    copy?.close();
  }
}

/** Removes the older backup, because it holds data that must be erased. */
export function dropOlderBackup(folder: string): void {
  rmSync(join(folder, 'backup', 'journal-2.db'), { force: true });
}
