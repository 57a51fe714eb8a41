/**
 * The delivery state of every fact.
 *
 * Invariants:
 * - There is one row per fact, and it is never deleted (docs/laws.md#law-2).
 * - The states and the events that change them are in `transitions.ts`.
 * - The first send freezes the bytes of an item (`wire`), so a retry is the same request.
 */

import type { Database } from '../../foundations/store/database.ts';
import { type FactKind, sha256 } from './fact.ts';
import { createOutboxChanges, lookedForAnew, type OutboxChanges } from './outbox-changes.ts';
import type { OutboxState } from './transitions.ts';

/** Where a fact is: its state, or `at_box` for a sent fact that only a hub holds. */
export type FactPlace = OutboxState | 'at_box';

/** SQL over a row of `outbox`: whether only a hub holds the fact, as far as this device knows. */
export const AT_HUB_SQL = `(outbox.at_box = 1 OR (outbox.of_team = 1 AND outbox.state = 'sent'))`;

/** SQL over a row of `outbox`: its `FactPlace`. */
export const PLACE_SQL = `CASE WHEN ${AT_HUB_SQL} THEN 'at_box' ELSE coalesce(outbox.state, 'due') END`;

/** SQL: the highest revision. The index contains only rows with a revision, so the condition is needed. */
export const HIGHEST_REVISION_SQL = 'SELECT max(revision) AS revision FROM outbox WHERE revision IS NOT NULL';

/** Facts by state, and how many were captured; the states add up to `captured` (docs/laws.md#law-2). */
export type OutboxCounts = { readonly captured: number } & Readonly<Record<OutboxState, number>>;

/** A row for the sender. `wire` is null until the first send. */
export type OutboxItem = {
  readonly seq: number;
  readonly id: string;
  readonly kind: FactKind;
  readonly state: OutboxState;
  readonly wire: string | null;
  /** Whether `wire` matches its checksum. */
  readonly wireIsSound: boolean;
  /** Highest action revision known before the first send; read-back starts here. */
  readonly sinceRevision: bigint | null;
  /** Revision of its action record, from an answer. */
  readonly revision: bigint | null;
  readonly attempts: number;
  /** It was confirmed before and has been rechecked since. */
  readonly isLookedForAnew: boolean;
  /** It is rechecked because the platform showed an older state. */
  readonly platformWentBack: boolean;
  /** It may have arrived earlier: at the platform, or at a hub that may have lost it. */
  readonly wasOut: boolean;
};

export type Outbox = OutboxChanges & {
  readonly counts: () => OutboxCounts;
  /** Whether the journal holds no fact, neither of this device nor of the team. */
  readonly isEmpty: () => boolean;
  /**
   * Up to `limit` items in `state` after the number `after`, oldest first; for sent items, only those that still have
   * their text.
   */
  readonly items: (state: OutboxState, limit: number, after?: number) => readonly OutboxItem[];
  /** Highest revision in any answer; the read-back of a new item starts here. */
  readonly highestRevision: () => bigint;
  /** How many facts of this device are sent and only at a hub. */
  readonly atHub: () => number;
  /**
   * Facts of this device that are sent and have no final receipt, after the number `after`, oldest first. Includes
   * erased facts, because receipts use ids.
   */
  readonly awaitingReceipt: (
    after: number,
    limit: number,
  ) => readonly { readonly seq: number; readonly id: string }[];
  /** Facts that other laptops of the stand submitted to the hub and that are not confirmed, after the number `after`. */
  readonly ofTeam: (after: number, limit: number) => readonly { readonly seq: number; readonly id: string }[];
  /** How many were sent again although they may have arrived. */
  readonly repeated: () => number;
  /** State and reason of one fact. */
  readonly of: (seq: number) => { readonly state: OutboxState; readonly reason: string | null } | null;
};

