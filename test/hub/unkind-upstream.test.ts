/**
 * The hub's outbox with difficult platforms: one ignores ids, one answers `200 []` to every write, and one does not
 * answer a write that it stored. The sender is the kiosk's. The tests show that it works with the hub's table.
 */
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { createHubStore } from '../../src-hub/outbox/hub-store.ts';
import { openSettings } from '../../src-hub/settings.ts';
import { createDelivery } from '../../src-main/core/delivery/outbox/sender.ts';
import { createClient } from '../../src-main/core/foundations/api/client.ts';
import { acceptAll, type HubScope } from '../../src-platform/hub/accept.ts';
import { openSqlite } from '../../src-platform/store/open.ts';
import { commonParts } from '../core/delivery/outbox/running-sender.ts';
import { startSmallPlatform } from '../core/delivery/outbox/unkind-platform.ts';
import { ownFolder, until } from '../core/fixture.ts';
import { realClock } from '../core/real-parts.ts';
import { isThorough } from '../thoroughness.ts';

const clock = {
  ...realClock,
  sleep: (ms: number, signal?: AbortSignal) => realClock.sleep(Math.min(ms, 100), signal),
};

const anybody: HubScope = { expoId: 'E1', device: null, wereOut: false, since: 0 };

/** `answerMs`: after how many real milliseconds an answer times out. */
const openHub = async (upstream: string, answerMs = 500) => {
  const store = await openSqlite(ownFolder());
  const settings = await openSettings({
    ...{ store, expo: 'E1', place: null, newId: 'epoch', now: 0, onFault: () => undefined },
  });
  const hub = createHubStore(store, 'E1', settings.learnt, clock);
  const access = { baseUrl: upstream, key: 'k', password: '', expoId: 'E1' };
  const limits = { headersMs: answerMs, bodyMs: answerMs, totalMs: 4 * answerMs };
  onTestFinished(async () => {
    await settings.written();
    await store.close();
  });
  /** Runs the sender until it is stopped. `slowMs`: a delay that is added to each request. */
  const run = (slowMs = 0) => {
    const fast = createClient(access, clock, { slots: 2, limits });
    const slow = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
      await realClock.sleep(slowMs);
      return ask();
    };
    const client: typeof fast = {
      ...fast,
      get: (...asked) => slow(() => fast.get(...asked)),
      post: (...asked) => slow(() => fast.post(...asked)),
    };
    const sender = createDelivery({
      ...commonParts(clock),
      ...{ client, expoId: 'E1', store: hub, owner: () => ({ touchpoint: null, partner: null }) },
    });
    const ended = new AbortController();
    const running = sender.run(ended.signal);
    const stop = async (): Promise<void> => {
      ended.abort();
      await running;
      await client.close();
    };
    onTestFinished(stop);
    return { sender, stop };
  };
  const take = async (
    count: number,
    scope: Partial<HubScope> = {},
    ids: readonly string[] = [],
  ): Promise<readonly string[]> => {
    const items = Array.from({ length: count }, (_none, seq) => ({
      ...{
        id: ids[seq] ?? randomUUID(),
        kind: 'tap',
        at: new Date(1_790_000_000_000 + seq * 60_000).toISOString(),
        seq,
      },
      ...{ touchpointID: 'tp1', partnerID: 'p1', badge: `04AABBCC00${10 + seq}`, source: 'nfc' },
    }));
    await acceptAll(store, [{ scope: { ...anybody, ...scope }, entries: items, now: new Date() }]);
    return items.map(({ id }) => id);
  };
  const addsUp = async () => {
    const { taken, ...states } = await hub.counts();
    return taken === Object.values(states).reduce((sum, count) => sum + count, 0);
  };
  return { hub, run, take, addsUp };
};

