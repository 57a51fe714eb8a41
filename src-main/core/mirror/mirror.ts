/**
 * The local copy of the event. It can be thrown away and fetched again.
 *
 * Invariants: a page and its cursor commit in one transaction (law 4); while following, a record is replaced only by
 * one of the same or a higher revision, and a lower one raises `wentBack` (the platform was set back); in a pass the
 * platform's word of now is the truth, whatever its revision; a deleted record keeps its row (so that an older copy
 * cannot come back) but no badge and no data.
 */
import { rmSync } from 'node:fs';
import { parseJson, stringifyJson } from '../api/json.ts';
import type { WireRecord } from '../api/page.ts';
import { StartRefusal } from '../refusal.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { badgeCodes } from './badge-codes.ts';
import { createProgressBook, type Pass, type Progress } from './progress.ts';
import type { ResourceName } from './resources.ts';
import { MIRROR_MIGRATIONS } from './schema.ts';
import { createStandRecords, type StandRecords } from './stand-records.ts';

/** A mirrored record. */
export type MirrorRecord = {
  readonly id: string;
  readonly revision: bigint;
  readonly body: Readonly<Record<string, unknown>>;
  /** The body as JSON text. */
  readonly text: string;
};

/** Answer to "whose badge is this?". `ambiguous`: its codes name several living visitors. */
export type BadgeOwner =
  | { readonly kind: 'visitor'; readonly code: string; readonly visitor: MirrorRecord }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ambiguous'; readonly code: string };

/** What a page did. `wentBack`: a record came with a lower revision than we hold. */
export type Applied = { readonly changed: readonly WireRecord[]; readonly wentBack: boolean };

/** How a pass ended. */
export type Swept =
  | { readonly kind: 'swept'; readonly removed: readonly string[] }
  | { readonly kind: 'asks'; readonly wouldRemove: number; readonly of: number };

/** A pass that would remove more than this share (and more than a handful) asks first. */
const DOUBTFUL_SHARE = 0.05;
const HANDFUL = 5;

export type Mirror = {
  readonly progress: (resource: ResourceName) => Progress;
  /** Applies a page of a pass (the first sync is one) and moves the pass on to `pass.from`. */
  readonly applyPassPage: (resource: ResourceName, records: readonly WireRecord[], pass: Pass) => Applied;
  /** Applies a page that was followed and moves the cursor to `revision`. */
  readonly applyPage: (resource: ResourceName, records: readonly WireRecord[], revision: bigint) => Applied;
  /** Ends a pass: removes what it did not see, or asks when that is too much to believe. */
  readonly endPass: (resource: ResourceName, pass: Pass, now: number) => Swept;
  /** Allows the next pass over `resource` to remove what the last one asked about. */
  readonly approveSweep: (resource: ResourceName) => void;
  readonly record: (resource: ResourceName, id: string) => MirrorRecord | null;
  /** Living records in order of id. */
  readonly records: (resource: ResourceName) => readonly MirrorRecord[];
  readonly count: (resource: ResourceName) => number;
  /** The visitor these codes of one badge name; `ambiguous` when they name several. */
  readonly ownerOf: (codes: readonly string[]) => BadgeOwner;
  /** A short text kept beside the records (e.g. the event's name). */
  readonly note: (key: string) => string | null;
  readonly keepNote: (key: string, text: string) => void;
  readonly stand: StandRecords;
  readonly close: () => void;
};

/**
 * Opens the mirror at `path` for one event; a mirror of another event or a damaged one is thrown away.
 *
 * @throws StartRefusal when the folder cannot be written
 */
export const openMirror = (path: string, expoId: string): Mirror => {
  const first = openOrDiscard(path);
  const owner = first
    .prepare<[], { value: string }>(`SELECT value FROM meta WHERE key = 'expo'`)
    .get()?.value;
  if (owner === expoId) return createMirror(first);
  if (owner !== undefined) {
    first.close();
    discard(path);
    return openMirror(path, expoId);
  }
  first.prepare(`INSERT INTO meta (key, value) VALUES ('expo', ?)`).run(expoId);
  return createMirror(first);
};

const openOrDiscard = (path: string): Database => {
  const open = () => openDatabase(path, { durability: 'normal', migrations: MIRROR_MIGRATIONS });
  try {
    return open();
  } catch (error) {
    if (!(error instanceof StartRefusal) || error.reason !== 'damaged') throw error;
    // The platform has it all.
    discard(path);
    return open();
  }
};

const discard = (path: string): void => {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
};

type RecordRow = { id: string; revision: bigint; body: string };

