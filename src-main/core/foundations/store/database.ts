/**
 * Opens SQLite files and verifies their settings.
 *
 * Invariants:
 * - `openDatabase` sets journal_mode and synchronous on every open and reads them back (otherwise better-sqlite3
 *   re-opens WAL files with synchronous=NORMAL).
 * - A file of a newer program is refused before anything is written.
 * - No other module of `src-main` opens files with better-sqlite3.
 */
import { existsSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { StartRefusal } from '../refusal.ts';
import { type Migration, migrate, schemaVersion, versionIsSound } from './migrations.ts';

/** A handle on one SQLite file. */
export type Database = BetterSqlite3.Database;

/** `full`: a returned commit survives a power cut, if the disk honours sync. `normal`: the last commits may be lost. */
type Durability = 'full' | 'normal';

const SYNCHRONOUS = { full: 2, normal: 1 } as const;

/**
 * Opens `path`, migrates it and verifies its settings.
 *
 * @throws StartRefusal when the file is newer than this program, damaged, not a database, or cannot be written safely.
 */
export function openDatabase(
  path: string,
  options: { readonly durability: Durability; readonly migrations: readonly Migration[] },
): Database {
  const database = open(path);
  try {
    refuseNewer(database, path, options.migrations);
    configure(database, options.durability);
    migrate(database, options.migrations);
    return database;
  } catch (error) {
    database.close();
    throw refusalOf(error, path);
  }
}

/**
 * Opens an existing file for reading beside a running app; null when there is none.
 *
 * @throws StartRefusal when it is not a database or cannot be opened
 */
export function openReadOnly(path: string): Database | null {
  if (!existsSync(path)) return null;
  const database = open(path, { readonly: true, fileMustExist: true });
  try {
    database.pragma('busy_timeout = 5000');
    // Opening reads nothing. The first read shows whether the file is a database.
    database.pragma('schema_version');
    return database;
  } catch (error) {
    database.close();
    throw isDamage(error) ? damaged(path) : error;
  }
}

/** Opens a copy as a single file without a WAL, so that the file is complete when it is moved or sent. */
export function openCopy(path: string): Database {
  const copy = new BetterSqlite3(path);
  copy.pragma('journal_mode = DELETE');
  return copy;
}

/**
 * Takes SQLite's exclusive lock on the file at `path`; null when another connection holds it. The returned function
 * releases it. The lock also ends with the process, or when the function is garbage-collected. It belongs to the
 * file, so processes in other containers also see it.
 */
export function holdExclusively(path: string): (() => void) | null {
  const holder = new BetterSqlite3(path, { timeout: 0 });
  try {
    holder.exec('BEGIN EXCLUSIVE');
    return () => void holder.close();
  } catch (error) {
    holder.close();
    if (error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY')) return null;
    throw error;
  }
}

/** A token that differs after every change of a database, by `database` itself or by another connection. */
export function createChangeMark(database: Database): () => string {
  const own = database.prepare<[], number>('SELECT total_changes()').pluck();
  const others = database.prepare<[], number>('PRAGMA data_version').pluck();
  return () => `${own.get()} ${others.get()}`;
}

/**
 * Whether an error means that the file itself is permanently damaged. A full disk, a busy or read-only file and a
 * failed read or write are temporary. They never quarantine a file.
 */
export function isDamage(error: unknown): boolean {
  return (
    (error instanceof StartRefusal && error.reason === 'damaged') ||
    (error instanceof BetterSqlite3.SqliteError &&
      (error.code === 'SQLITE_NOTADB' || error.code.startsWith('SQLITE_CORRUPT')))
  );
}

/** SQLite errors about storage that say nothing about the content of the file. */
const PASSING = /^SQLITE_(?:FULL|BUSY|LOCKED|READONLY|CANTOPEN|IOERR|NOMEM|INTERRUPT|PROTOCOL|PERM|AUTH)/;

/**
 * Whether SQLite cannot interpret the content of a file, for any kind of damage: a lost table, text that is not JSON, a
 * broken constraint. Use it only for a file that can be fetched again, because a bug in this program looks the same.
 */
export function isUnreadable(error: unknown): boolean {
  return isDamage(error) || (error instanceof BetterSqlite3.SqliteError && !PASSING.test(error.code));
}

/**
 * Classifies the SQLite error of a failed write for the tap's screen. Null when the error does not come from SQLite.
 */
export function storageFault(error: unknown): 'full' | 'readOnly' | 'failing' | null {
  if (!(error instanceof BetterSqlite3.SqliteError)) return null;
  if (error.code === 'SQLITE_FULL') return 'full';
  if (error.code.startsWith('SQLITE_READONLY') || error.code.startsWith('SQLITE_CANTOPEN')) return 'readOnly';
  if (error.code.startsWith('SQLITE_IOERR_WRITE') || error.code.startsWith('SQLITE_IOERR')) return 'failing';
  return 'failing';
}

function open(path: string, options: BetterSqlite3.Options = {}): Database {
  try {
    return new BetterSqlite3(path, options);
  } catch (error) {
    throw refusalOf(error, path);
  }
}

/** Runs `use` with an empty in-memory database and returns its result. */
export function inMemory<Result>(use: (database: Database) => Result): Result {
  const database = new BetterSqlite3(':memory:');
  try {
    return use(database);
  } finally {
    database.close();
  }
}

/** The schema after `migrations` up to `version`: the SQL of each object by name. */
function schemaAt(migrations: readonly Migration[], version: number): ReadonlyMap<string, string> {
  return inMemory((model) => {
    migrate(
      model,
      migrations.filter((step) => step.version <= version),
    );
    return schemaOf(model);
  });
}

/** The schema of a database: the SQL of each object by name. */
function schemaOf(database: Database): ReadonlyMap<string, string> {
  const objects = database
    .prepare<[], { type: string; name: string; tbl_name: string; sql: string | null }>(
      `SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite!_stat%' ESCAPE '!'`,
    )
    .all();
  return new Map(
    objects.map(({ type, name, tbl_name, sql }) => [name, `${type} on ${tbl_name}: ${sql ?? ''}`]),
  );
}

/** Whether a database has exactly the schema that `migrations` up to `version` create. The default is all of them. */
export function hasSchema(
  database: Database,
  migrations: readonly Migration[],
  version: number = migrations.at(-1)?.version ?? 0,
): boolean {
  const found = schemaOf(database);
  const expected = schemaAt(migrations, version);
  return found.size === expected.size && [...expected].every(([name, text]) => found.get(name) === text);
}

function refuseNewer(database: Database, path: string, migrations: readonly Migration[]): void {
  const known = migrations.at(-1)?.version ?? 0;
  const found = schemaVersion(database);
  if (!versionIsSound(database)) throw damaged(path);
  if (found > known) {
    throw new StartRefusal(
      'newer',
      `${path} was written by a newer Touchpoint (database version ${found}, this one knows ${known}). ` +
        'Start the newer version, or choose another folder with --data. Nothing was changed.',
    );
  }
}

function configure(database: Database, durability: Durability): void {
  database.pragma('busy_timeout = 5000');
  database.pragma('journal_mode = WAL');
  database.pragma(`synchronous = ${SYNCHRONOUS[durability]}`);
  // Only macOS needs `fullfsync`, because a plain fsync does not reach the disk there. Elsewhere it has no effect.
  if (durability === 'full') {
    database.pragma('fullfsync = ON');
    database.pragma('checkpoint_fullfsync = ON');
  }
  database.pragma('foreign_keys = ON');
  database.pragma('trusted_schema = OFF');
  database.pragma('cell_size_check = ON');
  database.pragma('secure_delete = ON');
  database.pragma(`journal_size_limit = ${16 * 1024 * 1024}`);
  // A database that can be fetched again gets less memory.
  if (durability === 'normal') database.pragma('cache_size = -8000');
  const mode = database.pragma('journal_mode', { simple: true });
  const synchronous = database.pragma('synchronous', { simple: true });
  if (mode !== 'wal' || synchronous !== SYNCHRONOUS[durability]) {
    throw new StartRefusal(
      'unsafe',
      `The disk is not safe enough for leads (journal ${String(mode)}, synchronous ${String(synchronous)}). ` +
        'Choose a folder on a local disk with --data.',
    );
  }
}

function damaged(path: string): StartRefusal {
  return new StartRefusal(
    'damaged',
    `${path} is damaged or not a database of Touchpoint. It was not changed; choose another folder with --data.`,
  );
}

function refusalOf(error: unknown, path: string): unknown {
  if (error instanceof StartRefusal || !(error instanceof Error)) return error;
  const code = error instanceof BetterSqlite3.SqliteError ? error.code : '';
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) {
    return damaged(path);
  }
  if (code === 'SQLITE_FULL') {
    return new StartRefusal('full', `The disk of ${path} is full. Free some space and start again.`);
  }
  if (
    code.startsWith('SQLITE_CANTOPEN') ||
    code.startsWith('SQLITE_READONLY') ||
    error instanceof TypeError
  ) {
    return new StartRefusal(
      'unwritable',
      `${path} cannot be written. Choose a folder you may write to with --data.`,
    );
  }
  return error;
}
