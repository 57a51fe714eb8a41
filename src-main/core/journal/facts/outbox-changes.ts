/**
 * The writing half of the outbox: applies the events of `transitions.ts` to its rows.
 *
 * Invariants:
 * - Each method is one statement or one transaction.
 * - The statements take states, reason and attempts from the table, so an event has no effect on a row in another
 *   state.
 */

import type { Database } from '../../foundations/store/database.ts';
import { sha256 } from './fact.ts';
import { type OutboxEvent, TRANSITIONS } from './transitions.ts';

/** The platform's result for one item. */
export type Settlement =
  | {
      readonly seq: number;
      readonly kind: 'sent';
      readonly action: string | null;
      readonly revision: bigint | null;
      /** A hub accepted it, but the platform does not have it yet. */
      readonly atHub?: boolean;
    }
  | { readonly seq: number; readonly kind: 'parked'; readonly reason: string };

/** The hub's receipt for a fact. `unknown`: the hub does not hold it. */
export type HubReceipt = { readonly id: string } & (
  | { readonly state: 'at-hub' | 'sent' | 'confirmed' | 'unknown' }
  | { readonly state: 'parked'; readonly reason: string }
);

/** Reason of a fact whose content was erased here before its delivery. */
export const ERASED_BEFORE_DELIVERY = 'the content was erased here before it was delivered';

/** Reason of a fact that the hub accepted and lost. */
const LOST_AT_HUB = 'the hub does not hold it any more';

/** Reason of a fact that was in flight when the process ended. */
export const INTERRUPTED = 'it was interrupted while this was being sent';

/** Reasons of confirmed facts that count as sent until the next lookup. */
const COMPARED = 'it is looked for anew';
const WENT_BACK = 'the platform went back to an older state, so it is looked for anew';

/** The reason of a recheck. */
export function reasonToLookAnew(platformWentBack: boolean): string {
  return platformWentBack ? WENT_BACK : COMPARED;
}

/** Whether the reason of a row is a recheck, and which one. */
export function lookedForAnew(reason: string | null): {
  readonly isLookedForAnew: boolean;
  readonly platformWentBack: boolean;
} {
  const platformWentBack = reason === WENT_BACK;
  return { isLookedForAnew: platformWentBack || reason === COMPARED, platformWentBack };
}

/** An item of a batch, and the text to send. */
export type Outgoing = { readonly seq: number; readonly wire: string };

export type OutboxChanges = {
  /** Adds a new fact, due. Only inside the fact's transaction. */
  readonly enqueue: (seq: number, at: number) => void;
  /** Marks items as in flight. Freezes their wire text and the revision where their read-back starts. */
  readonly markInFlight: (items: readonly Outgoing[], sinceRevision: bigint, at: number) => void;
  /** None of these reached the platform: they are due again. `counted`: whether this was an attempt (not a 429). */
  readonly requeue: (seqs: readonly number[], reason: string, counted: boolean, at: number) => void;
  /** Items that may have reached the platform become uncertain, until a read-back. */
  readonly markUncertain: (seqs: readonly number[], reason: string, at: number) => void;
  /** A read-back did not find these: they are due again. */
  readonly requeueUnseen: (seqs: readonly number[], at: number) => void;
  readonly settle: (settlements: readonly Settlement[], at: number) => void;
  /** Drops frozen texts whose checksum does not match. The next batch rebuilds them from their facts. */
  readonly dropBody: (seqs: readonly number[]) => void;
  /** Parks items (dead letters) that cannot be sent, with the reason. */
  readonly park: (seqs: readonly number[], reason: string, at: number) => void;
  /**
   * Makes dead letters due again, with this text, or (null) with a new text built from the fact. Returns how many.
   */
  readonly requeueParked: (
    items: readonly { readonly seq: number; readonly wire: string | null }[],
    at: number,
  ) => number;
  /** Confirms facts that the platform shows, by their ids. Returns how many changed. */
  readonly confirm: (
    seen: readonly {
      readonly id: string;
      readonly action: string | null;
      readonly revision: bigint | null;
    }[],
    at: number,
  ) => number;
  /**
   * Stores receipts of a hub. A fact that it does not hold is due again, or parked if its content was erased. Returns
   * how many changed.
   */
  readonly noteReceipts: (receipts: readonly HubReceipt[], at: number) => number;
  /** Marks facts that are sent again although they may have arrived. A platform that ignores ids may show both. */
  readonly noteRepeated: (seqs: readonly number[]) => void;
  /**
   * Confirmed facts that still have their text count as sent until they are seen again. `platformWentBack`: the
   * platform showed an older state, so sent facts may also be lost. Returns how many changed.
   */
  readonly recheck: (platformWentBack: boolean, at: number) => number;
  /** At a start: facts in flight become uncertain. Returns how many. */
  readonly recover: (at: number) => number;
};

