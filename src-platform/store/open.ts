/**
 * Opens the SQLite database of a data folder, the default. For PostgreSQL see `postgres.ts`.
 *
 * Invariants
 * - 64-bit integers are read as `bigint`, never rounded.
 * - SQLite gives the files beside a database the permissions of the database.
 * - SQLite runs in WAL with `synchronous=FULL`: an acknowledged write is on disk. The reading handle cannot write.
 */
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, type SqliteDatabase, SqliteDialect } from 'kysely';
import { migrate } from './migrations.ts';
import type { Tables } from './schema.ts';
import { createStore, type Store } from './store.ts';

/** How long a write waits for another process (`keys add`) with the write lock, in milliseconds. */
const lockWait = 5000;

/**
 * Pages in the write-ahead log before SQLite copies them into the database file, about 33 MB. A batch of interactions
 * changes several hundred pages, many of them again and again, so the default of 1,000 would copy with almost every
 * batch.
 */
const logPages = 8_000;

/** Limit of the characters of all cached statements of a handle together: about 20 inserts of 200 rows. */
const keptText = 200_000;

/** The handle for Kysely, with cached prepared statements: most requests run the same few queries. */
function withKeptStatements(database: Database.Database): SqliteDatabase {
  const kept = new Map<string, Database.Statement>();
  let length = 0;
  return {
    close: () => database.close(),
    prepare: (text) => {
      const known = kept.get(text);
      const statement = known ?? database.prepare(text);
      // The least recently used statement is evicted first, so that lists of many lengths do not evict the common
      // queries.
      if (!kept.delete(text)) length += text.length;
      kept.set(text, statement);
      for (const oldest of kept.keys()) {
        if (length <= keptText) break;
        kept.delete(oldest);
        length -= oldest.length;
      }
      return statement;
    },
  };
}

/** The database file and its companions: readable by the service only, because they hold personal data. */
function keepPrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  for (const path of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) {
    if (existsSync(path)) chmodSync(path, 0o600);
  }
}

function sqliteHandle(file: string, readonly: boolean): Kysely<Tables> {
  const database = new Database(file, { readonly, timeout: lockWait });
  database.defaultSafeIntegers(true);
  if (!readonly) {
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma(`wal_autocheckpoint = ${logPages}`);
    // SQLite overwrites deleted content in the file.
    database.pragma('secure_delete = ON');
  }
  database.pragma('cache_size = -32768');
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: withKeptStatements(database) }) });
}

/** The database of a data folder. */
export function sqliteFile(folder: string): string {
  return join(folder, 'platform.db');
}

/** Opens `platform.db` in an existing folder and migrates it. */
export async function openSqlite(folder: string): Promise<Store> {
  const file = sqliteFile(folder);
  keepPrivate(file);
  const writer = sqliteHandle(file, false);
  try {
    await migrate(writer, 'sqlite');
    return createStore({ engine: 'sqlite', writer, reader: sqliteHandle(file, true) });
  } catch (error) {
    await writer.destroy();
    throw error;
  }
}