test.each([
  ['does not answer a write that it stored', ['takeAndHang', 'takeAndHang']],
  ['answers "200 []" to a write that it stored', ['takeAndSayNothing']],
  ['answers "200 []" and stores nothing, is busy, then answers normally', ['sayNothing', 'busy', 'busy']],
] as const)('a platform that ignores ids and %s has each fact once', async (_mood, manners) => {
  const platform = await startSmallPlatform();
  platform.manners.push(...manners);
  const { hub, run, take, addsUp } = await openHub(platform.baseUrl);
  const ids = await take(5);
  run();
  await until('everything is confirmed', async () => {
    expect(await addsUp()).toBe(true);
    return (await hub.counts()).confirmed === ids.length;
  });
  expect(ids.map(platform.effects)).toEqual(ids.map(() => 1));
});

test('no fact is lost at a platform that answers every write with "200 []", and the pause says so', async () => {
  const platform = await startSmallPlatform();
  platform.manners.push(...Array.from({ length: 100 }, () => 'sayNothing' as const));
  const { hub, run, take, addsUp } = await openHub(platform.baseUrl);
  await take(3);
  const { sender } = run();
  await until('the reason of the pause is shown', () => sender.pause() === 'takesNoScans');
  expect(await hub.counts()).toMatchObject({ taken: 3, confirmed: 0, parked: 0 });
  expect(await addsUp()).toBe(true);
});

test('a fact in flight when the hub was killed is looked up before it is sent again', async () => {
  const platform = await startSmallPlatform();
  platform.manners.push('takeAndHang');
  // Nothing times out before the kill, even on a slow machine.
  const { hub, run, take } = await openHub(platform.baseUrl, 30_000);
  const ids = await take(4);
  const first = run();
  await until('the first write arrived', () => platform.heard.some((entry) => entry !== 'look'));
  await first.stop();
  // The state after a kill: in flight and never settled.
  expect(await hub.counts()).toMatchObject({ in_flight: 4 });
  run();
  await until('everything is confirmed', async () => (await hub.counts()).confirmed === 4);
  expect(ids.map(platform.effects)).toEqual([1, 1, 1, 1]);
});

test.each([
  ['devices say that they may have submitted it before', { wereOut: true }],
  ['it happened before the hub began', { since: 1_800_000_000_000 }],
] as const)('a new hub looks a fact up before it sends it if %s', async (_why, scope) => {
  const platform = await startSmallPlatform();
  const lost = await openHub(platform.baseUrl);
  const ids = await lost.take(3);
  const first = lost.run();
  await until('upstream has the facts', () => ids.every((id) => platform.effects(id) === 1));
  await first.stop();
  // The disk is lost. An empty hub accepts the same items again, and a new one.
  const { hub, run, take } = await openHub(platform.baseUrl);
  const again = await take(3, scope, ids);
  expect(await hub.counts()).toMatchObject({ taken: 3, uncertain: 3 });
  const [fresh = ''] = await take(1);
  run();
  await until('everything is confirmed', async () => (await hub.counts()).confirmed === 4);
  expect([...again, fresh].map(platform.effects)).toEqual([1, 1, 1, 1]);
});

test('a hub sends few requests, shared fairly among devices, to a slow platform', async () => {
  const upstream = await startSmallPlatform();
  const { hub, run, take } = await openHub(upstream.baseUrl);
  const owners = new Map<string, string>();
  for (const id of ['one', 'two', 'three', 'four']) {
    const device = { id, touchpointId: 'tp1', partnerId: 'p1', expo: null, onlyEnrols: false };
    const scope = { device: { ...device, seesAllDetails: false } };
    for (const fact of await take(30, scope)) owners.set(fact, id);
  }
  run(isThorough() ? 1_000 : 100);
  await until('everything is confirmed', async () => (await hub.counts()).confirmed === owners.size);
  const writes = upstream.heard.filter((each) => each !== 'look').map(({ write }) => write);
  expect(writes.map((ids) => Map.groupBy(ids, (id) => owners.get(id)).size)).toEqual([4, 4, 4]);
  expect(writes.flat()).toHaveLength(owners.size);
  expect(upstream.heard.length).toBeLessThanOrEqual(9);
});
