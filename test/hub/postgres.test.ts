/**
 * The hub on a real PostgreSQL: facts survive a kill and reach the platform once. A second hub on the same database
 * does not start, nor does a hub whose database does not answer.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished } from 'vitest';
import { acceptAll } from '../../src-platform/hub/accept.ts';
import { ERASED_ON_THE_WAY } from '../../src-platform/hub/forgotten.ts';
import { openPostgres } from '../../src-platform/store/postgres.ts';
import { ownFolder, until } from '../core/fixture.ts';
import { createPlatformHere } from '../core/platform-process.ts';
import { freePort } from '../free-port.ts';
import { ownDatabase, postgresTest as test } from '../platform/postgres/own-database.ts';
import { addDevice } from './enrolled-devices.ts';
import { forgetFacts } from './forget-facts.ts';
import { createHubProcess, runHub } from './hub-process.ts';

/** A generous limit for a loaded machine, because the tests wait for states. */
const PATIENCE_MS = 60_000;

test('the hub on PostgreSQL keeps accepted facts through a kill and delivers them once', async () => {
  const folder = ownFolder();
  const database = await ownDatabase();
  const platform = await createPlatformHere(join(folder, 'platform'));
  await platform.start();
  const hub = await createHubProcess(join(folder, 'hub'), platform, ['--database', database]);
  await hub.start();

  const upstream = ['--upstream', platform.baseUrl, '--key', platform.key, '--expo', platform.expoId];
  const second = await runHub(...upstream, '--data', join(folder, 'other'), '--database', database);
  expect(second).toEqual({ code: 2, out: '', err: 'Another hub works on this database.\n' });
  const nowhere = `postgres://nobody@127.0.0.1:${await freePort()}/none`;
  const none = await runHub(...upstream, '--data', join(folder, 'none'), '--database', nowhere);
  expect(none.code).toBe(2);
  expect(none.err).toMatch(/cannot be opened.*Debian has the server in the package postgresql/);

  const { credential } = await addDevice(hub, folder, 'AD2026T01', ['--database', database]);
  const items = Array.from({ length: 250 }, (_none, seq) => ({
    ...{ id: randomUUID(), kind: 'tap', at: new Date(1_795_000_000_000 + seq * 1000).toISOString(), seq },
    ...{ touchpointID: 'AD2026T01', badge: `04CC${String(seq).padStart(10, '0')}`, source: 'nfc' },
  }));
  await platform.stop();
  for (const from of [0, 100, 200, 0]) {
    const { json } = await hub.request(
      'POST',
      `/actions/${platform.expoId}`,
      credential,
      items.slice(from, from + 100),
    );
    expect(json).toHaveLength(Math.min(100, 250 - from));
  }
  const receipts = async (): Promise<readonly string[]> => {
    const ids = items.slice(0, 200).map(({ id }) => id);
    const { json } = await hub.request(
      'GET',
      `/hub/receipts/${platform.expoId}?ids=${ids.join(',')}`,
      credential,
    );
    return [...new Set((json.receipts as { state: string }[]).map(({ state }) => state))];
  };
  expect(await receipts()).toEqual(['at-hub']);
  await hub.kill();
  await hub.start();
  expect(await receipts()).toEqual(['at-hub']);
  await platform.start();
  await until('every fact is confirmed', async () => (await receipts()).join() === 'confirmed', PATIENCE_MS);
  const held = async () => (await platform.actions()).filter(({ badge }) => String(badge).startsWith('04CC'));
  await until('the platform has every fact', async () => (await held()).length >= 250, PATIENCE_MS);
  const ours = await held();
  expect(ours).toHaveLength(250);
  expect(new Set(ours.map(({ clientID }) => clientID)).size).toBe(250);

  const forgetting = { id: randomUUID(), at: new Date().toISOString(), facts: [items[0]?.id], people: [] };
  const forget = () => hub.request('POST', `/hub/forget/${platform.expoId}`, credential, forgetting);
  for (const _twice of [1, 2]) expect(await forget()).toEqual({ status: 200, json: { neverOut: [] } });
  const told = await hub.request('GET', `/hub/facts/${platform.expoId}`, credential);
  expect(told.json).toMatchObject({ facts: [], forgotten: [forgetting] });
}, 300_000);

test('a request to forget treats a fact that the sender has just taken as possibly at the platform', async () => {
  const store = await openPostgres(await ownDatabase());
  onTestFinished(store.close);
  const item = { id: randomUUID(), kind: 'tap', at: new Date(0).toISOString(), badge: 'B1', partnerID: 'P1' };
  const scope = { expoId: 'E1', device: null, wereOut: false, since: 0 };
  await acceptAll(store, [{ scope, entries: [item], now: new Date() }]);

  const forgotten = await store.transaction(async (db) => {
    await db.updateTable('relay_fact').set({ state: 'in_flight' }).execute();
    const forgetting = forgetFacts(store, [item.id]);
    const isBlocked = async () => {
      const { rows } = await sql`select 1 from pg_locks where not granted`.execute(db);
      return rows.length > 0;
    };
    await until('the request waits for the row', isBlocked, PATIENCE_MS);
    return { forgetting };
  });
  expect(await forgotten.forgetting).toEqual({ neverOut: [] });
  expect(await store.db.selectFrom('relay_fact').select(['state', 'reason', 'item']).execute()).toEqual([
    { state: 'parked', reason: ERASED_ON_THE_WAY, item: '' },
  ]);
}, 300_000);
