/**
 * What upstream said of facts, written down for a whole answer at once.
 *
 * Invariants: one statement for all facts of an answer, found by their key: with a hundred in turn, or looked for among all
 * that waits, a hub that many devices ask would take longer to write an answer down than upstream to give it; each changes the
 * states it names and no others.
 */
import { type RawBuilder, sql } from 'kysely';
import type { DeliveryStore } from '../../src-main/core/delivery/outbox/delivery-store.ts';
import type { Store } from '../../src-platform/store/store.ts';

type Settlements = Parameters<DeliveryStore['settle']>[0];
type Seen = Parameters<DeliveryStore['confirm']>[0];

const longOf = (value: bigint | null): RawBuilder<unknown> => sql`cast(${value} as bigint)`;
const textOf = (value: string | null): RawBuilder<unknown> => sql`cast(${value} as text)`;

/** Notes what an answer said of the items that were in it. */
export async function settle(store: Store, settlements: Settlements, at: number): Promise<void> {
  if (settlements.length === 0) return;
  const changed = new Date(at).toISOString();
  const sent = settlements.flatMap((told) =>
    told.kind === 'sent'
      ? [sql`(${longOf(BigInt(told.seq))}, ${textOf(told.action)}, ${longOf(told.revision)})`]
      : [],
  );
  await store.transaction(async (db) => {
    if (sent.length > 0)
      await sql`
        with told (seq, action_id, revision) as (values ${sql.join(sent)})
        update relay_fact
        set state = 'sent', reason = null, changed = ${changed}, action_id = told.action_id, revision = told.revision
        from told
        where relay_fact.seq = told.seq and relay_fact.state in ('in_flight', 'uncertain')`.execute(db);
    for (const told of settlements) {
      if (told.kind !== 'parked') continue;
      await db
        .updateTable('relay_fact')
        .set({ state: 'parked', reason: told.reason, changed })
        .where('seq', '=', BigInt(told.seq))
        .where('state', 'in', ['in_flight', 'uncertain'])
        .execute();
    }
  });
}

/** Notes which facts of an event upstream was seen to hold; how many were not confirmed before. */
export async function confirm(store: Store, expoId: string, seen: Seen, at: number): Promise<number> {
  if (seen.length === 0) return 0;
  // One row for each fact: two of them would have either word count.
  const rows = [...new Map(seen.map((one) => [one.id, one])).values()].map(
    ({ id, action, revision }) => sql`(${textOf(id)}, ${textOf(action)}, ${longOf(revision)})`,
  );
  const { numAffectedRows } = await store.transaction((db) =>
    sql`
      with seen (id, action_id, revision) as (values ${sql.join(rows)})
      update relay_fact
      set state = 'confirmed', reason = null, changed = ${new Date(at).toISOString()},
        action_id = coalesce(seen.action_id, relay_fact.action_id),
        revision = coalesce(seen.revision, relay_fact.revision)
      from seen
      where relay_fact.expo_id = ${expoId} and relay_fact.id = seen.id
        and relay_fact.state in ('sent', 'uncertain')`.execute(db),
  );
  return Number(numAffectedRows ?? 0n);
}