/** The writing half of the outbox. */
export function createOutboxChanges(database: Database): OutboxChanges {
  const statements = prepareStatements(database);
  const inTransaction = <Args extends unknown[], Result>(work: (...args: Args) => Result) => {
    const transaction = database.transaction(work);
    return (...args: Args): Result => transaction.immediate(...args);
  };

  return {
    enqueue: (seq, at) => {
      statements.insert.run(seq, at);
    },
    markInFlight: inTransaction((items, sinceRevision, at) => {
      for (const { seq, wire } of items) {
        statements.dispatched.run({ seq, wire, wireSha256: sha256(wire), sinceRevision, at });
      }
    }),
    requeue: inTransaction((seqs, reason, counted, at) => {
      const statement = counted ? statements.failed : statements.postponed;
      for (const seq of seqs) statement.run({ seq, reason, at });
    }),
    markUncertain: inTransaction((seqs, reason, at) => {
      for (const seq of seqs) statements.unanswered.run({ seq, reason, at });
    }),
    requeueUnseen: inTransaction((seqs, at) => {
      for (const seq of seqs) statements.notFound.run({ seq, at });
    }),
    settle: inTransaction((settlements, at) => {
      for (const settlement of settlements) {
        if (settlement.kind === 'sent') {
          const { seq, action, revision, atHub = false } = settlement;
          statements.accepted.run({ seq, action, revision, atHub: atHub ? 1 : 0, at });
        } else {
          statements.refused.run({ seq: settlement.seq, reason: settlement.reason, at });
        }
      }
    }),
    dropBody: inTransaction((seqs) => {
      for (const seq of seqs) statements.dropBody.run(seq);
    }),
    park: inTransaction((seqs, reason, at) => {
      for (const seq of seqs) statements.unfit.run({ seq, reason, at });
    }),
    requeueParked: inTransaction((items, at) =>
      items.reduce((requeued, { seq, wire }) => {
        const wireSha256 = wire === null ? null : sha256(wire);
        return requeued + statements.retried.run({ seq, wire, wireSha256, at }).changes;
      }, 0),
    ),
    confirm: inTransaction((seen, at) => {
      let changed = 0;
      for (const { id, action, revision } of seen) {
        changed += statements.seen.run({ id, action, revision, at }).changes;
      }
      return changed;
    }),
    noteReceipts: inTransaction((receipts, at) =>
      receipts.reduce((changed, receipt) => changed + noteReceipt(statements, receipt, at), 0),
    ),
    noteRepeated: inTransaction((seqs) => {
      for (const seq of seqs) statements.noteRepeated.run(seq);
    }),
    recheck: (platformWentBack, at) =>
      (platformWentBack ? statements.rolledBack : statements.compared).run({
        reason: reasonToLookAnew(platformWentBack),
        at,
      }).changes,
    recover: (at) => statements.interrupted.run({ reason: INTERRUPTED, at }).changes,
  };
}

/** Applies one receipt; returns how many rows changed. */
function noteReceipt(
  statements: ReturnType<typeof prepareStatements>,
  receipt: HubReceipt,
  at: number,
): number {
  const { id } = receipt;
  switch (receipt.state) {
    case 'at-hub':
      return statements.movedAtHub.run({ id, atHub: 1, at }).changes;
    case 'sent':
      return statements.movedAtHub.run({ id, atHub: 0, at }).changes;
    case 'confirmed':
      return statements.seen.run({ id, action: null, revision: null, at }).changes;
    case 'parked':
      return statements.refusedAtHub.run({ id, reason: receipt.reason, at }).changes;
    case 'unknown':
      return (
        statements.lostAtHub.run({ id, reason: LOST_AT_HUB, at }).changes +
        statements.lostErased.run({ id, reason: ERASED_BEFORE_DELIVERY, at }).changes
      );
  }
}

