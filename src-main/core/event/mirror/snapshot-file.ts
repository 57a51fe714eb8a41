/**
 * The file with which a hub gives a fresh device its first mirror: records and badges as a mirror keeps them, and for each
 * list the revision from which it is followed.
 *
 *     hub: createSnapshotFile ─► put, put, ... end ─► close        device: createSnapshotImport ─► next, next, ... close
 *
 * Invariants:
 * - The tables are a format of their own, not the mirror's. A changed format gets another `SNAPSHOT_VERSION`, and a device
 *   that does not know the version pages instead.
 * - Records and badges come in the order of their keys, which makes most of the speed.
 * - The mirror is marked while an import runs. An import that was cut off is discarded at the next open (`openMirror`).
 */
import { type Database, openCopy } from '../../foundations/store/database.ts';
import { createProgressTable } from './progress.ts';
import { RESOURCE_NAMES, type ResourceName } from './resources.ts';
import type { MirrorRow } from './rows.ts';

/** Version of these tables, and of the rule for a record's badges. */
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
    code TEXT NOT NULL,
    visitor TEXT NOT NULL,
    PRIMARY KEY (code, visitor)
  ) STRICT, WITHOUT ROWID;
`;

/** Records imported per commit: the longest wait of a tap. */
const AT_ONCE = 1_000;

export type SnapshotFile = {
  readonly put: (resource: ResourceName, rows: readonly MirrorRow[]) => void;
  /** Marks that every record of this list up to `revision` was added. */
  readonly end: (resource: ResourceName, revision: bigint) => void;
  readonly close: () => void;
};

/** A new file at `path`, where no file may exist. */
export function createSnapshotFile(path: string): SnapshotFile {
  const database = openCopy(path);
  // After a power cut the file is discarded.
  database.pragma('synchronous = OFF');
  database.pragma('cache_size = -64000');
  database.exec(TABLES);
  const record = database.prepare(
    'INSERT INTO record (resource, id, revision, deleted, body) VALUES (?, ?, ?, ?, CAST(? AS TEXT))',
  );
  const badge = database.prepare('INSERT OR IGNORE INTO badge (code, visitor) VALUES (?, ?)');
  const list = database.prepare('INSERT INTO list (resource, revision) VALUES (?, ?)');
  const put = database.transaction((resource: ResourceName, rows: readonly MirrorRow[]): void => {
    for (const { record: of, json, codes } of rows) {
      record.run(resource, of.id, of.revision, of.deleted ? 1 : 0, json);
      for (const code of codes) badge.run(code, of.id);
    }
  });
  return {
    put,
    end: (resource, revision) => void list.run(resource, revision),
    close: () => database.close(),
  };
}

export type SnapshotImport = {
  /** Imports the next records in one commit; false when all are imported. */
  readonly next: () => boolean;
  /** Removes what was imported so far. */
  readonly undo: () => void;
  readonly close: () => void;
};

/** The mirror's mark while an import runs. */
export const IMPORTING = 'importing';

/**
 * Imports the lists of the file at `path` that are untouched in `database`. `now`: wall time of the import.
 * @throws SqliteError when the file is no snapshot
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
  const lists = newLists(database);
  const records = recordsOf(database);
  const badges = badgesOf(database);
  const note = database.prepare(`INSERT OR REPLACE INTO meta (key, value) VALUES ('${IMPORTING}', 'yes')`);
  const unnote = database.prepare(`DELETE FROM meta WHERE key = '${IMPORTING}'`);

  const bringRecords = (name: ResourceName, revision: bigint): boolean => {
    const living = records(name);
    if (living === null) {
      progress.write(name, { revision, complete: true, pass: null, sweptAt: now });
      return false;
    }
    progress.write(name, { living: progress.of(name).living + living });
    return true;
  };
  const steps: (() => boolean)[] = [
    ...(lists.some(({ name }) => name === 'visitors') ? [badges] : []),
    ...lists.map(
      ({ name, revision }) =>
        () =>
          bringRecords(name, revision),
    ),
  ];
  const next = database.transaction((): boolean => {
    const [step] = steps;
    if (step === undefined) {
      unnote.run();
      return false;
    }
    note.run();
    if (!step()) steps.shift();
    return true;
  });
  const undo = database.transaction((): void => {
    database.exec('DELETE FROM main.badge');
    for (const { name } of lists) {
      database.prepare('DELETE FROM main.record WHERE resource = ?').run(name);
      progress.write(name, { revision: 0n, complete: false, sweptAt: null, living: 0 });
    }
    unnote.run();
  });

  return {
    next: () => next.immediate(),
    undo: () => undo.immediate(),
    close: () => void database.exec('DETACH snapshot'),
  };
}

/** The file's lists that are untouched in this mirror, and the revision from which each is followed. */
function newLists(database: Database): readonly { readonly name: ResourceName; readonly revision: bigint }[] {
  const lists = database
    .prepare<[], { resource: string; revision: bigint }>('SELECT resource, revision FROM snapshot.list')
    .safeIntegers(true)
    .all();
  return RESOURCE_NAMES.filter(isUntouched(database)).flatMap((name) => {
    const revision = lists.find(({ resource }) => resource === name)?.revision;
    return revision === undefined ? [] : [{ name, revision }];
  });
}

/** Imports the next records of a list; returns how many are not deleted, or null when none are left. */
function recordsOf(database: Database): (name: ResourceName) => number | null {
  const portion = database.prepare<[string, string, number], { count: number; last: string; living: number }>(
    `SELECT count(*) AS count, coalesce(max(id), '') AS last, coalesce(sum(deleted = 0), 0) AS living FROM
       (SELECT id, deleted FROM snapshot.record WHERE resource = ? AND id > ? ORDER BY id LIMIT ?)`,
  );
  const insert = database.prepare(
    `INSERT INTO main.record (resource, id, revision, deleted, body)
     SELECT resource, id, revision, deleted, body FROM snapshot.record
     WHERE resource = ? AND id > ? AND id <= ? ORDER BY id`,
  );
  let after = { name: '', id: '' };
  return (name) => {
    const from = after.name === name ? after.id : '';
    const { count, last, living } = portion.get(name, from, AT_ONCE) ?? { count: 0, last: '', living: 0 };
    if (count === 0) return null;
    insert.run(name, from, last);
    after = { name, id: last };
    return living;
  };
}

/** Imports the next badges; false when none are left. */
function badgesOf(database: Database): () => boolean {
  // The badge of two people may be at the edge of two portions, so codes are counted, not badges.
  const portion = database
    .prepare<[string, number], string | null>(
      `SELECT max(code) FROM (SELECT code FROM snapshot.badge WHERE code > ? ORDER BY code LIMIT ?)`,
    )
    .pluck(true);
  const insert = database.prepare(
    `INSERT OR IGNORE INTO main.badge (code, visitor)
     SELECT code, visitor FROM snapshot.badge WHERE code > ? AND code <= ? ORDER BY code, visitor`,
  );
  let after = '';
  return () => {
    const last = portion.get(after, 5 * AT_ONCE) ?? null;
    if (last === null) return false;
    insert.run(after, last);
    after = last;
    return true;
  };
}

/** Whether a list is empty in a mirror and reading it has not started. */
export function isUntouched(database: Database): (resource: ResourceName) => boolean {
  const progress = createProgressTable(database);
  const some = database.prepare<[string], unknown>('SELECT 1 FROM main.record WHERE resource = ? LIMIT 1');
  return (resource) => {
    const { complete, pass } = progress.of(resource);
    return !complete && pass === null && some.get(resource) === undefined;
  };
}
