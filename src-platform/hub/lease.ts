/**
 * Leader election among hubs that share a PostgreSQL database. One row holds the leader, the expiry and the term (a
 * fencing token).
 *
 *     free ─► held ─► renewed repeatedly ─► released or expired ─► held by another hub, with a higher term
 *
 * Invariants
 * - Expiry uses the database's clock only.
 * - A term is used once. A holder of an older term cannot write, even after a long sleep.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/** Another hub has taken over; the database refuses the writes of this one. */
export class LeaseLost extends Error {
  constructor() {
    super('another hub has taken over');
  }
}

/** A hub that wants the lease. `id` survives a restart, so a killed hub does not wait for itself. */
type Holder = { readonly id: string; readonly name: string; readonly leaseMs: number };

export type Lease = {
  readonly term: bigint;
  /** Extends the expiry. @throws LeaseLost */
  readonly renew: () => Promise<void>;
  /** Delays a takeover until the transaction ends. @throws LeaseLost */
  readonly check: (db: Kysely<Tables> | Transaction<Tables>) => Promise<void>;
  /** Releases the lease, so that a standby does not wait. */
  readonly giveBack: () => Promise<void>;
};

/** The time of a PostgreSQL database, in epoch milliseconds. */
export const DATABASE_NOW = sql<bigint>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Takes the lease. Otherwise returns the name of the hub that holds it. */
export async function takeLease(
  store: Store,
  { id, name, leaseMs }: Holder,
): Promise<
  { readonly kind: 'taken'; readonly lease: Lease } | { readonly kind: 'held'; readonly by: string }
> {
  const taken = await store.transaction(async (db) => {
    await sql`insert into box_lease (slot, holder, name, term, until) values (1, '', '', 0, 0)
              on conflict do nothing`.execute(db);
    // Waits for transactions that passed `check`, and shortly for a renewal or another attempt.
    await sql`select 1 from box_lease for update`.execute(db);
    const { rows } = await sql<{ term: bigint }>`
      update box_lease set holder = ${id}, name = ${name}, term = term + 1, until = ${DATABASE_NOW} + ${leaseMs}
      where until < ${DATABASE_NOW} or holder = ${id} returning term`.execute(db);
    return rows[0]?.term ?? null;
  });
  if (taken !== null) return { kind: 'taken', lease: createLease(store, taken, leaseMs) };
  const held = await store.db.selectFrom('box_lease').select('name').executeTakeFirst();
  return { kind: 'held', by: held?.name ?? '' };
}

function createLease(store: Store, term: bigint, leaseMs: number): Lease {
  return {
    term,
    renew: async () => {
      const renewed = await store.transaction((db) =>
        sql`update box_lease set until = ${DATABASE_NOW} + ${leaseMs} where term = ${term}`.execute(db),
      );
      if (renewed.numAffectedRows !== 1n) throw new LeaseLost();
    },
    check: async (db) => {
      // The weakest lock, so that a renewal does not wait for it.
      const { rows } = await sql`select 1 from box_lease where term = ${term} for key share`.execute(db);
      if (rows.length !== 1) throw new LeaseLost();
    },
    giveBack: async () => {
      await store.transaction((db) => sql`update box_lease set until = 0 where term = ${term}`.execute(db));
    },
  };
}

/** `store` fenced by `lease`: every transaction checks the lease first, so a hub with an older term writes nothing. */
export function fenced(store: Store, lease: Lease): Store {
  return {
    ...store,
    write: (work) =>
      store.write(async (write) => {
        await lease.check(write.db);
        return work(write);
      }),
    transaction: (work) =>
      store.transaction(async (db, notify) => {
        await lease.check(db);
        return work(db, notify);
      }),
  };
}
