/**
 * Opens a PostgreSQL database by its address.
 *
 * Invariants
 * - 64-bit integers are read as `bigint`, never rounded.
 * - Loaded only if PostgreSQL is configured, because a kiosk's installer contains no `pg`.
 * - A notice is sent with the commit of its transaction. After the listening connection was lost, listeners receive
 *   `missed`.
 * - Writes have their own connections, because facts are accepted and forwarded while thousands of clients read.
 */
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { migrate } from './migrations.ts';
import type { Tables } from './schema.ts';
import { createStore, type Notice, type NoticeCarrier, type Store } from './store.ts';

/**
 * Number of connections for reading and for writing. One write transaction is open at a time; the rest are for claims
 * and marks.
 */
const READERS = 10;
const WRITERS = 4;

/** Opens a PostgreSQL database by its address and migrates it. */
export async function openPostgres(address: string): Promise<Store> {
  const writer = connect(address, WRITERS);
  try {
    await migrate(writer, 'postgres');
  } catch (error) {
    await writer.destroy();
    throw error;
  }
  return createStore({
    engine: 'postgres',
    reader: connect(address, READERS),
    writer,
    carrier: createCarrier(address),
  });
}

/** The channel of all notices. */
const CHANNEL = 'touchpoint';
/** The longest wait before a lost connection is retried, and the interval that detects a dead one, in milliseconds. */
const RECONNECT_MS = 1_000;
const PROBE_MS = 10_000;

/** Notices over LISTEN and NOTIFY, on a separate connection that is replaced when it is lost. */
function createCarrier(address: string): NoticeCarrier {
  return {
    send: async (db, notices) => {
      const calls = notices.map(({ topic, about }) => sql`pg_notify(${CHANNEL}, ${`${topic} ${about}`})`);
      await sql`select ${sql.join(calls)}`.execute(db);
    },
    receive: (listener) => {
      let client: pg.Client | null = null;
      let isStopped = false;
      let timer: NodeJS.Timeout | undefined;
      const again = (lost: pg.Client): void => {
        if (client !== lost) return;
        client = null;
        lost.end().catch(() => undefined);
        if (!isStopped) timer = setTimeout(open, Math.random() * RECONNECT_MS);
      };
      const probe = async (opened: pg.Client): Promise<void> => {
        const late = setTimeout(() => again(opened), PROBE_MS);
        await opened.query('select 1').catch(() => again(opened));
        clearTimeout(late);
        if (client === opened && !isStopped) timer = setTimeout(() => void probe(opened), PROBE_MS);
      };
      const open = (): void => {
        const opened = new pg.Client({ connectionString: address, keepAlive: true });
        client = opened;
        opened.on('error', () => again(opened));
        opened.on('end', () => again(opened));
        opened.on('notification', ({ payload = '' }) => {
          const space = payload.indexOf(' ');
          listener({ topic: payload.slice(0, space) as Notice['topic'], about: payload.slice(space + 1) });
        });
        const start = async (): Promise<void> => {
          await opened.connect();
          await opened.query(`listen ${CHANNEL}`);
          // Notices from before this connection listened are lost.
          listener({ topic: 'missed', about: '' });
          await probe(opened);
        };
        start().catch(() => again(opened));
      };
      open();
      return {
        stop: async () => {
          isStopped = true;
          clearTimeout(timer);
          await client?.end().catch(() => undefined);
        },
      };
    },
  };
}

/** The database at `address` over at most `most` connections, opened on demand. */
function connect(address: string, most: number): Kysely<Tables> {
  const int8 = 20;
  const pool = new pg.Pool({
    connectionString: address,
    max: most,
    // A process stopped in the middle of a transaction must not block the others.
    idle_in_transaction_session_timeout: 10_000,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === int8 && format !== 'binary'
          ? (text: string) => BigInt(text)
          : pg.types.getTypeParser(oid, format),
    },
  });
  // A lost connection is replaced at the next query, and a query in progress fails. Without this listener the error
  // would end the process, whether the connection is idle or in a transaction.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
