/**
 * The transitions of the outbox, each one statement or one transaction.
 *
 * Invariants: see `outbox.ts`; a transition names the states it may leave, so it can be repeated without harm.
 */

import type { Database } from '../../foundations/store/database.ts';
import { sha256 } from './fact.ts';

/** One item's result as the platform answered it. */
export type Settlement =
  | {
      readonly seq: number;
      readonly kind: 'sent';
      readonly action: string | null;
      readonly revision: bigint | null;
      /** A hub in the hall took it; it is not with the platform yet. */
      readonly atHub?: boolean;
    }
  | { readonly seq: number; readonly kind: 'parked'; readonly reason: string };

/** Where a hub in the hall says a fact is. `unknown`: it does not hold it. */
export type HubReceipt = { readonly id: string } & (
  | { readonly state: 'at-hub' | 'sent' | 'confirmed' | 'unknown' }
  | { readonly state: 'parked'; readonly reason: string }
);

/** Why a fact is parked whose content was erased here before it was delivered. */
export const ERASED_BEFORE_DELIVERY = 'the content was erased here before it was delivered';

/** Why something that was confirmed counts as sent. */
const COMPARED = 'it is looked for anew';
const WENT_BACK = 'the platform went back to an older state, so it is looked for anew';

/** The reason for which what was confirmed is looked for anew. */
export function reasonToLookAnew(platformWentBack: boolean): string {
  return platformWentBack ? WENT_BACK : COMPARED;
}

/** What the reason of a row says of being looked for anew. */
export function lookedForAnew(reason: string | null): {
  readonly isLookedForAnew: boolean;
  readonly platformWentBack: boolean;
} {
  const platformWentBack = reason === WENT_BACK;
  return { isLookedForAnew: platformWentBack || reason === COMPARED, platformWentBack };
}

/** An item about to go out with the text it is sent as. */
export type Outgoing = { readonly seq: number; readonly wire: string };

