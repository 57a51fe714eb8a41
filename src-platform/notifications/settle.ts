/**
 * Applies the result of a call: to the marks, the delivery row and the webhook's visible state, in one transaction.
 *
 * Invariants
 * - A 2xx moves each mark to the highest revision that was read through this webhook before the 2xx.
 * - After a 2xx the webhook is called again until everything was read. If nothing was read, it is called again only for
 *   newer data, so that a target that never reads is not called for ever.
 * - The result of a revoked claim is ignored.
 */

import { shapeOf } from '../resources/resource.ts';
import { type Doc, findRecord, putRecord } from '../store/records.ts';
import type { Store, Write } from '../store/store.ts';
import type { Outcome } from './call.ts';
import type { Claim } from './deliveries.ts';
import { afterFailure } from './round.ts';
import { webhooks } from './webhooks.ts';

const shape = shapeOf(webhooks);

/** Changes the row and ends the claim. Returns false if the claim is no longer valid; then nothing changes. */
async function changeRow(
  { db }: Write,
  claim: Claim,
  row: {
    readonly open?: number;
    readonly failed: number;
    readonly started: bigint | null;
    readonly due: bigint | null;
    readonly told?: bigint;
  },
): Promise<boolean> {
  const result = await db
    .updateTable('webhook_delivery')
    .set({ ...row, claim: null, claimed_until: null })
    .where('webhook_id', '=', claim.webhookId)
    .where('claim', '=', claim.token)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

async function showOn(write: Write, claim: Claim, changes: Doc): Promise<void> {
  const webhook = await findRecord(write.db, 'webhook', claim.expoId, claim.webhookId);
  if (!webhook || webhook.deleted) return;
  await putRecord(write, shape, claim.expoId, { ...webhook.doc, ...changes });
}

/** Moves the marks to the revisions that were read. Returns false if nothing new was read. */
async function moveMarks({ db }: Write, webhookId: string): Promise<boolean> {
  const result = await db
    .updateTable('webhook_mark')
    .set((row) => ({ mark: row.ref('seen') }))
    .where('webhook_id', '=', webhookId)
    .whereRef('seen', '>', 'mark')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Settles a call that the target answered with a 2xx. */
function settleSuccess(store: Store, claim: Claim, now: number): Promise<void> {
  return store.write(async (write) => {
    const row = { failed: 0, started: null, due: null };
    if (!(await changeRow(write, claim, row))) return;
    const told = (await moveMarks(write, claim.webhookId)) ? 0n : claim.top;
    await write.db
      .updateTable('webhook_delivery')
      .set({ told })
      .where('webhook_id', '=', claim.webhookId)
      .execute();
    const lastAttempt = new Date(now).toISOString();
    await showOn(write, claim, { attempts: 0, lastAttempt, lastError: undefined });
  });
}

/** Settles a call that failed; after the last one the webhook is in error (docs/interface/states.md#webhook-states). */
function settleFailure(store: Store, claim: Claim, reason: string, now: number): Promise<void> {
  return store.write(async (write) => {
    const failed = claim.failed + 1;
    const next = afterFailure(claim, now);
    const row = next
      ? { failed, started: BigInt(claim.started), due: BigInt(next.due) }
      : { failed, started: null, due: null, open: 0 };
    if (!(await changeRow(write, claim, row))) return;
    await showOn(write, claim, {
      attempts: failed,
      lastAttempt: new Date(now).toISOString(),
      lastError: reason,
      ...(next ? {} : { state: 'error' }),
    });
  });
}

/** Settles a call. */
export function settle(store: Store, claim: Claim, outcome: Outcome, now: number): Promise<void> {
  return outcome.ok ? settleSuccess(store, claim, now) : settleFailure(store, claim, outcome.reason, now);
}