const createMirror = (database: Database): Mirror => {
  const book = createProgressBook(database);
  const stored = database
    .prepare<[string, string], { revision: bigint }>(
      'SELECT revision FROM record WHERE resource = ? AND id = ?',
    )
    .safeIntegers(true);
  const write = `INSERT INTO record (resource, id, revision, deleted, body, pass)
     VALUES (@resource, @id, @revision, @deleted, @body, @pass)
     ON CONFLICT (resource, id) DO UPDATE SET revision = excluded.revision, deleted = excluded.deleted,
       body = excluded.body, pass = excluded.pass`;
  const follow = database.prepare(`${write}
     WHERE excluded.revision > record.revision
       OR (excluded.revision = record.revision AND excluded.body <> record.body)`);
  const replace = database.prepare(`${write}
     WHERE excluded.revision <> record.revision OR excluded.body <> record.body
       OR excluded.deleted <> record.deleted`);
  const mark = database.prepare('UPDATE record SET pass = ? WHERE resource = ? AND id = ?');
  const dropBadges = database.prepare('DELETE FROM badge WHERE visitor = ?');
  const addBadge = database.prepare('INSERT OR IGNORE INTO badge (code, visitor) VALUES (?, ?)');
  const living = `SELECT id, revision, body FROM record WHERE resource = ? AND deleted = 0`;
  const one = database.prepare<[string, string], RecordRow>(`${living} AND id = ?`).safeIntegers(true);
  const every = database.prepare<[string], RecordRow>(`${living} ORDER BY id`).safeIntegers(true);
  const countOf = database.prepare<[string], { n: number }>(
    'SELECT count(*) AS n FROM record WHERE resource = ? AND deleted = 0',
  );
  const unseen = database.prepare<[string, number], { id: string }>(
    'SELECT id FROM record WHERE resource = ? AND deleted = 0 AND pass <> ?',
  );
  const remove = database.prepare(`UPDATE record SET deleted = 1, body = '{}' WHERE resource = ? AND id = ?`);
  const carriers = database.prepare<[string], { visitor: string }>(
    'SELECT visitor FROM badge WHERE code = ? LIMIT 2',
  );
  const notes = createNotes(database);

  const put = (
    statement: typeof follow,
    resource: ResourceName,
    record: WireRecord,
    pass: number,
    isNew: boolean,
  ): boolean => {
    const { id, revision, deleted } = record;
    const body = deleted && resource === 'visitors' ? '{}' : stringifyJson(record.body);
    const row = { resource, id, revision, deleted: deleted ? 1 : 0, body, pass };
    if (statement.run(row).changes === 0) return false;
    if (resource === 'visitors') {
      if (!isNew) dropBadges.run(id);
      if (!deleted) for (const code of badgeCodes(record.body)) addBadge.run(code, id);
    }
    return true;
  };

  const applyPage = database.transaction(
    (resource: ResourceName, records: readonly WireRecord[], revision: bigint): Applied => {
      const { passes } = book.of(resource);
      let wentBack = false;
      const changed = records.filter((record) => {
        const held = stored.get(resource, record.id)?.revision;
        wentBack ||= record.revision < (held ?? 0n);
        return put(follow, resource, record, passes, held === undefined);
      });
      book.write(resource, { revision });
      return { changed, wentBack };
    },
  );

  const applyPassPage = database.transaction(
    (resource: ResourceName, records: readonly WireRecord[], pass: Pass): Applied => {
      let wentBack = false;
      const changed = records.filter((record) => {
        const held = stored.get(resource, record.id)?.revision;
        wentBack ||= record.revision < (held ?? 0n);
        const isChanged = put(replace, resource, record, pass.number, held === undefined);
        if (!isChanged) mark.run(pass.number, resource, record.id);
        return isChanged;
      });
      book.write(resource, { pass });
      return { changed, wentBack };
    },
  );

  const endPass = database.transaction((resource: ResourceName, pass: Pass, now: number): Swept => {
    const gone = pass.sound ? unseen.all(resource, pass.number) : [];
    const of = countOf.get(resource)?.n ?? 0;
    const doubtful = gone.length > HANDFUL && gone.length > of * DOUBTFUL_SHARE;
    const end = { revision: pass.from, complete: true, pass: null, sweptAt: now };
    if (doubtful && !book.of(resource).approved) {
      book.write(resource, { ...end, asks: gone.length });
      return { kind: 'asks', wouldRemove: gone.length, of };
    }
    for (const { id } of gone) {
      remove.run(resource, id);
      if (resource === 'visitors') dropBadges.run(id);
    }
    book.write(resource, { ...end, asks: 0, approved: false });
    return { kind: 'swept', removed: gone.map(({ id }) => id) };
  });

  const record = (resource: ResourceName, id: string): MirrorRecord | null => {
    const row = one.get(resource, id);
    return row === undefined ? null : recordOfRow(row);
  };

  return {
    ...notes,
    progress: book.of,
    applyPassPage: (resource, records, pass) => applyPassPage.immediate(resource, records, pass),
    applyPage: (resource, records, revision) => applyPage.immediate(resource, records, revision),
    endPass: (resource, pass, now) => endPass.immediate(resource, pass, now),
    approveSweep: (resource) => book.write(resource, { approved: true }),
    record,
    records: (resource) => every.all(resource).map(recordOfRow),
    count: (resource) => countOf.get(resource)?.n ?? 0,
    ownerOf: (codes) => {
      let owner: BadgeOwner = { kind: 'unknown' };
      for (const code of codes) {
        for (const carrier of carriers.all(code)) {
          if (owner.kind === 'visitor' && owner.visitor.id === carrier.visitor) continue;
          const visitor = record('visitors', carrier.visitor);
          if (visitor === null) continue;
          if (owner.kind === 'unknown') owner = { kind: 'visitor', code, visitor };
          else return { kind: 'ambiguous', code };
        }
      }
      return owner;
    },
    stand: createStandRecords(database),
    close: () => database.close(),
  };
};

const createNotes = (database: Database): Pick<Mirror, 'note' | 'keepNote'> => {
  const read = database.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?');
  const write = database.prepare(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  return {
    note: (key) => read.get(key)?.value ?? null,
    keepNote: (key, text) => {
      if (read.get(key)?.value !== text) write.run(key, text);
    },
  };
};

const recordOfRow = (row: RecordRow): MirrorRecord => ({
  id: row.id,
  revision: row.revision,
  body: parseJson(row.body) as Record<string, unknown>,
  text: row.body,
});
