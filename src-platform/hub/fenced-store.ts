/**
 * The store of a hub that holds the lease: every transaction asks for it first.
 *
 * Invariant: nothing is written under an older term; a takeover waits for the transactions that were let through.
 */
import type { Store } from '../store/store.ts';
import type { Lease } from './lease.ts';

/** `store`, fenced by `lease`. */
export function fenced(store: Store, lease: Lease): Store {
  return {
    ...store,
    write: (work) =>
      store.write(async (write) => {
        await lease.check(write.db);
        return work(write);
      }),
    transaction: (work) =>
      store.transaction(async (db) => {
        await lease.check(db);
        return work(db);
      }),
  };
}
