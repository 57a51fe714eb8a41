/**
 * Reading and writing single records.
 *
 * Invariants
 * - A record's text never contains its revision; the revision is added on output, so it stays exact.
 * - Every write of a record takes a new revision in the same transaction.
 */
import type { Kysely, Selectable } from 'kysely';
import { readJson, writeJson } from './json.ts';
import type { RecordTable, Tables } from './schema.ts';
import type { Write } from './store.ts';

export type Doc = Readonly<Record<string, unknown>>;

/** Which fields of a record are stored where; each resource provides one. */
export type Shape = {
  readonly kind: string;
  /** Fields of the list form, in their order. */
  readonly basic: readonly string[];
  /** Fields that only the single read adds. */
  readonly detail: readonly string[];
  /** The fields that fill the columns `state`, `category` and `reference`. */
  readonly state?: string;
  readonly category?: string;
  readonly reference?: string;
  /** Fields that are not listed above are also stored, in the most detailed form. */
  readonly keepsUnknown?: boolean;
};

export type StoredRecord = {
  readonly id: string;
  readonly expoId: string;
  readonly revision: bigint;
  readonly deleted: boolean;
  /** The key that owns the record, or null. */
  readonly keyId: string | null;
  readonly doc: Doc;
};

type Row = Selectable<RecordTable>;

/** Longer texts are no identifier, reference or state; an index could not hold them. */
const longestColumn = 300;

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value.length <= longestColumn && !value.includes('\0') ? value : null;
}

/** Members of a record's JSON that are not fields. */
const addedFields: readonly string[] = ['deleted', 'revision'];

function unknownFields(shape: Shape, doc: Doc): readonly string[] {
  if (shape.keepsUnknown !== true) return [];
  const known = new Set([...shape.basic, ...shape.detail, ...addedFields]);
  return Object.keys(doc).filter((name) => !known.has(name));
}

function pick(doc: Doc, names: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name of names) if (doc[name] !== undefined) picked[name] = doc[name];
  return picked;
}

/** The row of a record without an owner; `doc` has every field but the revision. */
export function rowOf(shape: Shape, expoId: string, doc: Doc, revision: bigint): Row {
  const unknown = unknownFields(shape, doc);
  const hasDetail = shape.detail.length > 0;
  const detail = pick(doc, [...shape.detail, ...(hasDetail ? unknown : [])]);
  return {
    kind: shape.kind,
    id: String(doc[shape.kind === 'participant' ? 'visitorID' : 'id']),
    expo_id: expoId,
    revision,
    deleted: doc.deleted === true ? 1 : 0,
    partner_id: textOrNull(doc.partnerID),
    visitor_id: textOrNull(doc.visitorID),
    content_id: textOrNull(doc.contentID),
    location_id: textOrNull(doc.locationID),
    contact_id: textOrNull(doc.contactID),
    reference: shape.reference === undefined ? null : textOrNull(doc[shape.reference]),
    state: shape.state === undefined ? null : textOrNull(doc[shape.state]),
    category: shape.category === undefined ? null : textOrNull(doc[shape.category]),
    basic: writeJson({
      ...pick(doc, [...shape.basic, ...(hasDetail ? [] : unknown)]),
      ...(doc.deleted === true ? { deleted: true } : {}),
    }),
    detail: Object.keys(detail).length === 0 ? null : writeJson(detail),
    key_id: null,
  };
}

/** The list form of a row as JSON text. */
export function basicText(row: Pick<Row, 'basic' | 'revision'>): string {
  return `${row.basic.slice(0, -1)},"revision":${row.revision}}`;
}

/** The single-read form of a row as JSON text. */
export function detailText(row: Pick<Row, 'basic' | 'detail' | 'revision'>): string {
  const detail = row.detail === null ? '' : `,${row.detail.slice(1, -1)}`;
  return `${row.basic.slice(0, -1)}${detail},"revision":${row.revision}}`;
}

/** The fields in a column. Only a text with a long number needs the slower lossless way. */
export function docOf(text: string): Doc {
  return (/\d{16}/.test(text) ? readJson(text) : JSON.parse(text)) as Doc;
}

function recordOf(row: Row): StoredRecord {
  return {
    id: row.id,
    expoId: row.expo_id,
    revision: row.revision,
    deleted: Number(row.deleted) === 1,
    keyId: row.key_id,
    doc: { ...docOf(row.basic), ...(row.detail === null ? {} : docOf(row.detail)) },
  };
}

/** The row of a record of one event, or undefined; PostgreSQL rejects an id with a NUL even in a query. */
export async function findRow(
  db: Kysely<Tables>,
  kind: string,
  expoId: string,
  id: string,
): Promise<Row | undefined> {
  return id.includes('\0')
    ? undefined
    : db
        .selectFrom('record')
        .selectAll()
        .where('kind', '=', kind)
        .where('id', '=', id)
        .where('expo_id', '=', expoId)
        .executeTakeFirst();
}

