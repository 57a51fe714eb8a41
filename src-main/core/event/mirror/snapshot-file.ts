/**
 * The file that gives a new device its first mirror from the hub: a mirror without the rows that the device itself adds.
 *
 *     hub: createSnapshotFile ─► put, put, ... end ─► close     device: readySnapshot (in a thread) ─► Mirror.adopt
 *
 * Invariants:
 * - It has the tables of a mirror in the hub's version (`MIRROR_VERSION`). A device migrates an earlier version. With a
 *   newer version it reads page by page instead.
 * - All slow steps (hash, unpacking, integrity check, flushing) happen before a device adopts the file.
 * - Records and badges are in the order of their keys.
 */
import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import { type Database, hasSchema, openCopy, openDatabase } from '../../foundations/store/database.ts';
import { migrate } from '../../foundations/store/migrations.ts';
import { storeCodeForms } from './learnt-forms.ts';
import { createProgressTable } from './progress.ts';
import { RESOURCE_NAMES, type ResourceName } from './resources.ts';
import type { MirrorRow } from './rows.ts';
import { MIRROR_MIGRATIONS } from './schema.ts';

/** Version of the rules for the content of the file: which records, and which of their codes are badges. */
export const SNAPSHOT_VERSION = 2;

/** Version of a mirror's tables. */
export const MIRROR_VERSION = MIRROR_MIGRATIONS.at(-1)?.version ?? 0;

export type SnapshotFile = {
  readonly put: (resource: ResourceName, rows: readonly MirrorRow[]) => void;
  /** Marks this list as complete up to `revision`. */
  readonly end: (resource: ResourceName, revision: bigint) => void;
  readonly close: () => void;
};

/** Creates the file for one event at `path`, where no file may exist. */
export function createSnapshotFile(path: string, expoId: string): SnapshotFile {
  const database = openCopy(path);
  // After a power cut the file is discarded.
  database.pragma('synchronous = OFF');
  database.pragma('cache_size = -64000');
  migrate(database, MIRROR_MIGRATIONS);
  writeOwner(database, expoId);
  const progress = createProgressTable(database);
  const record = database.prepare(
    'INSERT INTO record (resource, id, revision, deleted, body) VALUES (?, ?, ?, ?, CAST(? AS TEXT))',
  );
  const badge = database.prepare('INSERT OR IGNORE INTO badge (code, visitor) VALUES (?, ?)');
  const living = database
    .prepare<[string], number>('SELECT count(*) FROM record WHERE resource = ? AND deleted = 0')
    .pluck();
  const put = database.transaction((resource: ResourceName, rows: readonly MirrorRow[]): void => {
    for (const { record: of, json, codes } of rows) {
      record.run(resource, of.id, of.revision, of.deleted ? 1 : 0, json);
      for (const code of codes) badge.run(code, of.id);
    }
  });
  return {
    put,
    end: (resource, revision) =>
      progress.write(resource, { revision, complete: true, living: living.get(resource) ?? 0 }),
    close: () => database.close(),
  };
}

/**
 * Turns the file at `path` into the mirror of a device: checks that it is a sound mirror of this event, migrates and
 * flushes it, and learns the forms of its codes. Slow, so it runs in its own thread. `now`: the wall time that is
 * recorded as the last comparison of its lists.
 * @throws StartRefusal when it is not a database or of a newer version, Error with the reason in other cases
 */
export function readySnapshot(path: string, expoId: string, now: number): void {
  const database = openDatabase(path, { durability: 'normal', migrations: MIRROR_MIGRATIONS });
  try {
    if (!hasSchema(database, MIRROR_MIGRATIONS)) throw new Error('its tables are not those of a mirror');
    if (database.pragma('integrity_check(1)', { simple: true }) !== 'ok') throw new Error('it is damaged');
    if (ownerOf(database) !== expoId) throw new Error('it is the mirror of another event');
    database.prepare('UPDATE cursor SET swept_at = ?').run(now);
    storeCodeForms(database);
  } finally {
    database.close();
  }
  const file = openSync(path, 'r+');
  try {
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** More rows would delay a tap, so a device with more rows reads page by page instead. */
const MOST_CARRIED = 2_000;

type Row = readonly unknown[];

/** Rows that the device itself read and noted. They are copied into a snapshot. */
export type OwnRows = {
  readonly lists: readonly {
    readonly name: ResourceName;
    readonly complete: boolean;
    readonly rows: readonly Row[];
  }[];
  readonly cursors: readonly Row[];
  readonly details: readonly Row[];
  readonly notes: readonly Row[];
};

/** The device's own rows of a mirror. @throws Error when there are too many */
export function readOwnRows(database: Database): OwnRows {
  const progress = createProgressTable(database);
  let left = MOST_CARRIED;
  const read = (select: string): readonly Row[] => {
    const rows = database
      .prepare<[number], Row>(`${select} LIMIT ?`)
      .raw()
      .safeIntegers(true)
      .all(left + 1);
    left -= rows.length;
    if (left < 0) throw new Error('this device already holds too much of the event');
    return rows;
  };
  const names = RESOURCE_NAMES.filter((name) => !isUntouched(database)(name));
  return {
    lists: names.map((name) => ({
      name,
      complete: progress.of(name).complete,
      rows: read(`SELECT * FROM record WHERE resource = '${name}'`),
    })),
    cursors: read('SELECT * FROM cursor'),
    details: read('SELECT * FROM detail'),
    notes: read('SELECT * FROM meta'),
  };
}

/** Writes the device's own rows into an adopted snapshot. An incomplete list never replaces a complete one. */
export function writeOwnRows(database: Database, own: OwnRows): void {
  const progress = createProgressTable(database);
  const insert = (table: string, rows: readonly Row[]): void => {
    const [first] = rows;
    if (first === undefined) return;
    const put = database.prepare(`INSERT OR REPLACE INTO ${table} VALUES (${first.map(() => '?').join()})`);
    for (const row of rows) put.run(...row);
  };
  const write = database.transaction(() => {
    for (const { name, complete, rows } of own.lists) {
      if (!complete && progress.of(name).complete) continue;
      database.prepare('DELETE FROM record WHERE resource = ?').run(name);
      insert('record', rows);
      insert(
        'cursor',
        own.cursors.filter(([resource]) => resource === name),
      );
    }
    insert('detail', own.details);
    insert('meta', own.notes);
  });
  write.immediate();
}

/** Whether a list is empty in a mirror and reading it has not started. */
export function isUntouched(database: Database): (resource: ResourceName) => boolean {
  const progress = createProgressTable(database);
  const some = database.prepare<[string], unknown>('SELECT 1 FROM record WHERE resource = ? LIMIT 1');
  return (resource) => {
    const { complete, pass } = progress.of(resource);
    return !complete && pass === null && some.get(resource) === undefined;
  };
}

/** The event of a mirror; undefined in a new one. */
export function ownerOf(database: Database): string | undefined {
  return database.prepare<[], { value: string }>(`SELECT value FROM meta WHERE key = 'expo'`).get()?.value;
}

export function writeOwner(database: Database, expoId: string): void {
  database.prepare(`INSERT INTO meta (key, value) VALUES ('expo', ?)`).run(expoId);
}
