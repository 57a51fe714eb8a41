/**
 * The file by which a box hands its copy of the event to a fresh device: records and badges as a mirror keeps them, and
 * for each list the revision from which it is followed.
 *
 *     box: createSnapshotFile ─► put, put, ... end ─► close        device: createSnapshotImport ─► next, next, ... close
 *
 * Invariants: the tables are version 1 of a format and not the mirror's own: another shape is another version
 * (`SNAPSHOT_VERSION`), and a device that does not know it pages; a commit of the import brings records, their badges and
 * their number together, so that one that was cut off is a list like any that has begun: a pass over it makes it right.
 */
import { type Database, openCopy } from '../store/database.ts';
import { createProgressTable } from './progress.ts';
import { RESOURCE_NAMES, type ResourceName } from './resources.ts';
import type { MirrorRow } from './rows.ts';

/** Of the tables below, and of which codes of a record are its badges. */
export const SNAPSHOT_VERSION = 1;

const TABLES = `
  CREATE TABLE list (resource TEXT PRIMARY KEY, revision INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE record (
    resource TEXT NOT NULL,
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    deleted INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (resource, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE badge (
    visitor TEXT NOT NULL,
    code TEXT NOT NULL,
    PRIMARY KEY (visitor, code)
  ) STRICT, WITHOUT ROWID;
`;

/** Records that are brought over in one commit: a tap waits for no more. */
const AT_ONCE = 500;

export type SnapshotFile = {
  readonly put: (resource: ResourceName, rows: readonly MirrorRow[]) => void;
  /** Everything of this list up to `revision` was put. */
  readonly end: (resource: ResourceName, revision: bigint) => void;
  readonly close: () => void;
};

/** A new file at `path`, where none may be. */
export function createSnapshotFile(path: string): SnapshotFile {
  const database = openCopy(path);
  // What a power cut leaves of it is thrown away.
  database.pragma('synchronous = OFF');
  database.pragma('cache_size = -64000');
  database.exec(TABLES);
  const record = database.prepare(
    'INSERT INTO record (resource, id, revision, deleted, body) VALUES (?, ?, ?, ?, CAST(? AS TEXT))',
  );
  const badge = database.prepare('INSERT OR IGNORE INTO badge (visitor, code) VALUES (?, ?)');
  const list = database.prepare('INSERT INTO list (resource, revision) VALUES (?, ?)');
  const put = database.transaction((resource: ResourceName, rows: readonly MirrorRow[]): void => {
    for (const { record: of, json, codes } of rows) {
      record.run(resource, of.id, of.revision, of.deleted ? 1 : 0, json);
      for (const code of codes) badge.run(of.id, code);
    }
  });
  return {
    put,
    end: (resource, revision) => void list.run(resource, revision),
    close: () => database.close(),
  };
}

export type SnapshotImport = {
  /** Brings some records over, in one commit; false when all is here. */
  readonly next: () => boolean;
  readonly close: () => void;
};

type Portion = { readonly count: bigint; readonly last: string; readonly living: bigint };

/**
 * Brings the lists of the file at `path` of which `database` holds nothing yet into it. `now`: wall time of the copy.
 *
 * @throws what SQLite says where the file is none such
 */
export function createSnapshotImport(database: Database, path: string, now: number): SnapshotImport {
  database.prepare('ATTACH ? AS snapshot').run(path);
  try {
    return importAttached(database, now);
  } catch (error) {
    database.exec('DETACH snapshot');
    throw error;
  }
}

function importAttached(database: Database, now: number): SnapshotImport {
  const progress = createProgressTable(database);
  const isNew = isUntouched(database);
  const lists = database
    .prepare<[], { resource: string; revision: bigint }>('SELECT resource, revision FROM snapshot.list')
    .safeIntegers(true)
    .all();
  const left = RESOURCE_NAMES.filter(isNew).flatMap((name) => {
    const revision = lists.find(({ resource }) => resource === name)?.revision;
    return revision === undefined ? [] : [{ name, revision }];
  });
  const portion = database
    .prepare<[string, string, number], Portion>(
      `SELECT count(*) AS count, coalesce(max(id), '') AS last, coalesce(sum(deleted = 0), 0) AS living FROM
         (SELECT id, deleted FROM snapshot.record WHERE resource = ? AND id > ? ORDER BY id LIMIT ?)`,
    )
    .safeIntegers(true);
  const records = database.prepare(
    `INSERT INTO main.record (resource, id, revision, deleted, body)
     SELECT resource, id, revision, deleted, body FROM snapshot.record
     WHERE resource = ? AND id > ? AND id <= ? ORDER BY id`,
  );
  const badges = database.prepare(
    `INSERT OR IGNORE INTO main.badge (code, visitor)
     SELECT code, visitor FROM snapshot.badge WHERE visitor > ? AND visitor <= ?`,
  );
  let after = '';

  const bringSome = database.transaction((name: ResourceName, revision: bigint): boolean => {
    const { count, last, living } = portion.get(name, after, AT_ONCE) as Portion;
    if (count === 0n) {
      progress.write(name, { revision, complete: true, pass: null, sweptAt: now });
      return false;
    }
    records.run(name, after, last);
    if (name === 'visitors') badges.run(after, last);
    progress.write(name, { living: progress.of(name).living + Number(living) });
    after = last;
    return true;
  });

  return {
    next: () => {
      const [list] = left;
      if (list === undefined) return false;
      if (!bringSome.immediate(list.name, list.revision)) {
        left.shift();
        after = '';
      }
      return true;
    },
    close: () => void database.exec('DETACH snapshot'),
  };
}

/** Whether a mirror holds nothing of a list and has not begun to read it. */
export function isUntouched(database: Database): (resource: ResourceName) => boolean {
  const progress = createProgressTable(database);
  const some = database.prepare<[string], unknown>('SELECT 1 FROM main.record WHERE resource = ? LIMIT 1');
  return (resource) => {
    const { complete, pass } = progress.of(resource);
    return !complete && pass === null && some.get(resource) === undefined;
  };
}
