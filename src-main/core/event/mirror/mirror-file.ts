/**
 * Opens the file of the mirror, and replaces it when it cannot be used.
 *
 * Invariants:
 * - A mirror that is damaged, incomplete or of another event is deleted, because the platform holds all its content.
 * - A folder, a journal or a database of another program is renamed, never deleted. Any other file that SQLite cannot
 *   read counts as a damaged mirror.
 * - A mirror of a newer version, and a disk that is full, busy or read-only, cause a refusal. The file stays unchanged.
 */
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { type Database, hasSchema, openDatabase, openReadOnly } from '../../foundations/store/database.ts';
import { carriesOurMark } from '../../foundations/store/migrations.ts';
import { isMirrorDamage, MirrorDamage } from './mirror-damage.ts';
import { MIRROR_MIGRATIONS } from './schema.ts';
import { ownerOf, writeOwner } from './snapshot-file.ts';

/**
 * Opens or creates the mirror of one event at `path`. `onReplaced` receives the reason when a damaged mirror was
 * deleted, or when something else was renamed. It is not called for a mirror of another event or an interrupted import.
 * @throws StartRefusal when a newer version wrote the file, or the folder cannot be written
 */
export function openMirrorFile(path: string, expoId: string, onReplaced: (why: string) => void): Database {
  if (putAsideIfForeign(path)) onReplaced('something else was in its place and was renamed');
  let database: Database | null = null;
  try {
    database = open(path);
    const owner = ownerOf(database);
    if (owner === undefined) writeOwner(database, expoId);
    if (owner === undefined || (owner === expoId && !isHalfImported(database))) {
      rewriteIfMarked(database);
      return database;
    }
    database.close();
  } catch (error) {
    database?.close();
    if (!isMirrorDamage(error)) throw error;
    onReplaced(error instanceof Error ? error.message : 'unknown');
  }
  deleteMirror(path);
  const empty = open(path);
  writeOwner(empty, expoId);
  return empty;
}

/** Deletes the mirror at `path`, which must be closed. */
export function deleteMirror(path: string): void {
  for (const file of filesOf(path)) rmSync(file, { force: true });
}

/** Replaces the closed mirror at `path` with the closed one at `next`. */
export function renameMirror(next: string, path: string): void {
  // A write-ahead log beside the new file would belong to the previous one.
  for (const file of filesOf(path)) if (file !== path) rmSync(file, { force: true });
  renameSync(next, path);
}

function open(path: string): Database {
  const database = openDatabase(path, { durability: 'normal', migrations: MIRROR_MIGRATIONS });
  if (hasSchema(database, MIRROR_MIGRATIONS)) return database;
  database.close();
  throw new MirrorDamage('its tables are not those of a mirror');
}

/** Whether version 0.2.0 was interrupted while it imported a snapshot. */
function isHalfImported(database: Database): boolean {
  return database.prepare(`SELECT 1 FROM meta WHERE key = 'importing'`).get() !== undefined;
}

const REWRITE = 'rewrite';

/**
 * Marks the file so that it is rewritten when it is opened next. Even with `secure_delete`, cells that SQLite moved
 * leave old bytes.
 */
export function markForRewrite(database: Database): void {
  database.prepare(`INSERT OR REPLACE INTO meta (key, value) VALUES ('${REWRITE}', 'yes')`).run();
}

/** Rewrites a marked file. This takes about a second for 100,000 visitors, so it happens before the first tap. */
function rewriteIfMarked(database: Database): void {
  if (database.prepare(`SELECT 1 FROM meta WHERE key = '${REWRITE}'`).get() === undefined) return;
  try {
    database.exec('VACUUM');
    database.prepare(`DELETE FROM meta WHERE key = '${REWRITE}'`).run();
    database.pragma('wal_checkpoint(TRUNCATE)');
  } catch (error) {
    // Any other error, usually a full disk. The mark stays, so the next start tries again.
    if (isMirrorDamage(error)) throw error;
  }
}

function filesOf(path: string): readonly string[] {
  return ['', '-wal', '-shm'].map((suffix) => path + suffix);
}

/** Renames a folder, a journal or another program's database at `path`. Returns whether it renamed something. */
function putAsideIfForeign(path: string): boolean {
  const folders = filesOf(path).filter((file) => statSync(file, { throwIfNoEntry: false })?.isDirectory());
  const foreign = folders.includes(path) || !holdsForeign(path) ? folders : filesOf(path);
  if (foreign.length === 0) return false;
  let aside = `${path}.aside`;
  for (let count = 2; filesOf(aside).some((file) => existsSync(file)); count += 1)
    aside = `${path}.aside-${count}`;
  for (const file of foreign) if (existsSync(file)) renameSync(file, aside + file.slice(path.length));
  return true;
}

/** Whether the file at `path` is a journal or a database of another program. */
function holdsForeign(path: string): boolean {
  let database: Database | null = null;
  try {
    database = openReadOnly(path);
    if (database === null) return false;
    const tables = database
      .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
      .pluck()
      .all();
    if (tables.includes('fact')) return true;
    const isOurs =
      carriesOurMark(database) || ['meta', 'cursor', 'record'].every((name) => tables.includes(name));
    return tables.length > 0 && !isOurs;
  } catch {
    // An unreadable file fails again when it is opened as a mirror. That error decides what happens to it.
    return false;
  } finally {
    database?.close();
  }
}
