/**
 * Opening a PostgreSQL database by its address.
 *
 * Invariants
 * - 64-bit integers come out as `bigint`, never rounded.
 * - Loaded only where somebody asks for PostgreSQL: a kiosk's installer brings no `pg`.
 * - Writing has connections of its own: facts are taken in and sent on while thousands read, and nobody waits for both.
 */
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { migrate } from './migrations.ts';
import type { Tables } from './schema.ts';
import { createStore, type Store } from './store.ts';

/** Connections for reading, and for writing: of the write transactions one is open at a time, the rest is claims and marks. */
const READERS = 10;
const WRITERS = 4;

/** Opens a PostgreSQL database by its address and brings it up to date. */
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

/** The database at `address` over at most `most` connections, none of them open yet. */
function connect(address: string, most: number): Kysely<Tables> {
  const int8 = 20;
  const pool = new pg.Pool({
    connectionString: address,
    max: most,
    // A process that was stopped in the middle of a transaction must not hold up the others.
    idle_in_transaction_session_timeout: 10_000,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === int8 && format !== 'binary'
          ? (text: string) => BigInt(text)
          : pg.types.getTypeParser(oid, format),
    },
  });
  // A connection that is lost is replaced by the next query, and what was under way on it fails there; without a listener, idle
  // or in a transaction, it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