const BY_SEQ = 'seq = @seq';
const BY_ID = 'seq = (SELECT seq FROM fact WHERE id = @id)';

const REASON = { set: ['reason = @reason'], clear: ['reason = NULL'], keep: [] } as const;

const ATTEMPTS = {
  keep: [],
  increment: ['attempts = attempts + 1'],
  decrement: ['attempts = max(0, attempts - 1)'],
  reset: ['attempts = 0'],
} as const;

const NEEDS = {
  nothing: [],
  content: ['EXISTS (SELECT 1 FROM fact WHERE seq = outbox.seq AND payload IS NOT NULL)'],
  erased: ['EXISTS (SELECT 1 FROM fact WHERE seq = outbox.seq AND payload IS NULL)'],
  text: ['wire IS NOT NULL'],
} as const;

/**
 * The SQL that applies an event to the rows of `outbox` that match `where`, according to the transition table. `set`:
 * further columns to write. Binds `@at`, and `@reason` for an event with a reason.
 */
export function transitionSql(event: OutboxEvent, where: string, ...set: readonly string[]): string {
  const { from, to, reason, attempts, needs, mayHaveArrived } = TRANSITIONS[event];
  const states = from.map((state) => `'${state}'`).join(', ');
  const changes = [
    `state = '${to}'`,
    'changed_at = @at',
    ...REASON[reason],
    ...ATTEMPTS[attempts],
    ...(mayHaveArrived ? ['was_out = 1'] : []),
    ...set,
  ];
  const conditions = [where, `state IN (${states})`, ...NEEDS[needs]];
  return `UPDATE outbox SET ${changes.join(', ')} WHERE ${conditions.join(' AND ')}`;
}

/** One statement per event (except `erased`, see `erasure.ts`), and `insert`, `dropBody` and `noteRepeated`. */
function prepareStatements(database: Database) {
  const on = (event: OutboxEvent, where: string, ...set: readonly string[]) =>
    database.prepare(transitionSql(event, where, ...set));
  return {
    insert: database.prepare(`INSERT INTO outbox (seq, state, changed_at) VALUES (?, 'due', ?)`),
    dispatched: on(
      'dispatched',
      BY_SEQ,
      'wire = coalesce(wire, @wire)',
      'wire_sha256 = coalesce(wire_sha256, @wireSha256)',
      'since_revision = coalesce(since_revision, @sinceRevision)',
    ),
    failed: on('failed', BY_SEQ),
    postponed: on('postponed', BY_SEQ),
    unanswered: on('unanswered', BY_SEQ),
    interrupted: on('interrupted', 'TRUE'),
    notFound: on('notFound', BY_SEQ),
    accepted: on('accepted', BY_SEQ, 'action = @action', 'revision = @revision', 'at_box = @atHub'),
    refused: on('refused', BY_SEQ),
    unfit: on('unfit', BY_SEQ),
    retried: on('retried', BY_SEQ, 'wire = @wire', 'wire_sha256 = @wireSha256'),
    seen: on(
      'seen',
      BY_ID,
      'action = coalesce(@action, action)',
      'revision = coalesce(@revision, revision)',
      'at_box = 0',
    ),
    // The platform cannot lose a fact that only a hub holds.
    compared: on('compared', 'at_box = 0', 'revision = NULL', 'since_revision = 0'),
    rolledBack: on('rolledBack', 'at_box = 0', 'revision = NULL', 'since_revision = 0'),
    movedAtHub: on('movedAtHub', `${BY_ID} AND at_box <> @atHub`, 'at_box = @atHub'),
    refusedAtHub: on('refusedAtHub', BY_ID, 'at_box = 0'),
    lostAtHub: on('lostAtHub', BY_ID, 'at_box = 0'),
    lostErased: on('lostErased', BY_ID, 'at_box = 0'),
    dropBody: database.prepare('UPDATE outbox SET wire = NULL, wire_sha256 = NULL WHERE seq = ?'),
    noteRepeated: database.prepare('UPDATE outbox SET repeated = 1 WHERE seq = ?'),
  };
}
