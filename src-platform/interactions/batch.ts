/**
 * The state of one batch: the records to which its items refer, read in a few queries, and the rows that they will
 * write.
 *
 * Invariants
 * - It lives within one write transaction. No other write transaction runs at the same time, so the records that it
 *   read do not change.
 * - An item sees the effects of earlier items, although nothing is written before `flush`.
 */
import { createPuts, type Doc, findRecord, type Puts } from '../store/records.ts';
import type { FactTable } from '../store/schema.ts';
import type { Write } from '../store/store.ts';
import { normaliseCode, readOwners } from './badge-owners.ts';
import type { Item } from './item.ts';
import { createTouched, type Touched, whoTakesPart } from './project.ts';

/** The data of a fact that later items need. */
export type KnownFact = Pick<
  FactTable,
  'id' | 'hash' | 'kind' | 'visitor_id' | 'partner_id' | 'undone' | 'action_id' | 'revision'
>;

/** A fact from before the batch. `has_fields` is compared as a number, because the two databases return it differently. */
type EarlierFact = KnownFact & { readonly has_fields: boolean | number };

/** The sender of the batch. */
export type BatchScope = {
  readonly expoId: string;
  /** The only company to which items may refer: the company of the key. Null: any company. */
  readonly company: string | null;
};

export type Batch = BatchScope & {
  readonly write: Write;
  readonly newId: () => string;
  readonly touched: Touched;
  readonly puts: Puts;
  /** A record that is not deleted, or null. */
  readonly read: (kind: string, id: string) => Promise<Doc | null>;
  /** Whether a visitor takes part in the event. Undefined: there is no such visitor. */
  readonly takesPart: (visitorId: string) => boolean | undefined;
  /** The registered visitor who had this badge at `at` (ISO 8601), or null. */
  readonly visitorOfBadge: (code: string, at: string) => string | null;
  /** A fact accepted earlier, in this batch or before. */
  readonly fact: (id: string) => KnownFact | undefined;
  readonly addFact: (row: FactTable) => void;
  /** Marks a fact as undone and removes its fields, which no longer count. An erasure undoes facts for that reason. */
  readonly undoFact: (id: string) => Promise<void>;
  /** Whether an undo removed fields that the database already held. */
  readonly removedFields: () => boolean;
  /** Whether a touchpoint has sent anything before. */
  readonly hasSent: (touchpointId: string) => Promise<boolean>;
  /** Writes all rows, and the records derived from them. */
  readonly flush: () => Promise<void>;
};

/** Opens a batch of these items. */
export async function openBatch(
  write: Write,
  { expoId, company }: BatchScope,
  items: readonly Item[],
  newId: () => string,
): Promise<Batch> {
  const { db } = write;
  const puts = createPuts(write);
  const touched = createTouched();
  const earlier = await findFacts(write, expoId, items);
  const added = new Map<string, FactTable>();
  const badges = items.flatMap(({ badge, at }) =>
    badge === undefined ? [] : [{ code: normaliseCode(badge), at }],
  );
  const ownerAt = await readOwners(db, expoId, [...new Set(badges.map(({ code }) => code))]);
  const named = items.flatMap(({ visitorID }) => (visitorID === undefined ? [] : [visitorID]));
  const owners = badges.flatMap(({ code, at }) => ownerAt(code, at) ?? []);
  const visitors = await whoTakesPart(write, expoId, [...new Set([...named, ...owners])]);
  const senders = new Set<string>();
  let removedFields = false;

  return {
    write,
    expoId,
    company,
    newId,
    touched,
    puts,
    read: readOnce(write, expoId),
    takesPart: (visitorId) => visitors.get(visitorId),
    visitorOfBadge: (code, at) => {
      const owner = ownerAt(code, at);
      return owner !== null && visitors.get(owner) === true ? owner : null;
    },
    fact: (id) => added.get(id) ?? earlier.get(id),
    addFact: (row) => {
      added.set(row.id, row);
      if (row.touchpoint_id !== null) senders.add(row.touchpoint_id);
    },
    undoFact: async (id) => {
      const row = added.get(id);
      if (row !== undefined) {
        added.set(id, { ...row, undone: 1, fields: null });
        return;
      }
      const fact = earlier.get(id);
      if (fact !== undefined) {
        earlier.set(id, { ...fact, undone: 1 });
        removedFields ||= Number(fact.has_fields) === 1;
      }
      await markUndone(write, expoId, id);
    },
    removedFields: () => removedFields,
    hasSent: async (touchpointId) => {
      if (senders.has(touchpointId)) return true;
      const row = await db
        .selectFrom('fact')
        .select('id')
        .where('touchpoint_id', '=', touchpointId)
        .limit(1)
        .executeTakeFirst();
      if (row !== undefined) senders.add(touchpointId);
      return row !== undefined;
    },
    flush: async () => {
      if (added.size > 0)
        await db
          .insertInto('fact')
          .values([...added.values()])
          .execute();
      await touched.project(write, puts, expoId, newId);
      await puts.flush();
    },
  };
}

/** Facts that already have the ids of these items, and facts that the items undo. */
async function findFacts(
  { db }: Write,
  expoId: string,
  items: readonly Item[],
): Promise<Map<string, EarlierFact>> {
  // PostgreSQL rejects an id with a NUL even in a query.
  const ids = new Set(
    items.flatMap(({ id, undoes = id }) => [id, undoes]).filter((id) => !id.includes('\0')),
  );
  if (ids.size === 0) return new Map();
  const rows = await db
    .selectFrom('fact')
    .select(['id', 'hash', 'kind', 'visitor_id', 'partner_id', 'undone', 'action_id', 'revision'])
    .select((row) => row('fields', 'is not', null).as('has_fields'))
    .where('expo_id', '=', expoId)
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Reads records that are not deleted, each once; null for a missing one. */
function readOnce({ db }: Write, expoId: string): Batch['read'] {
  const known = new Map<string, Doc | null>();
  return async (kind, id) => {
    const name = `${kind} ${id}`;
    const kept = known.get(name);
    if (kept !== undefined) return kept;
    const record = await findRecord(db, kind, expoId, id);
    const doc = record === undefined || record.deleted ? null : record.doc;
    known.set(name, doc);
    return doc;
  };
}

async function markUndone({ db }: Write, expoId: string, id: string): Promise<void> {
  await db
    .updateTable('fact')
    .set({ undone: 1, fields: null })
    .where('expo_id', '=', expoId)
    .where('id', '=', id)
    .execute();
}
