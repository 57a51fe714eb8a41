/**
 * A hub with 200,000 facts finds the facts of one person, one fact or one device by an index, without reading all
 * facts. Otherwise every write transaction would wait for that read.
 */
import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { countsOfDevices } from '../../src-hub/fleet/reading.ts';
import { undosOf } from '../../src-hub/outbox/hub-store.ts';
import { candidatesOf } from '../../src-platform/hub/forget.ts';
import { expo, startHub } from './serving/serving-hub.ts';

const MANY = 200_000;
const KEY = 'k'.repeat(43);
const PARTNER = 'AD2026P001';

const markOf = (kind: 'badge' | 'visitor', code: string): string =>
  `${kind}:${createHash('sha256').update([expo, PARTNER, kind, code].join('\n')).digest('hex')}`;

/** A hub with many facts about other people of one partner, and two about the person with the badge `HERS`. */
const startFullHub = async (many: number) => {
  const hub = await startHub({ since: 0 });
  await hub.enrol(hub.device, KEY);
  await hub.store.transaction(async (db) => {
    await sql`
      with recursive n (i) as (values (1) union all select i + 1 from n where i < ${many})
      insert into relay_fact (expo_id, id, seq, hash, kind, item, device_id, partner_id, received, state, changed, attempts,
        repeated, badge_mark, undoes, has_lookup)
      select ${expo}, 'fact ' || i, i, '', case when i % 10 = 0 then 'undo' else 'tap' end, '{"at":"2026-11-24T09:00:00Z"}',
        'D' || (i % 500), ${PARTNER}, '', 'confirmed', '', 1, 0, 'badge:' || i,
        case when i % 10 = 0 then 'fact ' || (i - 1) end, 1
      from n`.execute(db);
    await sql`update counter set value = ${many}`.execute(db);
  });
  const items = ['2026-11-24T10:00:00.000Z', '2026-11-24T10:01:00.000Z'].map((at) => ({
    id: randomUUID(),
    kind: 'tap',
    at,
    touchpointID: 'AD2026T01',
    partnerID: PARTNER,
    badge: 'HERS',
  }));
  await hub.request('POST', `/actions/${expo}`, KEY, items);
  return { ...hub, items };
};

/** The query plan of SQLite, one line for each step. */
const planOf = async (query: {
  readonly explain: (format: undefined, options: never) => Promise<unknown>;
}) => {
  const rows = (await query.explain(undefined, sql`query plan` as never)) as readonly {
    readonly detail: string;
  }[];
  return rows.map(({ detail }) => detail);
};

test('a hub finds one person, one undo and the counts among 200,000 facts without reading the facts of others', async () => {
  const { store, hub, request, items } = await startFullHub(MANY);
  const place = { expoId: expo, partnerId: PARTNER };
  const people = [markOf('badge', 'HERS'), markOf('visitor', 'V1')];
  const stepsOn = (plan: readonly string[]): readonly string[] =>
    plan.filter((step) => step.includes('relay_fact'));
  const found = await candidatesOf(store.db, place, people).execute();
  expect(found.map(({ id }) => id).toSorted()).toEqual(items.map(({ id }) => id).toSorted());
  expect(stepsOn(await planOf(candidatesOf(store.db, place, people)))).toEqual([
    expect.stringContaining('INDEX relay_fact_badge'),
    expect.stringContaining('INDEX relay_fact_visitor'),
    expect.stringContaining('INDEX relay_fact_without_lookup'),
  ]);
  expect(await hub.isUndone(9)).toBe(true);
  expect(await hub.isUndone(8)).toBe(false);
  expect(stepsOn(await planOf(undosOf(store.ownDb, expo, 'fact 9')))).toEqual([
    expect.stringContaining('INDEX relay_fact_undoes'),
    expect.stringContaining('INDEX relay_fact_without_lookup'),
  ]);
  expect(await planOf(countsOfDevices(store.db, expo))).toEqual([
    expect.stringContaining('COVERING INDEX relay_fact_of_device'),
  ]);
  expect(await hub.counts()).toMatchObject({ taken: MANY + 2, confirmed: MANY, due: 2 });
  const answer = await request('POST', `/hub/forget/${expo}`, KEY, {
    id: randomUUID(),
    at: '2026-11-24T11:00:00.000Z',
    facts: [],
    people: people.slice(0, 1),
  });
  expect(answer.status).toBe(200);
  const erased = await store.db.selectFrom('relay_fact').select('id').where('item', '=', '').execute();
  expect(erased).toHaveLength(2);
}, 300_000);

test('a hub finds facts that are older than the index by their text', async () => {
  const { store, request, hub, items } = await startFullHub(20);
  const [first] = items;
  await store.transaction(async (db) => {
    await db
      .updateTable('relay_fact')
      .set({ badge_mark: null, undoes: null, has_lookup: 0 })
      .where((row) => row.or([row('id', '=', first?.id ?? ''), row('id', '=', 'fact 10')]))
      .execute();
    await db
      .updateTable('relay_fact')
      .set({ item: '{"at":"2026-11-24T09:00:00Z","undoes":"fact 9"}' })
      .where('id', '=', 'fact 10')
      .execute();
  });
  expect(await hub.isUndone(9)).toBe(true);
  await request('POST', `/hub/forget/${expo}`, KEY, {
    id: randomUUID(),
    at: '2026-11-24T11:00:00.000Z',
    facts: [],
    people: [markOf('badge', 'HERS')],
  });
  const erased = await store.db.selectFrom('relay_fact').select('id').where('item', '=', '').execute();
  expect(erased).toHaveLength(2);
}, 120_000);
