/**
 * Writing many records at once, inside one write transaction.
 *
 * Invariant: records get ascending revisions in the order in which they are added.
 */
import { normaliseCode } from '../interactions/badge-owners.ts';
import { type Doc, rowOf, type Shape } from '../store/records.ts';
import type { BadgeTable, RecordTable } from '../store/schema.ts';
import type { Write } from '../store/store.ts';

/** Rows per statement: few enough for the parameter limit of SQLite (32,766) and of PostgreSQL. */
const rowsPerStatement = 500;

export type Bulk = {
  readonly add: (shape: Shape, expoId: string, doc: Doc) => Promise<void>;
  readonly addBadge: (expoId: string, code: string, visitorId: string) => Promise<void>;
  /** Writes the pending rows. */
  readonly flush: () => Promise<void>;
};

/** Collects rows and writes them in large statements. */
export function createBulk(write: Write): Bulk {
  let records: RecordTable[] = [];
  let badges: BadgeTable[] = [];
  const flushRecords = async (): Promise<void> => {
    if (records.length === 0) return;
    const full = records;
    records = [];
    await write.db.insertInto('record').values(full).execute();
  };
  const flushBadges = async (): Promise<void> => {
    if (badges.length === 0) return;
    const full = badges;
    badges = [];
    await write.db.insertInto('badge').values(full).execute();
  };
  return {
    add: async (shape, expoId, doc) => {
      records.push(rowOf(shape, expoId, doc, write.nextRevision()));
      if (records.length >= rowsPerStatement) await flushRecords();
    },
    addBadge: async (expoId, code, visitorId) => {
      badges.push({ expo_id: expoId, code: normaliseCode(code), visitor_id: visitorId });
      if (badges.length >= rowsPerStatement) await flushBadges();
    },
    flush: async () => {
      await flushRecords();
      await flushBadges();
    },
  };
}
