/**
 * Which facts a hub sends next if one device has many: the devices take turns, and all guarantees about the order
 * hold.
 */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { expect, onTestFinished, test } from 'vitest';
import { createHubStore } from '../../src-hub/outbox/hub-store.ts';
import { createDelivery } from '../../src-main/core/delivery/outbox/sender.ts';
import { createClient } from '../../src-main/core/foundations/api/client.ts';
import { acceptAll } from '../../src-platform/hub/accept.ts';
import { openSqlite } from '../../src-platform/store/open.ts';
import { openPostgres } from '../../src-platform/store/postgres.ts';
import type { Store } from '../../src-platform/store/store.ts';
import { commonParts, runToTheEnd } from '../core/delivery/outbox/running-sender.ts';
import { startSmallPlatform } from '../core/delivery/outbox/unkind-platform.ts';
import { ownFolder, until } from '../core/fixture.ts';
import { realClock } from '../core/real-parts.ts';
import { ownDatabase, postgresTest } from '../platform/postgres/own-database.ts';

const EXPO = 'AD2026';
const AT = '2026-11-24T10:00:00.000Z';

const tap = (more: object = {}) => ({
  ...{ id: randomUUID(), kind: 'tap', at: AT, touchpointID: 'T1', partnerID: 'P1', badge: '04AABBCCDDEEFF' },
  ...more,
});

/** The store of a hub, and the part of it that the sender uses. */
const openHub = (store: Store) => {
  const hub = createHubStore(store, EXPO, { get: () => null, set: () => undefined }, { now: Date.now });
  const submit = async (id: string, entries: readonly object[]): Promise<void> => {
    const device = { id, touchpointId: 'T1', partnerId: 'P1', expo: null, onlyEnrols: false };
    const scope = { expoId: EXPO, device: { ...device, seesAllDetails: false }, wereOut: false, since: 0 };
    for (let from = 0; from < entries.length; from += 1_000)
      await acceptAll(store, [{ scope, entries: entries.slice(from, from + 1_000), now: new Date() }]);
  };
  const take = (limit: number, skip = 0) => hub.take({ touchpoint: null, partner: null }, { limit, skip });
  return { hub, submit, take };
};

/** Takes and settles batches until one is empty. Returns the ids in the order of the batches. */
const sendAll = async ({ hub, take }: ReturnType<typeof openHub>): Promise<readonly string[]> => {
  const sent: string[] = [];
  for (;;) {
    const { outgoing } = await take(100);
    if (outgoing.length === 0) return sent;
    sent.push(...outgoing.map(({ id }) => id));
    await hub.settle(
      outgoing.map(({ seq }) => ({ seq, kind: 'sent', action: null, revision: null, atHub: false })),
      0,
    );
  }
};