/** A record of one event with all its fields, or undefined. Includes deleted ones. */
export async function findRecord(
  db: Kysely<Tables>,
  kind: string,
  expoId: string,
  id: string,
): Promise<StoredRecord | undefined> {
  const row = await findRow(db, kind, expoId, id);
  return row && recordOf(row);
}

/** The ones of these records of one event that exist, with all their fields. Includes deleted ones. */
export async function findRecords(
  db: Kysely<Tables>,
  kind: string,
  expoId: string,
  ids: readonly string[],
): Promise<readonly StoredRecord[]> {
  if (ids.length === 0) return [];
  // The condition contains only the key: with the event as well, SQLite would scan all its records.
  const rows = await db
    .selectFrom('record')
    .selectAll()
    .where('kind', '=', kind)
    .where('id', 'in', ids)
    .execute();
  return rows.filter((row) => row.expo_id === expoId).map(recordOf);
}

/** Whether a record exists and is not deleted. */
export async function isThere(
  db: Kysely<Tables>,
  kind: string,
  expoId: string,
  id: string,
): Promise<boolean> {
  const record = await findRecord(db, kind, expoId, id);
  return record !== undefined && !record.deleted;
}

/** The connections of these visitors, including deleted ones. */
export async function findConnections(
  db: Kysely<Tables>,
  expoId: string,
  visitorIds: readonly string[],
): Promise<readonly StoredRecord[]> {
  const rows = await db
    .selectFrom('record')
    .selectAll()
    .where('expo_id', '=', expoId)
    .where('kind', '=', 'connection')
    .where('visitor_id', 'in', visitorIds)
    .execute();
  return rows.map(recordOf);
}

/** All records of a kind that are not deleted and have `value` in `column`, oldest revision first. */
export async function findAll(
  db: Kysely<Tables>,
  kind: string,
  expoId: string,
  column: 'partner_id' | 'visitor_id' | 'content_id',
  value: string,
): Promise<readonly StoredRecord[]> {
  const rows = await db
    .selectFrom('record')
    .selectAll()
    .where('expo_id', '=', expoId)
    .where('kind', '=', kind)
    .where(column, '=', value)
    .where('deleted', '=', 0)
    .orderBy('revision')
    .execute();
  return rows.map(recordOf);
}

/** Records that are written together. */
export type Puts = {
  /**
   * Assigns a revision to a record now and writes it with the others. The last version of a record is the one that is
   * written. A new record belongs to the key `owner`; the owner never changes.
   */
  readonly put: (shape: Shape, expoId: string, doc: Doc, owner?: string) => Row;
  /** A record waiting to be written. */
  readonly waiting: (kind: string, id: string) => Doc | undefined;
  readonly flush: () => Promise<void>;
};

/** Number of rows per statement: few enough for the parameter limit of SQLite (32,766) and of PostgreSQL. */
const rowsPerStatement = 500;

/** Collects records of one transaction; they cannot be read before `flush`. */
export function createPuts(write: Write): Puts {
  const waiting = new Map<string, { readonly row: Row; readonly doc: Doc }>();
  return {
    put: (shape, expoId, doc, owner) => {
      const row = { ...rowOf(shape, expoId, doc, write.nextRevision()), key_id: owner ?? null };
      waiting.set(`${row.kind} ${row.id}`, { row, doc });
      write.noteChange({ expoId, kind: shape.kind, revision: row.revision });
      return row;
    },
    waiting: (kind, id) => waiting.get(`${kind} ${id}`)?.doc,
    flush: async () => {
      const rows = [...waiting.values()].map(({ row }) => row);
      waiting.clear();
      for (let start = 0; start < rows.length; start += rowsPerStatement) {
        await insertOrReplace(write.db, rows.slice(start, start + rowsPerStatement));
      }
    },
  };
}

function insertOrReplace(db: Kysely<Tables>, rows: readonly Row[]): Promise<unknown> {
  return db
    .insertInto('record')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['kind', 'id']).doUpdateSet(({ ref }) => ({
        revision: ref('excluded.revision'),
        deleted: ref('excluded.deleted'),
        partner_id: ref('excluded.partner_id'),
        visitor_id: ref('excluded.visitor_id'),
        content_id: ref('excluded.content_id'),
        location_id: ref('excluded.location_id'),
        contact_id: ref('excluded.contact_id'),
        reference: ref('excluded.reference'),
        state: ref('excluded.state'),
        category: ref('excluded.category'),
        basic: ref('excluded.basic'),
        detail: ref('excluded.detail'),
      })),
    )
    .execute();
}

/** Writes a record, new or not, under a new revision and returns its row. */
export async function putRecord(
  write: Write,
  shape: Shape,
  expoId: string,
  doc: Doc,
  owner?: string,
): Promise<Row> {
  const puts = createPuts(write);
  const row = puts.put(shape, expoId, doc, owner);
  await puts.flush();
  return row;
}