type ItemRow = {
  seq: bigint;
  id: string;
  kind: FactKind;
  state: OutboxState;
  wire: string | null;
  wire_sha256: string | null;
  since_revision: bigint | null;
  revision: bigint | null;
  attempts: bigint;
  reason: string | null;
  was_out: bigint;
};

/** The outbox over the journal's database. */
export function createOutbox(database: Database): Outbox {
  const countStates = database.prepare<[], { state: OutboxState; n: number }>(
    'SELECT state, n FROM outbox_count',
  );
  const countFacts = database.prepare<[], { n: number }>('SELECT count(*) AS n FROM fact');
  const countOfTeam = database.prepare<[], { state: OutboxState; n: number }>(
    'SELECT state, count(*) AS n FROM outbox WHERE of_team = 1 GROUP BY state',
  );
  const sentBy = (ofTeam: 0 | 1) =>
    database.prepare<[number, number], { seq: number; id: string }>(
      `SELECT outbox.seq, fact.id FROM outbox JOIN fact USING (seq)
       WHERE of_team = ${ofTeam} AND state = 'sent' AND outbox.seq > ? ORDER BY outbox.seq LIMIT ?`,
    );
  const sentHere = sentBy(0);
  const sentOfTeam = sentBy(1);
  const countRepeated = database.prepare<[], { n: number }>(
    'SELECT count(*) AS n FROM outbox WHERE repeated = 1',
  );
  const countAtHub = database.prepare<[], { n: number }>('SELECT count(*) AS n FROM outbox WHERE at_box = 1');
  const first = database.prepare<[], { seq: number }>('SELECT seq FROM outbox LIMIT 1');
  const itemsOf = database
    .prepare<[string, number, number], ItemRow>(
      `SELECT outbox.seq, fact.id, fact.kind, outbox.state, outbox.wire, outbox.wire_sha256, outbox.since_revision,
         outbox.revision, outbox.attempts, outbox.reason, outbox.was_out
       FROM outbox JOIN fact USING (seq)
       WHERE outbox.state = ? AND outbox.seq > ? AND (outbox.state <> 'sent' OR outbox.wire IS NOT NULL)
       ORDER BY outbox.seq LIMIT ?`,
    )
    .safeIntegers(true);
  const highest = database.prepare<[], { revision: bigint | null }>(HIGHEST_REVISION_SQL).safeIntegers(true);
  const one = database.prepare<[number], { state: OutboxState; reason: string | null }>(
    'SELECT state, reason FROM outbox WHERE seq = ?',
  );

  return {
    ...createOutboxChanges(database),
    counts: () => {
      const counts = { due: 0, in_flight: 0, uncertain: 0, sent: 0, confirmed: 0, parked: 0 };
      for (const row of countStates.all()) counts[row.state] = row.n;
      // Other laptops of the team count their own facts.
      let others = 0;
      for (const { state, n } of countOfTeam.all()) {
        counts[state] -= n;
        others += n;
      }
      return { captured: (countFacts.get()?.n ?? 0) - others, ...counts };
    },
    isEmpty: () => first.get() === undefined,
    items: (state, limit, after = 0) =>
      itemsOf.all(state, after, limit).map((row) => ({
        seq: Number(row.seq),
        id: row.id,
        kind: row.kind,
        state: row.state,
        wire: row.wire,
        wireIsSound: row.wire !== null && sha256(row.wire) === row.wire_sha256,
        sinceRevision: row.since_revision,
        revision: row.revision,
        attempts: Number(row.attempts),
        ...lookedForAnew(row.reason),
        wasOut: row.was_out === 1n,
      })),
    highestRevision: () => highest.get()?.revision ?? 0n,
    atHub: () => countAtHub.get()?.n ?? 0,
    awaitingReceipt: (after, limit) => sentHere.all(after, limit),
    ofTeam: (after, limit) => sentOfTeam.all(after, limit),
    repeated: () => countRepeated.get()?.n ?? 0,
    of: (seq) => one.get(seq) ?? null,
  };
}