const devicesTakeTurns = async (store: Store): Promise<void> => {
  const opened = openHub(store);
  const { hub, submit, take } = opened;
  const flood = Array.from({ length: 300 }, () => tap());
  const mine = [tap(), tap()];
  const other = [tap()];
  await submit('flood', flood);
  await submit('mine', mine);
  await submit('other', other);
  // A smaller batch is the beginning of a larger one.
  const idsOf = ({ outgoing }: Awaited<ReturnType<typeof take>>) => outgoing.map(({ id }) => id);
  const preview = async (limit: number): Promise<readonly string[]> => {
    const batch = await take(limit);
    const seqs = batch.outgoing.map(({ seq }) => seq);
    await hub.requeue(seqs, 'test', false, 0);
    return idsOf(batch);
  };
  const two = await preview(2);
  const four = await preview(4);
  expect(new Set(four)).toEqual(new Set([flood[0], mine[0], other[0], flood[1]].map((one) => one?.id)));
  expect(four).toEqual(expect.arrayContaining([...two]));
  const first = idsOf(await take(100));
  expect(first).toHaveLength(13);
  for (const { id } of [...mine, ...other]) expect(first).toContain(id);
  expect(first.filter((id) => flood.some((one) => one.id === id))).toEqual(
    flood.slice(0, 10).map(({ id }) => id),
  );

  // An undo by another device waits for its fact.
  const last = flood.at(-1);
  const undo = tap({ kind: 'undo', undoes: last?.id, staff: 'S1' });
  await submit('mine', [undo]);
  const second = await take(100);
  expect(second.outgoing.some(({ wire }) => wire.includes('undoes'))).toBe(false);
  expect((await sendAll(opened)).slice(-2)).toEqual([last?.id, undo.id]);

  // While the fact may be on its way, its undo waits.
  const late = tap();
  await submit('flood', [late]);
  const [onItsWay] = (await take(100)).outgoing;
  expect(onItsWay?.id).toBe(late.id);
  await submit('mine', [{ ...tap({ kind: 'undo', undoes: late.id, staff: 'S1' }) }]);
  expect((await take(100)).outgoing).toEqual([]);
  const settled = {
    seq: onItsWay?.seq ?? 0,
    kind: 'sent',
    action: null,
    revision: null,
    atHub: false,
  } as const;
  await hub.settle([settled], 0);
  expect((await take(100)).outgoing).toHaveLength(1);
};

/**
 * Two devices: the first facts of each device undo the last facts of the other. Each has more facts than a batch may
 * contain of one device.
 */
const undosBlockNothing = async (store: Store): Promise<void> => {
  const opened = openHub(store);
  const [ours, theirs] = [1, 2].map(() => Array.from({ length: 12 }, () => tap()));
  const undosOf = (taps: readonly { readonly id: string }[] = []) =>
    taps.map(({ id }) => tap({ kind: 'undo', undoes: id, staff: 'S1' }));
  const [ofTheirs, ofOurs] = [undosOf(theirs), undosOf(ours)];
  await opened.submit('ours', [...ofTheirs, ...(ours ?? [])]);
  await opened.submit('theirs', [...ofOurs, ...(theirs ?? [])]);
  const sent = await sendAll(opened);
  expect(sent).toHaveLength(48);
  const places = (facts: readonly { readonly id: string }[] = []) => facts.map(({ id }) => sent.indexOf(id));
  for (const [undos, taps] of [
    [ofTheirs, theirs],
    [ofOurs, ours],
  ] as const)
    for (const [index, place] of places(undos).entries())
      expect(place).toBeGreaterThan(places(taps)[index] ?? Number.POSITIVE_INFINITY);

  // A device that is alone undoes its own facts. There are more than a batch may hold of one device.
  const own = Array.from({ length: 40 }, () => tap());
  const pairs = own.flatMap((one, index) => [one, undosOf(own)[index] ?? tap()]);
  await opened.submit('ours', pairs);
  expect(await sendAll(opened)).toEqual(pairs.map(({ id }) => id));
};

test('devices take turns on SQLite, however many facts one of them has', async () => {
  const store = await openSqlite(ownFolder());
  onTestFinished(() => store.close());
  await devicesTakeTurns(store);
});

postgresTest('devices take turns on PostgreSQL', async () => {
  const store = await openPostgres(await ownDatabase());
  onTestFinished(() => store.close());
  await devicesTakeTurns(store);
});

test('no undo blocks other facts on SQLite, however many undos wait', async () => {
  const store = await openSqlite(ownFolder());
  onTestFinished(() => store.close());
  await undosBlockNothing(store);
});

postgresTest('no undo blocks other facts on PostgreSQL', async () => {
  const store = await openPostgres(await ownDatabase());
  onTestFinished(() => store.close());
  await undosBlockNothing(store);
});

/** Maximum number of consecutive reads of the actions. */
const longestRead = (heard: readonly unknown[]): number =>
  Math.max(...heard.map((_one, from) => heard.slice(from).findIndex((each) => each !== 'look')));

