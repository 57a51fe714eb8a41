/**
 * The delivery table: one row for each webhook says where its round of notification stands.
 *
 * Invariants
 * - Whether there is something to tell is never stored: it follows from the records and the webhook's marks, so it
 *   cannot be lost, whenever a process dies.
 * - A row is claimed by one process at a time, for the length of a lease. What a dead process had claimed is free
 *   again when its lease is over, and the same call is made once more.
 * - Only the holder of a claim may settle it: whatever changes the webhook meanwhile takes the claim away.
 */
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Doc } from '../store/records.ts';
import type { Tables } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { answerTime, type Round } from './round.ts';

/** How long a claim holds without being settled, in milliseconds. */
export const lease = answerTime + 15_000;

export type Claim = Round & {
  readonly webhookId: string;
  readonly expoId: string;
  readonly token: string;
  /** The highest revision given out when the call was claimed. */
  readonly top: bigint;
};

/**
 * The lists that a webhook type speaks of (docs/interface/webhooks.md#types); the schedule of an event is its
 * content.
 */
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

/** Begins to deliver for a new webhook; everything there is already is news to it. */
export async function openDelivery(db: Transaction<Tables>, webhook: Doc): Promise<void> {
  const id = String(webhook.id);
  await db
    .insertInto('webhook_delivery')
    .values({ webhook_id: id, expo_id: String(webhook.expoID), open: openValue(webhook), ...freshRound })
    .execute();
  const marks = listsOf(String(webhook.type)).map((kind) => ({ webhook_id: id, kind, seen: 0n, mark: 0n }));
  await db.insertInto('webhook_mark').values(marks).execute();
}

/** Starts over: a call that is under way no longer counts, the next one is an initial call. */
export async function restartDelivery(db: Transaction<Tables>, webhook: Doc): Promise<void> {
  await db
    .updateTable('webhook_delivery')
    .set({ ...freshRound, open: openValue(webhook) })
    .where('webhook_id', '=', String(webhook.id))
    .execute();
}

/** Ends delivery for good. */
export async function closeDelivery(db: Transaction<Tables>, webhookId: string): Promise<void> {
  await db.deleteFrom('webhook_delivery').where('webhook_id', '=', webhookId).execute();
  await db.deleteFrom('webhook_mark').where('webhook_id', '=', webhookId).execute();
}

/** Rows that a call is to be made for: its time has come, or there is something to tell and no round under way. */
function isCallable(now: bigint): RawBuilder<boolean> {
  return sql<boolean>`
  d.open = 1 and (d.claimed_until is null or d.claimed_until <= ${now}) and (
    d.due <= ${now}
    or (d.due is null and exists (
      select 1 from webhook_mark m
      join record r on r.expo_id = d.expo_id and r.kind = m.kind and r.revision > m.mark and r.revision > d.told
      where m.webhook_id = d.webhook_id
    ))
  )`;
}

/** Whether any call is to be made now. Reads only, so that it can be asked after every change. */
async function isAnyCallable(db: Kysely<Tables>, now: bigint): Promise<boolean> {
  const { rows } = await sql`select 1 from webhook_delivery d where ${isCallable(now)} limit 1`.execute(db);
  return rows.length > 0;
}

type ClaimedRow = {
  readonly webhook_id: string;
  readonly expo_id: string;
  readonly failed: bigint | number;
  readonly started: bigint;
};

/** Claims up to `most` calls that are to be made now, the longest due first. No other process gets the same ones. */
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

/** Gives a claim back as if it had never been taken; the call is made again at once. */
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

/** When a call becomes due next, as far as the table knows, in epoch milliseconds. */
export async function nextDue(store: Store): Promise<number | null> {
  const { rows } = await sql<{ next: bigint | null }>`
    select min(case when claimed_until > due then claimed_until else due end) as next
    from webhook_delivery where open = 1 and due is not null`.execute(store.db);
  const next = rows[0]?.next ?? null;
  return next === null ? null : Number(next);
}
