/**
 * Opens a PostgreSQL database by its address.
 *
 * Invariants
 * - 64-bit integers are read as `bigint`, never rounded.
 * - Loaded only if PostgreSQL is configured: a kiosk's installer contains no `pg`.
 * - Writing has its own connections: facts are accepted and forwarded while thousands of clients read.
 */
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { migrate } from './migrations.ts';
import type { Tables } from './schema.ts';
import { createStore, type Store } from './store.ts';

/** Connections for reading and for writing: one write transaction is open at a time, the rest are claims and marks. */
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
  return createStore({ engine: 'postgres', reader: connect(address, READERS), writer });
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
  // A lost connection is replaced by the next query; a query in progress fails there. Without a listener the error, idle
  // or in a transaction, it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