test("a flooding device delays another device's fact by one small batch or one page of a read-back at most", async () => {
  const store = await openSqlite(ownFolder());
  const upstream = await startSmallPlatform();
  const { hub, submit } = openHub(store);
  const client = createClient({ baseUrl: upstream.baseUrl, key: 'k', password: '', expoId: EXPO }, realClock);
  const flood = Array.from({ length: 1_800 }, () => tap());
  await submit('flood', flood);
  // One fact of another device arrives during each of these requests, including reads.
  const during = [3, 5, 9];
  const late = new Map<string, number>();
  let requests = 0;
  const alsoSubmit = async <Answer>(asked: Promise<Answer>): Promise<Answer> => {
    requests += 1;
    const isNow = during.includes(requests);
    const answer = await asked;
    if (!isNow) return answer;
    const mine = tap();
    late.set(mine.id, upstream.heard.length);
    await submit('mine', [mine]);
    return answer;
  };
  const sender = createDelivery({
    ...commonParts(),
    ...{ store: hub, expoId: EXPO },
    client: {
      ...client,
      get: (...asked) => alsoSubmit(client.get(...asked)),
      post: (...asked) => alsoSubmit(client.post(...asked)),
    },
    owner: () => ({ touchpoint: null, partner: null }),
  });
  runToTheEnd(sender, async () => {
    await client.close();
    await store.close();
  });
  await until(
    'every fact is confirmed',
    async () => (await hub.counts()).confirmed === flood.length + during.length,
  );
  for (const each of upstream.heard) if (each !== 'look') expect(each.write.length).toBeLessThanOrEqual(11);
  expect(late.size).toBe(during.length);
  for (const [id, from] of late) {
    const [next] = upstream.heard.slice(from).filter((each) => each !== 'look');
    expect(next?.write).toContain(id);
  }
  // While facts are due, a read-back ends after a page.
  const last = upstream.heard.findLastIndex((each) => each !== 'look');
  expect(longestRead(upstream.heard.slice(0, last + 1))).toBe(1);
});

test('a fact that arrives during a request is sent before the answer is stored', async () => {
  const store = await openSqlite(ownFolder());
  const upstream = await startSmallPlatform();
  const { hub, submit } = openHub(store);
  const client = createClient({ baseUrl: upstream.baseUrl, key: 'k', password: '', expoId: EXPO }, realClock);
  const [first, late] = [tap(), tap()];
  await submit('flood', [first]);
  const isSent = (): boolean =>
    upstream.heard.some((each) => each !== 'look' && each.write.includes(late.id));
  let posts = 0;
  const sender = createDelivery({
    ...commonParts(),
    expoId: EXPO,
    store: {
      ...hub,
      settle: async (...settled) => {
        await until('the late fact is sent', isSent);
        await hub.settle(...settled);
      },
    },
    client: {
      ...client,
      post: async (...asked) => {
        posts += 1;
        const isFirst = posts === 1;
        const answer = await client.post(...asked);
        if (isFirst) await submit('mine', [late]);
        return answer;
      },
    },
    owner: () => ({ touchpoint: null, partner: null }),
  });
  runToTheEnd(sender, async () => {
    await client.close();
    await store.close();
  });
  await until('both facts are confirmed', async () => (await hub.counts()).confirmed === 2);
});

test('the next facts are found without reading all due facts', async () => {
  const store = await openSqlite(ownFolder());
  onTestFinished(() => store.close());
  const { submit, take } = openHub(store);
  await submit('small', [tap()]);
  await submit(
    'flood',
    Array.from({ length: 400 }, () => tap()),
  );
  const time = async (): Promise<number> => {
    const start = performance.now();
    await take(20);
    return performance.now() - start;
  };
  await time();
  const few = Math.min(await time(), await time(), await time());
  await submit(
    'flood',
    Array.from({ length: 4_000 }, () => tap()),
  );
  const many = Math.min(await time(), await time(), await time());
  expect(many / Math.max(few, 2)).toBeLessThan(8);
});
