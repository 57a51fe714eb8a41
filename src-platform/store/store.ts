/**
 * The open database: one handle for reading, one for writing.
 *
 * Invariants
 * - Every write transaction locks the counter row first. On SQLite this takes the write lock before any read; on
 *   PostgreSQL it serialises write transactions. So revisions appear in commit order: a reader that has seen revision n
 *   never finds a new record at or below n later.
 * - Write transactions of one process queue here, not in the database, where each would hold a connection.
 * - A revision is assigned only once: it is stored in the transaction that uses it.
 * - Listeners are notified only after the commit. A notice reaches every process on a PostgreSQL database; on SQLite
 *   there is one process.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Engine } from './migrations.ts';
import type { Tables } from './schema.ts';

/** A written record, with the data that shows which lists changed. */
export type Change = { readonly expoId: string; readonly kind: string; readonly revision: bigint };

/**
 * A notification from one process to all, itself included. `missed`: notifications may have been lost, so listeners poll
 * everything. `about` has at most a few thousand characters: ids, never content.
 */
export type Notice = {
  readonly topic:
    | 'records'
    | 'receipts'
    | 'taken'
    | 'team'
    | 'commands'
    | 'standing'
    | 'poll'
    | 'email'
    | 'emailed'
    | 'missed';
  readonly about: string;
};

/** Sends a notice when the transaction commits. */
export type Notify = (topic: Exclude<Notice['topic'], 'missed'>, about?: string) => void;

export type Write = {
  readonly db: Transaction<Tables>;
  /** The next revision of this platform, in the order of calls. */
  readonly nextRevision: () => bigint;
  readonly noteChange: (change: Change) => void;
  readonly notify: Notify;
};

export type Store = {
  readonly engine: Engine;
  /** For reading only. */
  readonly db: Kysely<Tables>;
  /**
   * Also for reading. On PostgreSQL it uses connections that requests do not use, so that background work does not wait
   * for requests.
   */
  readonly ownDb: Kysely<Tables>;
  /** Runs `work` in one write transaction; a throw rolls everything back. */
  readonly write: <T>(work: (write: Write) => Promise<T>) => Promise<T>;
  /** Runs `work` in a transaction that changes no record and needs no revision, for example for claims and marks. */
  readonly transaction: <T>(work: (db: Transaction<Tables>, notify: Notify) => Promise<T>) => Promise<T>;
  /** Removes overwritten content from the database's write-ahead log, as far as the engine allows. */
  readonly emptyLog: () => Promise<void>;
  /** Calls `listener` after each commit of this process that changed records; returns a function that unsubscribes. */
  readonly onChange: (listener: (changes: readonly Change[]) => void) => () => void;
  /** Calls `listener` for each notice of any process; returns the function that unsubscribes. */
  readonly onNotice: (listener: (notice: Notice) => void) => () => void;
  readonly close: () => Promise<void>;
};

export type Handles = {
  readonly engine: Engine;
  readonly reader: Kysely<Tables>;
  readonly writer: Kysely<Tables>;
  /** Carries notices between processes. Absent: this is the only process. */
  readonly carrier?: NoticeCarrier;
};

/** Carries notices between the processes on one database. */
export type NoticeCarrier = {
  /** Sends notices when the transaction commits. */
  readonly send: (db: Transaction<Tables>, notices: readonly Notice[]) => Promise<void>;
  /** Receives notices until `stop`. */
  readonly receive: (listener: (notice: Notice) => void) => { readonly stop: () => Promise<void> };
};

/** Creates the store from two handles on one database. */
export function createStore({ engine, reader, writer, carrier }: Handles): Store {
  const listeners = new Set<(changes: readonly Change[]) => void>();
  const noticed = new Set<(notice: Notice) => void>();
  let receiving: ReturnType<NoticeCarrier['receive']> | null = null;
  const deliver = (notice: Notice): void => {
    for (const listener of noticed) listener(notice);
  };
  /** Runs `work` and sends its notices with the commit. */
  const noticing = async <T>(work: (db: Transaction<Tables>, notify: Notify) => Promise<T>): Promise<T> => {
    const notices: Notice[] = [];
    const result = await writer.transaction().execute(async (db) => {
      const answer = await work(db, (topic, about = '') => notices.push({ topic, about }));
      if (notices.length > 0) await carrier?.send(db, notices);
      return answer;
    });
    if (carrier === undefined) notices.forEach(deliver);
    return result;
  };

  const writeNow = async <T>(work: (write: Write) => Promise<T>): Promise<T> => {
    const changes: Change[] = [];
    const result = await noticing(async (db, notify) => {
      const row = await sql<{ value: bigint }>`update counter set value = value returning value`.execute(db);
      const first = row.rows[0]?.value;
      if (first === undefined) throw new Error('The revision counter has no row.');
      let current = first;
      const nextRevision = (): bigint => {
        current += 1n;
        return current;
      };
      const answer = await work({ db, nextRevision, noteChange: (change) => changes.push(change), notify });
      if (changes.length > 0) notify('records');
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
    transaction: noticing,
    emptyLog: async () => {
      if (engine === 'sqlite') await sql`pragma wal_checkpoint(truncate)`.execute(writer);
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onNotice: (listener) => {
      noticed.add(listener);
      receiving ??= carrier?.receive(deliver) ?? null;
      return () => noticed.delete(listener);
    },
    close: async () => {
      await receiving?.stop();
      await reader.destroy();
      await writer.destroy();
    },
  };
}
