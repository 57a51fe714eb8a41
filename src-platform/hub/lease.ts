/**
 * Which of several hubs on one PostgreSQL database works now: a row with who, for how long, and the how-manieth holder it is
 * (the term).
 *
 *     free ─► held ─► renewed, again and again ─► given back, or its time is over ─► held by another, with a higher term
 *
 * Invariants: time is the database's alone, so no clock of a hub matters; a term is given out once; who holds an older term
 * writes nothing any more (`fenced-store.ts`), however long it slept in between.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/** Another hub has taken over: what this one wanted to write is refused. */
export class LeaseLost extends Error {
  constructor() {
    super('another hub has taken over');
  }
}

/** Who wants the lease. `id` is the same after a restart, so that a hub that was killed need not wait for itself. */
export type Holder = { readonly id: string; readonly name: string; readonly leaseMs: number };

export type Lease = {
  readonly term: bigint;
  /** Keeps it for another while. @throws LeaseLost */
  readonly renew: () => Promise<void>;
  /** Holds off a takeover until the transaction ends. @throws LeaseLost */
  readonly check: (db: Kysely<Tables> | Transaction<Tables>) => Promise<void>;
  /** Gives it back, so that a standby need not wait. */
  readonly giveBack: () => Promise<void>;
};

/** The database's own time, in epoch milliseconds. */
const NOW = sql<bigint>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Takes the lease; where another hub holds it, its name. */
export async function takeLease(
  store: Store,
  { id, name, leaseMs }: Holder,
): Promise<
  { readonly kind: 'taken'; readonly lease: Lease } | { readonly kind: 'held'; readonly by: string }
> {
  const taken = await store.transaction(async (db) => {
    await sql`insert into box_lease (slot, holder, name, term, until) values (1, '', '', 0, 0)
              on conflict do nothing`.execute(db);
    // Waits for whoever was let through by `check`, and for nobody else.
    await sql`select 1 from box_lease for update`.execute(db);
    const { rows } = await sql<{ term: bigint }>`
      update box_lease set holder = ${id}, name = ${name}, term = term + 1, until = ${NOW} + ${leaseMs}
      where until < ${NOW} or holder = ${id} returning term`.execute(db);
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
        sql`update box_lease set until = ${NOW} + ${leaseMs} where term = ${term}`.execute(db),
      );
      if (renewed.numAffectedRows !== 1n) throw new LeaseLost();
    },
    check: async (db) => {
      // Of all locks the one that a renewal does not wait for.
      const { rows } = await sql`select 1 from box_lease where term = ${term} for key share`.execute(db);
      if (rows.length !== 1) throw new LeaseLost();
    },
    giveBack: async () => {
      await store.transaction((db) => sql`update box_lease set until = 0 where term = ${term}`.execute(db));
    },
  };
}
