/**
 * Snapshots of the database, to reset a platform to an older state as a restored backup does.
 *
 * Everything goes back, including the revision counter: a reader meets revisions it has seen before, with other
 * content. The snapshots are stored in the database itself, so this works the same on SQLite and PostgreSQL.
 *
 * Invariant: taking and restoring are one transaction each.
 */
import { sql, type Transaction } from 'kysely';
import type { Tables } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/** Tables of a snapshot; keys are not part of it, otherwise no client could continue. */
const tables = [
  'record',
  'badge',
  'badge_past',
  'fact',
  'webhook_mark',
  'webhook_delivery',
  'email',
] as const satisfies readonly (keyof Tables)[];

function copyOf(table: string, name: string): string {
  return `snapshot_${name}_${table}`;
}

async function hasCopy(db: Transaction<Tables>, store: Store, name: string): Promise<boolean> {
  const table = copyOf('counter', name);
  const { rows } =
    store.engine === 'sqlite'
      ? await sql`select 1 from sqlite_master where name = ${table}`.execute(db)
      : await sql`select 1 from pg_tables where tablename = ${table}`.execute(db);
  return rows.length > 0;
}

/** Stores the current state under a name (lower-case letters and digits); replaces an older one of that name. */
export function takeSnapshot(store: Store, name: string): Promise<void> {
  return store.write(async ({ db }) => {
    for (const table of [...tables, 'counter']) {
      const copy = sql.table(copyOf(table, name));
      await sql`drop table if exists ${copy}`.execute(db);
      await sql`create table ${copy} as select * from ${sql.table(table)}`.execute(db);
    }
  });
}

/** Restores a snapshot; false if there is none of this name. */
export function restoreSnapshot(store: Store, name: string): Promise<boolean> {
  return store.write(async ({ db }) => {
    if (!(await hasCopy(db, store, name))) return false;
    for (const table of tables) {
      await sql`delete from ${sql.table(table)}`.execute(db);
      await sql`insert into ${sql.table(table)} select * from ${sql.table(copyOf(table, name))}`.execute(db);
    }
    await sql`update counter set value = (select value from ${sql.table(copyOf('counter', name))})`.execute(
      db,
    );
    return true;
  });
}
