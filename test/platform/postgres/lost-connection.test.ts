/**
 * PostgreSQL ends a connection in the middle of a transaction, as it does for a process that slept too long. The
 * transaction fails, and the process continues.
 */
import { sql } from 'kysely';
import { expect, onTestFinished } from 'vitest';
import { openPostgres } from '../../../src-platform/store/postgres.ts';
import { until } from '../../core/fixture.ts';
import { ownDatabase, postgresTest } from './own-database.ts';

postgresTest(
  'the loss of a connection within a transaction fails only that transaction',
  async () => {
    const store = await openPostgres(await ownDatabase());
    onTestFinished(store.close);
    const keep = (name: string) =>
      store.write(({ db }) => db.insertInto('box_setting').values({ name, value: 'kept' }).execute());
    const lost = store.write(async ({ db }) => {
      await db.insertInto('box_setting').values({ name: 'lost', value: 'not kept' }).execute();
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
      const own = rows[0]?.pid ?? 0;
      await sql`select pg_terminate_backend(${own})`.execute(store.db);
      await until('the connection is gone', async () => {
        const found = await sql`select 1 from pg_stat_activity where pid = ${own}`.execute(store.db);
        return found.rows.length === 0;
      });
      // The connection has ended while no query was using it.
      await sql`select 1`.execute(store.db);
      await sql`select 1`.execute(db);
    });
    await expect(lost).rejects.toThrow();
    await keep('later');
    const names = await store.db.selectFrom('box_setting').select('name').execute();
    expect(names).toEqual([{ name: 'later' }]);
  },
  120_000,
);
