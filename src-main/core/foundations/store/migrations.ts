/**
 * Forward-only migrations keyed on `user_version`.
 *
 * Invariants:
 * - Versions strictly increase and leave gaps.
 * - Each migration commits with its version number or not at all.
 * - Migrations never drop a table or a column.
 * - The version is written twice (`user_version` and, marked as ours, `application_id`), so that a damaged version
 *   does not look like a newer program's.
 */
import type BetterSqlite3 from 'better-sqlite3';

type Database = BetterSqlite3.Database;

/** One step of a schema, named after its effect. */
export type Migration = { readonly version: number; readonly name: string; readonly sql: string };

/** The schema version a file carries; 0 for a new file. */
export function schemaVersion(database: Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}

/** "TP" in the upper half of `application_id`; the lower half repeats the version. */
const OUR_MARK = 0x5450;

/** Our versions never exceed this. Most damaged version numbers do. */
const HIGHEST_VERSION = 0xffff;

/**
 * Whether the version can be trusted. A file without our mark is trusted, because older files have none. In a file with
 * the mark, `user_version` must not be lower than the repeated version, and not above `HIGHEST_VERSION`.
 */
export function versionIsSound(database: Database): boolean {
  if (!carriesOurMark(database)) return true;
  const mark = Number(database.pragma('application_id', { simple: true }));
  const version = schemaVersion(database);
  return version >= (mark & 0xffff) && version <= HIGHEST_VERSION;
}

/** Whether our program wrote the version (files older than the "TP" mark have none). */
export function carriesOurMark(database: Database): boolean {
  return Number(database.pragma('application_id', { simple: true })) >>> 16 === OUR_MARK;
}

/** Applies the missing migrations, each in its own transaction. */
export function migrate(database: Database, migrations: readonly Migration[]): void {
  let last = 0;
  for (const step of migrations) {
    if (step.version <= last) throw new Error(`Expected migration versions to increase, got ${step.version}`);
    last = step.version;
  }
  const current = schemaVersion(database);
  for (const step of migrations) {
    if (step.version <= current) continue;
    database.transaction(() => {
      database.exec(step.sql);
      database.pragma(`user_version = ${step.version}`);
      database.pragma(`application_id = ${OUR_MARK * 0x10000 + step.version}`);
    })();
  }
}
