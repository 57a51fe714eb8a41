/**
 * Notices between processes on one PostgreSQL database: they come with the commit and reach every process. After lost
 * connections every process polls everything.
 */
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { openPostgres } from '../../../src-platform/store/postgres.ts';
import { until } from '../../core/fixture.ts';
import { ownDatabase, postgresTest as test } from './own-database.ts';

const open = async (database: string) => {
  const store = await openPostgres(database);
  onTestFinished(store.close);
  const heard: string[] = [];
  store.onNotice(({ topic, about }) => heard.push(`${topic} ${about}`));
  await until('the process listens', () => heard.includes('missed '));
  heard.length = 0;
  return { store, heard };
};

test('a notice reaches every process with its commit, and none after a rollback', async () => {
  const database = await ownDatabase();
  const [one, two] = [await open(database), await open(database)];
  await expect(
    one.store.transaction(async (_db, notify) => {
      notify('team', 'never');
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  let isOpen = true;
  await one.store.write(async ({ notify }) => {
    notify('team', 'P1');
    notify('taken');
    expect(two.heard).toEqual([]);
    isOpen = false;
  });
  expect(isOpen).toBe(false);
  await until('both processes received the notice', () => one.heard.length === 2 && two.heard.length === 2);
  expect(two.heard).toEqual(['team P1', 'taken ']);
  expect(one.heard).toEqual(two.heard);
}, 120_000);

test('a process that lost its connection is notified that it may have missed notices, and receives later ones', async () => {
  const database = await ownDatabase();
  const [one, two] = [await open(database), await open(database)];
  const killer = new pg.Client({ connectionString: database });
  await killer.connect();
  onTestFinished(() => killer.end());
  await killer.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
  );
  await until(
    'both processes listen again',
    () => one.heard.includes('missed ') && two.heard.includes('missed '),
  );
  const say = () => one.store.transaction(async (_db, notify) => notify('commands', 'D1'));
  // A pooled connection may notice only when it is used next that it was ended.
  await until('the notice was sent', () =>
    say().then(
      () => true,
      () => false,
    ),
  );
  await until('both processes received the notice', () =>
    [one, two].every(({ heard }) => heard.includes('commands D1')),
  );
}, 120_000);
