/**
 * The open database: one handle for reading, one for writing.
 *
 * Invariants
 * - Every write transaction locks the counter row first. On SQLite this takes the write lock before any read; on
 *   PostgreSQL it serialises write transactions. So revisions appear in commit order: a reader that has seen revision n
 *   never finds a new record at or below n later.
 * - Write transactions of one process queue here, not in the database, where each would hold a connection.
 * - A revision is assigned only once: it is stored in the transaction that uses it.
 * - Listeners are notified only after the commit.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Engine } from './migrations.ts';
import type { Tables } from './schema.ts';

/** What was written: enough to know which lists changed. */
export type Change = { readonly expoId: string; readonly kind: string; readonly revision: bigint };

export type Write = {
  readonly db: Transaction<Tables>;
  /** The next revision of this platform, in the order of calls. */
  readonly nextRevision: () => bigint;
  readonly noteChange: (change: Change) => void;
};

export type Store = {
  readonly engine: Engine;
  /** For reading only. */
  readonly db: Kysely<Tables>;
  /** Also for reading, over connections that requests do not use: background work waits behind no request. */
  readonly ownDb: Kysely<Tables>;
  /** Runs `work` in one write transaction; a throw rolls everything back. */
  readonly write: <T>(work: (write: Write) => Promise<T>) => Promise<T>;
  /** Runs `work` in a transaction that changes no record and needs no revision: claims and marks. */
  readonly transaction: <T>(work: (db: Transaction<Tables>) => Promise<T>) => Promise<T>;
  /** Removes overwritten content from the database's log, as far as the engine allows. */
  readonly emptyLog: () => Promise<void>;
  /** Calls `listener` after each commit that changed records; returns the function that unsubscribes. */
  readonly onChange: (listener: (changes: readonly Change[]) => void) => () => void;
  readonly close: () => Promise<void>;
};

export type Handles = {
  readonly engine: Engine;
  readonly reader: Kysely<Tables>;
  readonly writer: Kysely<Tables>;
};

/** Creates the store from two handles on one database. */
export function createStore({ engine, reader, writer }: Handles): Store {
  const listeners = new Set<(changes: readonly Change[]) => void>();

  const writeNow = async <T>(work: (write: Write) => Promise<T>): Promise<T> => {
    const changes: Change[] = [];
    const result = await writer.transaction().execute(async (db) => {
      const row = await sql<{ value: bigint }>`update counter set value = value returning value`.execute(db);
      const first = row.rows[0]?.value;
      if (first === undefined) throw new Error('The revision counter has no row.');
      let current = first;
      const nextRevision = (): bigint => {
        current += 1n;
        return current;
      };
      const answer = await work({ db, nextRevision, noteChange: (change) => changes.push(change) });
      if (current !== first) await db.updateTable('counter').set({ value: current }).execute();
      return answer;
    });
    if (changes.length > 0) for (const listener of listeners) listener(changes);
    return result;
  };

  let last: Promise<unknown> = Promise.resolve();

  return {
    engine,
    db: reader,
    ownDb: engine === 'sqlite' ? reader : writer,
    write: (work) => {
      const turn = last.then(() => writeNow(work));
      last = turn.catch(() => undefined);
      return turn;
    },
    transaction: (work) => writer.transaction().execute(work),
    emptyLog: async () => {
      if (engine === 'sqlite') await sql`pragma wal_checkpoint(truncate)`.execute(writer);
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {
      await reader.destroy();
      await writer.destroy();
    },
  };
}