export type OutboxChanges = {
  /** A new fact is due. Inside the fact's transaction only. */
  readonly enqueue: (seq: number, at: number) => void;
  /** Marks items in flight and freezes their wire text and the revision read-back starts at. */
  readonly markInFlight: (items: readonly Outgoing[], sinceRevision: bigint, at: number) => void;
  /** Nothing of these reached the platform: due again, with the reason. `counted` is false for traffic (429). */
  readonly requeue: (seqs: readonly number[], reason: string, counted: boolean, at: number) => void;
  /** These may have reached the platform: only a read-back can tell. */
  readonly markUncertain: (seqs: readonly number[], reason: string, at: number) => void;
  /** A read-back did not find these: due again. */
  readonly requeueUnseen: (seqs: readonly number[], at: number) => void;
  readonly settle: (settlements: readonly Settlement[], at: number) => void;
  /** Forgets frozen texts that no longer fit their checksum; they are made anew from their facts. */
  readonly dropBody: (seqs: readonly number[]) => void;
  /** Parks items (makes them dead letters) before they go out, with the reason. */
  readonly park: (seqs: readonly number[], reason: string, at: number) => void;
  /** Dead letters are due again with this text, or with one made anew (null). Returns how many. */
  readonly requeueParked: (
    items: readonly { readonly seq: number; readonly wire: string | null }[],
    at: number,
  ) => number;
  /** Seen again on the platform: confirmed. Ids of facts; returns how many changed. */
  readonly confirm: (
    seen: readonly {
      readonly id: string;
      readonly action: string | null;
      readonly revision: bigint | null;
    }[],
    at: number,
  ) => number;
  /**
   * Notes what a hub says of facts it took. One that it does not hold is due again, or parked where its content was erased.
   * Returns how many changed.
   */
  readonly noteReceipts: (receipts: readonly HubReceipt[], at: number) => number;
  /** These go out again though they might have arrived: at a platform that ignores ids they may be there twice. */
  readonly noteRepeated: (seqs: readonly number[]) => void;
  /**
   * What was confirmed counts as sent until it is seen anew. `platformWentBack`: it showed an older state, so what was only
   * sent may be gone with what was confirmed. Returns how many.
   */
  readonly recheck: (platformWentBack: boolean, at: number) => number;
  /** Start-up: whatever was in flight when we went away is uncertain now. Returns how many. */
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
        statements.markInFlight.run({ seq, wire, wireSha256: sha256(wire), sinceRevision, at });
      }
    }),
    requeue: inTransaction((seqs, reason, counted, at) => {
      for (const seq of seqs) statements.requeue.run({ seq, reason, counted: counted ? 1 : 0, at });
    }),
    markUncertain: inTransaction((seqs, reason, at) => {
      for (const seq of seqs) statements.markUncertain.run({ seq, reason, at });
    }),
    requeueUnseen: inTransaction((seqs, at) => {
      for (const seq of seqs) statements.requeueUnseen.run(at, seq);
    }),
    settle: inTransaction((settlements, at) => {
      for (const settlement of settlements) {
        if (settlement.kind === 'sent') {
          const { seq, action, revision, atHub = false } = settlement;
          statements.markSent.run({ seq, action, revision, atHub: atHub ? 1 : 0, at });
        } else {
          statements.parkSent.run({ seq: settlement.seq, reason: settlement.reason, at });
        }
      }
    }),
    dropBody: inTransaction((seqs) => {
      for (const seq of seqs) statements.dropBody.run(seq);
    }),
    park: inTransaction((seqs, reason, at) => {
      for (const seq of seqs) statements.parkUnsent.run({ seq, reason, at });
    }),
    requeueParked: inTransaction((items, at) =>
      items.reduce((requeued, { seq, wire }) => {
        const wireSha256 = wire === null ? null : sha256(wire);
        return requeued + statements.requeueParked.run({ seq, wire, wireSha256, at }).changes;
      }, 0),
    ),
    confirm: inTransaction((seen, at) => {
      let changed = 0;
      for (const { id, action, revision } of seen) {
        changed += statements.confirm.run({ id, action, revision, at }).changes;
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
      statements.recheck.run({
        wentBack: Number(platformWentBack),
        reason: reasonToLookAnew(platformWentBack),
        at,
      }).changes,
    recover: (at) => statements.recover.run(at).changes,
  };
}

/** What one receipt changes; how many rows. */
function noteReceipt(
  statements: ReturnType<typeof prepareStatements>,
  receipt: HubReceipt,
  at: number,
): number {
  const { id } = receipt;
  switch (receipt.state) {
    case 'at-hub':
      return statements.moveAtHub.run({ id, atHub: 1, at }).changes;
    case 'sent':
      return statements.moveAtHub.run({ id, atHub: 0, at }).changes;
    case 'confirmed':
      return statements.confirm.run({ id, action: null, revision: null, at }).changes;
    case 'parked':
      return statements.parkAtHub.run({ id, reason: receipt.reason, at }).changes;
    case 'unknown':
      return statements.requeueLost.run({ id, at, erased: ERASED_BEFORE_DELIVERY }).changes;
  }
}

/** One statement for each transition, in the order of a fact's way. */
function prepareStatements(database: Database) {
  return {
    insert: database.prepare(`INSERT INTO outbox (seq, state, changed_at) VALUES (?, 'due', ?)`),
    markInFlight: database.prepare(`
      UPDATE outbox SET state = 'in_flight', changed_at = @at, attempts = attempts + 1,
        wire = coalesce(wire, @wire), wire_sha256 = coalesce(wire_sha256, @wireSha256),
        since_revision = coalesce(since_revision, @sinceRevision)
      WHERE seq = @seq AND state IN ('due', 'uncertain')`),
    requeue: database.prepare(`
      UPDATE outbox SET state = 'due', reason = @reason, changed_at = @at,
        attempts = CASE WHEN @counted THEN attempts ELSE max(0, attempts - 1) END
      WHERE seq = @seq AND state = 'in_flight'`),
    markUncertain: database.prepare(`
      UPDATE outbox SET state = 'uncertain', reason = @reason, was_out = 1, changed_at = @at
      WHERE seq = @seq AND state = 'in_flight'`),
    requeueUnseen: database.prepare(`
      UPDATE outbox SET state = 'due', changed_at = ? WHERE seq = ? AND state = 'uncertain'`),
    markSent: database.prepare(`
      UPDATE outbox SET state = 'sent', action = @action, revision = @revision, reason = NULL, at_box = @atHub, was_out = 1,
        changed_at = @at
      WHERE seq = @seq AND state IN ('in_flight', 'uncertain')`),
    parkSent: database.prepare(`
      UPDATE outbox SET state = 'parked', reason = @reason, changed_at = @at
      WHERE seq = @seq AND state IN ('in_flight', 'uncertain')`),
    parkUnsent: database.prepare(`
      UPDATE outbox SET state = 'parked', reason = @reason, changed_at = @at
      WHERE seq = @seq AND state IN ('due', 'uncertain')`),
    requeueParked: database.prepare(`
      UPDATE outbox SET state = 'due', reason = NULL, wire = @wire, wire_sha256 = @wireSha256, attempts = 0,
        changed_at = @at
      WHERE seq = @seq AND state = 'parked' AND EXISTS (SELECT 1 FROM fact WHERE seq = outbox.seq AND payload IS NOT NULL)`),
    dropBody: database.prepare('UPDATE outbox SET wire = NULL, wire_sha256 = NULL WHERE seq = ?'),
    confirm: database.prepare(`
      UPDATE outbox SET state = 'confirmed', action = coalesce(@action, action),
        revision = coalesce(@revision, revision), reason = NULL, at_box = 0, changed_at = @at
      WHERE seq = (SELECT seq FROM fact WHERE id = @id) AND state IN ('sent', 'uncertain')`),
    moveAtHub: database.prepare(`
      UPDATE outbox SET at_box = @atHub, changed_at = @at
      WHERE seq = (SELECT seq FROM fact WHERE id = @id) AND state = 'sent' AND at_box <> @atHub`),
    parkAtHub: database.prepare(`
      UPDATE outbox SET state = 'parked', reason = @reason, at_box = 0, changed_at = @at
      WHERE seq = (SELECT seq FROM fact WHERE id = @id) AND state = 'sent'`),
    requeueLost: database.prepare(`
      UPDATE outbox SET state = CASE WHEN fact.payload IS NULL THEN 'parked' ELSE 'due' END,
        reason = CASE WHEN fact.payload IS NULL THEN @erased ELSE 'the hub does not hold it any more' END,
        at_box = 0, changed_at = @at
      FROM fact WHERE fact.seq = outbox.seq AND fact.id = @id AND state = 'sent'`),
    noteRepeated: database.prepare('UPDATE outbox SET repeated = 1 WHERE seq = ?'),
    recheck: database.prepare(`
      UPDATE outbox SET state = 'sent', revision = NULL, since_revision = 0, reason = @reason, changed_at = @at
      WHERE (state = 'confirmed' OR (@wentBack = 1 AND state = 'sent' AND at_box = 0)) AND wire IS NOT NULL`),
    recover: database.prepare(`
      UPDATE outbox SET state = 'uncertain', reason = 'it was interrupted while this was being sent', was_out = 1,
        changed_at = ?
      WHERE state = 'in_flight'`),
  };
}
