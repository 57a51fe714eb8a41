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
type Held = { revision: bigint; deleted: bigint; body: string };

const createMirror = (database: Database): Mirror => {
  const book = createProgressBook(database);
  const insert = database.prepare(
    `INSERT INTO record (resource, id, revision, deleted, body, pass) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  );
  const held = database
    .prepare<[string, string], Held>(
      'SELECT revision, deleted, body FROM record WHERE resource = ? AND id = ?',
    )
    .safeIntegers(true);
  const replace = database.prepare(
    'UPDATE record SET revision = ?, deleted = ?, body = ?, pass = ? WHERE resource = ? AND id = ?',
  );
  const remove = database.prepare(`UPDATE record SET deleted = 1, body = '{}' WHERE resource = ? AND id = ?`);
  const mark = database.prepare('UPDATE record SET pass = ? WHERE resource = ? AND id = ?');
  const dropBadge = database.prepare('DELETE FROM badge WHERE code = ? AND visitor = ?');
  const addBadge = database.prepare('INSERT OR IGNORE INTO badge (code, visitor) VALUES (?, ?)');
  const livingRecords = `SELECT id, revision, body FROM record WHERE resource = ? AND deleted = 0`;
  const one = database.prepare<[string, string], RecordRow>(`${livingRecords} AND id = ?`).safeIntegers(true);
  const every = database.prepare<[string], RecordRow>(`${livingRecords} ORDER BY id`).safeIntegers(true);
  const unseen = database.prepare<[string, number], { id: string }>(
    'SELECT id FROM record WHERE resource = ? AND deleted = 0 AND pass <> ?',
  );
  // Nobody stands in both halves (see `addBadges`), and to look for twins would cost each tap a tree of its own.
  const carriers = database.prepare<{ code: string }, { visitor: string }>(
    `SELECT visitor FROM badge WHERE code = @code
     UNION ALL SELECT id FROM record WHERE resource = 'visitors' AND id = @code AND deleted = 0 LIMIT 2`,
  );
  const notes = createNotes(database);

  const addBadges = (id: string, body: WireRecord['body']): void => {
    // By its own id a visitor is found among the records.
    for (const code of badgeCodes(body)) if (code !== id) addBadge.run(code, id);
  };

  const dropBadges = (id: string, body: string): void => {
    for (const code of badgeCodes(parseJson(body) as WireRecord['body'])) dropBadge.run(code, id);
  };

  /** Writes the records of a page that are new or that win over what is held, and marks the others as seen. */
  const put = (
    resource: ResourceName,
    records: readonly WireRecord[],
    pass: number,
    wins: (record: WireRecord, body: string, before: Held) => boolean,
  ): Applied & { readonly living: number } => {
    const isVisitor = resource === 'visitors';
    let { living } = book.of(resource);
    let wentBack = false;
    const changed = records.filter((record) => {
      const { id, revision, deleted } = record;
      const body = deleted && isVisitor ? '{}' : stringifyJson(record.body);
      // Nearly always the case in a first sync, and then all there is to do.
      const isNew = insert.run(resource, id, revision, deleted ? 1 : 0, body, pass).changes > 0;
      const before = isNew ? undefined : held.get(resource, id);
      if (before !== undefined) {
        wentBack ||= revision < before.revision;
        if (!wins(record, body, before)) {
          mark.run(pass, resource, id);
          return false;
        }
        replace.run(revision, deleted ? 1 : 0, body, pass, resource, id);
        if (isVisitor) dropBadges(id, before.body);
        living -= before.deleted === 0n ? 1 : 0;
      }
      if (isVisitor && !deleted) addBadges(id, record.body);
      living += deleted ? 0 : 1;
      return true;
    });
    return { changed, wentBack, living };
  };

  const applyPage = database.transaction(
    (resource: ResourceName, records: readonly WireRecord[], cursor: bigint): Applied => {
      const { living, ...applied } = put(
        resource,
        records,
        book.of(resource).passes,
        ({ revision }, body, before) =>
          revision > before.revision || (revision === before.revision && body !== before.body),
      );
      book.write(resource, { revision: cursor, living });
      return applied;
    },
  );

  const applyPassPage = database.transaction(
    (resource: ResourceName, records: readonly WireRecord[], pass: Pass): Applied => {
      const { living, ...applied } = put(
        resource,
        records,
        pass.number,
        ({ revision, deleted }, body, before) =>
          revision !== before.revision || body !== before.body || deleted !== (before.deleted === 1n),
      );
      book.write(resource, { pass, living });
      return applied;
    },
  );

  const endPass = database.transaction((resource: ResourceName, pass: Pass, now: number): Swept => {
    const gone = pass.sound ? unseen.all(resource, pass.number) : [];
    const { living: of, approved } = book.of(resource);
    const doubtful = gone.length > HANDFUL && gone.length > of * DOUBTFUL_SHARE;
    const end = { revision: pass.from, complete: true, pass: null, sweptAt: now };
    if (doubtful && !approved) {
      book.write(resource, { ...end, asks: gone.length });
      return { kind: 'asks', wouldRemove: gone.length, of };
    }
    for (const { id } of gone) {
      if (resource === 'visitors') dropBadges(id, held.get(resource, id)?.body ?? '{}');
      remove.run(resource, id);
    }
    book.write(resource, { ...end, asks: 0, approved: false, living: of - gone.length });
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
    count: (resource) => book.of(resource).living,
    ownerOf: (codes) => {
      let owner: BadgeOwner = { kind: 'unknown' };
      for (const code of codes) {
        for (const carrier of carriers.all({ code })) {
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
