/**
 * The local copy of the event. It can be thrown away and fetched again.
 *
 * Invariants: a page and its cursor commit in one transaction (law 4); a record is replaced only by one of the same
 * or a higher revision; a deleted record keeps its row (so that an older copy cannot come back) but no badge.
 */
import { rmSync } from 'node:fs';
import { stringifyJson } from '../api/json.ts';
import type { WireRecord } from '../api/page.ts';
import { StartRefusal } from '../refusal.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { badgeCodes } from './badge-codes.ts';
import type { ResourceName } from './resources.ts';
import { MIRROR_MIGRATIONS } from './schema.ts';

/** How far a resource is. `complete`: a pass has reached the end at least once. */
export type Cursor = { readonly revision: bigint; readonly complete: boolean };

/** A mirrored record. */
export type MirrorRecord = {
  readonly id: string;
  readonly revision: bigint;
  readonly body: Readonly<Record<string, unknown>>;
  /** The body as JSON text. */
  readonly text: string;
};

/** Answer to "whose badge is this?". `ambiguous`: several living visitors carry the code. */
export type BadgeOwner =
  | { readonly kind: 'visitor'; readonly code: string; readonly visitor: MirrorRecord }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ambiguous'; readonly code: string };

export type Mirror = {
  readonly cursor: (resource: ResourceName) => Cursor;
  /** Applies one page and moves the cursor with it. Returns the records that were new or changed. */
  readonly applyPage: (
    resource: ResourceName,
    records: readonly WireRecord[],
    cursor: Cursor,
  ) => readonly WireRecord[];
  readonly record: (resource: ResourceName, id: string) => MirrorRecord | null;
  /** Living records in order of id. */
  readonly records: (resource: ResourceName) => readonly MirrorRecord[];
  readonly count: (resource: ResourceName) => number;
  /** The visitor of the first of these codes that anybody carries. */
  readonly ownerOf: (codes: readonly string[]) => BadgeOwner;
  /** A short text kept beside the records (e.g. the event's name). */
  readonly note: (key: string) => string | null;
  readonly keepNote: (key: string, text: string) => void;
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
  const readCursor = database
    .prepare<[string], { revision: bigint; complete: bigint }>(
      'SELECT revision, complete FROM cursor WHERE resource = ?',
    )
    .safeIntegers(true);
  const writeCursor = database.prepare(
    `INSERT INTO cursor (resource, revision, complete) VALUES (@resource, @revision, @complete)
     ON CONFLICT (resource) DO UPDATE SET revision = excluded.revision, complete = excluded.complete`,
  );
  const upsert = database.prepare(
    `INSERT INTO record (resource, id, revision, deleted, body) VALUES (@resource, @id, @revision, @deleted, @body)
     ON CONFLICT (resource, id) DO UPDATE SET revision = excluded.revision, deleted = excluded.deleted,
       body = excluded.body
     WHERE excluded.revision > record.revision
       OR (excluded.revision = record.revision AND excluded.body <> record.body)`,
  );
  const dropBadges = database.prepare('DELETE FROM badge WHERE visitor = ?');
  const addBadge = database.prepare('INSERT OR IGNORE INTO badge (code, visitor) VALUES (?, ?)');
  const one = database
    .prepare<[string, string], RecordRow>(
      'SELECT id, revision, body FROM record WHERE resource = ? AND id = ? AND deleted = 0',
    )
    .safeIntegers(true);
  const every = database
    .prepare<[string], RecordRow>(
      'SELECT id, revision, body FROM record WHERE resource = ? AND deleted = 0 ORDER BY id',
    )
    .safeIntegers(true);
  const countOf = database.prepare<[string], { n: number }>(
    'SELECT count(*) AS n FROM record WHERE resource = ? AND deleted = 0',
  );
  const carriers = database.prepare<[string], { visitor: string }>(
    'SELECT visitor FROM badge WHERE code = ? LIMIT 2',
  );

  const readNote = database.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?');
  const writeNote = database.prepare(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );

  const applyPage = database.transaction(
    (resource: ResourceName, records: readonly WireRecord[], cursor: Cursor): readonly WireRecord[] => {
      const changed: WireRecord[] = [];
      for (const record of records) {
        const { id, revision } = record;
        const deleted = record.deleted ? 1 : 0;
        const body = stringifyJson(record.body);
        if (upsert.run({ resource, id, revision, deleted, body }).changes === 0) continue;
        changed.push(record);
        if (resource !== 'visitors') continue;
        dropBadges.run(id);
        if (!record.deleted) for (const code of badgeCodes(record.body)) addBadge.run(code, id);
      }
      writeCursor.run({ resource, revision: cursor.revision, complete: cursor.complete ? 1 : 0 });
      return changed;
    },
  );

  const record = (resource: ResourceName, id: string): MirrorRecord | null => {
    const row = one.get(resource, id);
    return row === undefined ? null : recordOfRow(row);
  };

  return {
    cursor: (resource) => {
      const row = readCursor.get(resource);
      return { revision: row?.revision ?? 0n, complete: row?.complete === 1n };
    },
    applyPage: (resource, records, cursor) => applyPage.immediate(resource, records, cursor),
    record,
    records: (resource) => every.all(resource).map(recordOfRow),
    count: (resource) => countOf.get(resource)?.n ?? 0,
    ownerOf: (codes) => {
      for (const code of codes) {
        const [first, second] = carriers.all(code);
        if (second !== undefined) return { kind: 'ambiguous', code };
        const visitor = first === undefined ? null : record('visitors', first.visitor);
        if (visitor !== null) return { kind: 'visitor', code, visitor };
      }
      return { kind: 'unknown' };
    },
    note: (key) => readNote.get(key)?.value ?? null,
    keepNote: (key, text) => {
      if (readNote.get(key)?.value !== text) writeNote.run(key, text);
    },
    close: () => database.close(),
  };
};

const recordOfRow = (row: RecordRow): MirrorRecord => ({
  id: row.id,
  revision: row.revision,
  body: JSON.parse(row.body) as Record<string, unknown>,
  text: row.body,
});
