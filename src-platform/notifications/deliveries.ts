/**
 * The delivery table: one row per webhook with the state of its notification round.
 *
 * Invariants
 * - Whether a notification is pending is never stored. It follows from the records and the webhook's marks, so a
 *   killed process forgets nothing.
 * - A row is claimed by one process at a time, with a lease. When the lease of a dead process expires, the same call is
 *   made again.
 * - A webhook of a revoked key is never called.
 * - Only the holder of a claim may settle it; any change of the webhook revokes the claim.
 */
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Doc } from '../store/records.ts';
import type { Tables } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { answerTime, type Round } from './round.ts';

/** Lease time of a claim, in milliseconds. */
export const lease = answerTime + 15_000;

export type Claim = Round & {
  readonly webhookId: string;
  readonly expoId: string;
  readonly token: string;
  /** The highest revision that existed when the call was claimed. */
  readonly top: bigint;
};

/** The lists of a webhook type (docs/interface/webhooks.md#types). The type `content` also covers the activities. */
function listsOf(type: string): readonly string[] {
  return type === 'content' ? ['content', 'activity'] : [type];
}

const freshRound = {
  failed: 0,
  started: null,
  due: null,
  claim: null,
  claimed_until: null,
  told: 0n,
} as const;

function openValue(webhook: Doc): number {
  return webhook.enabled === true && webhook.state === 'wait' ? 1 : 0;
}

/** Starts delivery for a new webhook, to which all existing records are new. */
export async function openDelivery(db: Transaction<Tables>, webhook: Doc): Promise<void> {
  const id = String(webhook.id);
  await db
    .insertInto('webhook_delivery')
    .values({ webhook_id: id, expo_id: String(webhook.expoID), open: openValue(webhook), ...freshRound })
    .execute();
  const marks = listsOf(String(webhook.type)).map((kind) => ({ webhook_id: id, kind, seen: 0n, mark: 0n }));
  await db.insertInto('webhook_mark').values(marks).execute();
}

/** Starts again: the result of a call in progress is ignored, and the next call is an initial one. */
export async function restartDelivery(db: Transaction<Tables>, webhook: Doc): Promise<void> {
  await db
    .updateTable('webhook_delivery')
    .set({ ...freshRound, open: openValue(webhook) })
    .where('webhook_id', '=', String(webhook.id))
    .execute();
}

/** Ends delivery permanently. */
export async function closeDelivery(db: Transaction<Tables>, webhookId: string): Promise<void> {
  await db.deleteFrom('webhook_delivery').where('webhook_id', '=', webhookId).execute();
  await db.deleteFrom('webhook_mark').where('webhook_id', '=', webhookId).execute();
}

/** Rows that need a call: a retry is due, or there are new records and no round is in progress. */
function isCallable(now: bigint): RawBuilder<boolean> {
  return sql<boolean>`
  d.open = 1 and not exists (
    select 1 from record w join api_key k on k.id = w.key_id
    where w.kind = 'webhook' and w.id = d.webhook_id and k.revoked is not null
  ) and (d.claimed_until is null or d.claimed_until <= ${now}) and (
    d.due <= ${now}
    or (d.due is null and exists (
      select 1 from webhook_mark m
      join record r on r.expo_id = d.expo_id and r.kind = m.kind and r.revision > m.mark and r.revision > d.told
      where m.webhook_id = d.webhook_id
    ))
  )`;
}

/** Whether any call is due. Read-only, so that it can run after every change. */
export async function isAnyCallable(db: Kysely<Tables>, now: bigint): Promise<boolean> {
  const { rows } = await sql`select 1 from webhook_delivery d where ${isCallable(now)} limit 1`.execute(db);
  return rows.length > 0;
}

type ClaimedRow = {
  readonly webhook_id: string;
  readonly expo_id: string;
  readonly failed: bigint | number;
  readonly started: bigint;
};

/** Claims up to `most` due calls. No other process gets the same ones. */
export async function claimCalls(
  store: Store,
  time: number,
  most: number,
  newToken: () => string,
): Promise<readonly Claim[]> {
  const now = BigInt(time);
  if (!(await isAnyCallable(store.db, now))) return [];
  const token = newToken();
  const skipLocked = store.engine === 'postgres' ? sql`for update of d skip locked` : sql``;
  return store.transaction(async (db) => {
    const { rows } = await sql<ClaimedRow>`
      update webhook_delivery set claim = ${token}, claimed_until = ${now + BigInt(lease)},
        started = coalesce(started, ${now}), due = coalesce(due, ${now})
      where webhook_id in (
        select d.webhook_id from webhook_delivery d where ${isCallable(now)}
        order by d.due limit ${most} ${skipLocked}
      ) returning webhook_id, expo_id, failed, started`.execute(db);
    const counter = await db.selectFrom('counter').select('value').executeTakeFirstOrThrow();
    return rows.map((row) => ({
      webhookId: row.webhook_id,
      expoId: row.expo_id,
      failed: Number(row.failed),
      started: Number(row.started),
      token,
      top: counter.value,
    }));
  });
}

/** Releases a claim as if it had never been taken, so that the call is made again at once. */
export function releaseClaim(store: Store, claim: Claim): Promise<void> {
  return store.transaction(async (db) => {
    await db
      .updateTable('webhook_delivery')
      .set({ claim: null, claimed_until: null })
      .where('webhook_id', '=', claim.webhookId)
      .where('claim', '=', claim.token)
      .execute();
  });
}

/** When the next call in the table is due, in epoch milliseconds. */
export async function nextDue(store: Store): Promise<number | null> {
  const { rows } = await sql<{ next: bigint | null }>`
    select min(case when claimed_until > due then claimed_until else due end) as next
    from webhook_delivery where open = 1 and due is not null`.execute(store.db);
  const next = rows[0]?.next ?? null;
  return next === null ? null : Number(next);
}
