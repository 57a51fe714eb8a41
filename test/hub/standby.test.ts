/**
 * Hubs on one PostgreSQL database: only one is active, as the database's clock decides. A standby takes over from a
 * suspended hub, which writes and sends nothing after it resumes.
 */
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { fenced, LeaseLost, takeLease } from '../../src-platform/hub/lease.ts';
import { openPostgres } from '../../src-platform/store/postgres.ts';
import { ownFolder, until } from '../core/fixture.ts';
import { createPlatformHere } from '../core/platform-process.ts';
import { ownDatabase, postgresTest as test } from '../platform/postgres/own-database.ts';
import { addDevice } from './enrolled-devices.ts';
import { createHubProcess, runHub } from './hub-process.ts';

/** A generous limit for a loaded machine, because the tests wait for states. */
const PATIENCE_MS = 60_000;

test('a lease has one holder, and a previous holder writes nothing', async () => {
  const database = await ownDatabase();
  const [one, two] = [await openPostgres(database), await openPostgres(database)];
  onTestFinished(async () => {
    await Promise.all([one.close(), two.close()]);
  });
  const long = 3_600_000;
  const first = await takeLease(one, { id: 'one', name: 'Hub one', leaseMs: long });
  if (first.kind === 'held') throw new Error('Expected a free lease');
  const store = fenced(one, first.lease);
  const put = (value: string) =>
    store.write(async ({ db }) => {
      await db.deleteFrom('box_setting').execute();
      await db.insertInto('box_setting').values({ name: 'x', value }).execute();
    });
  await put('of one');
  await first.lease.renew();
  const other = { id: 'two', name: 'Hub two', leaseMs: long };
  expect(await takeLease(two, other)).toEqual({ kind: 'held', by: 'Hub one' });

  // The same hub does not wait after a kill, because the lease belongs to its own previous run.
  const again = await takeLease(one, { id: 'one', name: 'Hub one', leaseMs: 0 });
  if (again.kind === 'held') throw new Error('Expected the lease of the run before');
  expect(again.lease.term).toBe(first.lease.term + 1n);
  await expect(put('of the run before')).rejects.toBeInstanceOf(LeaseLost);
  await until('the lease has expired', async () => (await takeLease(two, other)).kind === 'taken');
  await expect(again.lease.renew()).rejects.toBeInstanceOf(LeaseLost);
  await expect(again.lease.check(one.db)).rejects.toBeInstanceOf(LeaseLost);
  await expect(fenced(one, again.lease).transaction(async () => 'done')).rejects.toBeInstanceOf(LeaseLost);
  await again.lease.giveBack();
  expect((await takeLease(one, { ...other, id: 'three' })).kind).toBe('held');
  const kept = await two.db.selectFrom('box_setting').select('value').execute();
  expect(kept).toEqual([{ value: 'of one' }]);
}, 120_000);

test('a takeover waits for open transactions of the holder, but a renewal does not', async () => {
  const database = await ownDatabase();
  const [one, two] = [await openPostgres(database), await openPostgres(database)];
  onTestFinished(async () => {
    await Promise.all([one.close(), two.close()]);
  });
  const first = await takeLease(one, { id: 'one', name: 'one', leaseMs: 0 });
  if (first.kind === 'held') throw new Error('Expected a free lease');
  const order: string[] = [];
  const watcher = new pg.Client({ connectionString: database });
  await watcher.connect();
  onTestFinished(() => watcher.end());
  let taking: Promise<unknown> = Promise.resolve();
  await fenced(one, first.lease).transaction(async (db) => {
    await first.lease.renew();
    order.push('renewed');
    taking = takeLease(two, { id: 'one', name: 'two', leaseMs: 0 }).then(() => order.push('taken over'));
    const waits = async (): Promise<boolean> => {
      const { rows } = await watcher.query(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%box_lease%'`,
      );
      return rows.length > 0;
    };
    await until('the takeover waits', waits);
    await db.insertInto('box_setting').values({ name: 'y', value: 'written' }).execute();
    order.push('wrote');
  });
  await taking;
  expect(order).toEqual(['renewed', 'wrote', 'taken over']);
}, 120_000);

test('a standby takes over from a suspended hub, and delivers everything once', async () => {
  const folder = ownFolder();
  const database = await ownDatabase();
  const platform = await createPlatformHere(join(folder, 'platform'));
  await platform.start();
  const more = ['--database', database, '--lease', '10'];
  const hub = await createHubProcess(join(folder, 'hub'), platform, more);
  await hub.start();
  const { credential } = await addDevice(hub, folder, 'AD2026T01', ['--database', database]);

  const second = join(folder, 'standby');
  const upstream = ['--upstream', platform.baseUrl, '--key', platform.key, '--expo', platform.expoId];
  const unknown = await runHub(...upstream, '--data', second, '--standby', ...more);
  expect(unknown).toMatchObject({
    code: 2,
    err: expect.stringContaining('copy box-key.pem of the hub into'),
  });
  mkdirSync(second, { recursive: true });
  copyFileSync(join(hub.folder, 'box-key.pem'), join(second, 'box-key.pem'));
  const standby = await createHubProcess(second, platform, [...more, '--standby']);
  const takenOver = standby.start();

  const items = Array.from({ length: 60 }, (_none, seq) => ({
    ...{ id: randomUUID(), kind: 'tap', at: new Date(1_795_000_000_000 + seq * 1000).toISOString(), seq },
    ...{ touchpointID: 'AD2026T01', badge: `04DD${String(seq).padStart(10, '0')}`, source: 'nfc' },
  }));
  const path = `/actions/${platform.expoId}`;
  expect((await hub.request('POST', path, credential, items.slice(0, 40))).json).toHaveLength(40);
  const asleep = await hub.sleep();
  await takenOver;
  // The suspended hub receives this request when it resumes, and must not accept it.
  const late = hub.request('POST', path, credential, items.slice(40, 50)).then(
    ({ status }) => status,
    () => 'no answer',
  );
  expect((await standby.request('POST', path, credential, items.slice(30))).json).toHaveLength(30);
  expect(await asleep.wake()).toBe(3);
  expect(await late).not.toBe(200);

  const ours = async () => (await platform.actions()).filter(({ badge }) => String(badge).startsWith('04DD'));
  await until('the platform has every fact', async () => (await ours()).length >= 60, PATIENCE_MS);
  const ids = items.map(({ id }) => id).join(',');
  await until(
    'every fact is confirmed',
    async () => {
      const { json } = await standby.request(
        'GET',
        `/hub/receipts/${platform.expoId}?ids=${ids}`,
        credential,
      );
      return (json.receipts as { state: string }[]).every(({ state }) => state === 'confirmed');
    },
    PATIENCE_MS,
  );
  expect(new Set((await ours()).map(({ clientID }) => clientID)).size).toBe(60);
  expect(await ours()).toHaveLength(60);
}, 300_000);
