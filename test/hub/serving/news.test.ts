/**
 * A device with an up-to-date mirror sends one request per round. It reads the lists that changed, and nothing else.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { createHub } from '../../../src-main/core/delivery/outbox/hub.ts';
import { createNews } from '../../../src-main/core/event/sync/news.ts';
import { createPuller } from '../../../src-main/core/event/sync/puller.ts';
import { createClient } from '../../../src-main/core/foundations/api/client.ts';
import { createConnection } from '../../../src-main/core/foundations/api/connection.ts';
import { connections } from '../../../src-platform/resources/derived.ts';
import { labels } from '../../../src-platform/resources/labels.ts';
import { type Resource, shapeOf } from '../../../src-platform/resources/resource.ts';
import { putRecord } from '../../../src-platform/store/records.ts';
import { createMemoryMirror } from '../../bench/fleet/memory-mirror.ts';
import { createMemoryOutbox } from '../../bench/fleet/memory-outbox.ts';
import { rememberingLog, until } from '../../core/fixture.ts';
import { realClock, realRandom } from '../../core/real-parts.ts';
import { expo, startHub } from './serving-hub.ts';

const PATIENCE_MS = 60_000;

/** A clock with pauses of at most 20 ms. */
const hurriedClock = {
  ...realClock,
  sleep: (ms: number, signal?: AbortSignal) => realClock.sleep(Math.min(ms, 20), signal),
};

type Hub = Awaited<ReturnType<typeof startHub>>;

const put = ({ store }: Hub, resource: Resource, doc: object) =>
  store.write((write) =>
    putRecord(write, shapeOf(resource), expo, { id: randomUUID(), expoID: expo, ...doc }),
  );

const tap = (hub: Hub, key: string, partnerID: string, touchpointID: string) => {
  const item = { id: randomUUID(), kind: 'tap', at: new Date().toISOString(), seq: 1, source: 'nfc' };
  return hub.request('POST', `/actions/${expo}`, key, [{ ...item, touchpointID, partnerID, badge: '04AA' }]);
};

/** The hub's mark of each list for this key: a text that changes when the list changes. */
const newsOf = async (hub: Hub, key: string): Promise<Record<string, string>> => {
  const { status, json } = await hub.request('GET', `/hub/news/${expo}`, key);
  expect(status).toBe(200);
  return (json as { readonly news: Record<string, string> }).news;
};

/** The lists whose marks changed. */
const changes = (before: Record<string, string>, after: Record<string, string>): readonly string[] =>
  Object.keys(after).filter((name) => after[name] !== before[name]);

const enrolled = async (hub: Hub): Promise<string> => {
  const key = randomBytes(32).toString('base64url');
  await hub.enrol(hub.device, key);
  return key;
};

it('a hub changes the mark of each changed list, including deletions, but not for another partner’s records', async () => {
  const hub = await startHub();
  const key = await enrolled(hub);
  const { partnerId, touchpointId } = hub.about;
  let before = await newsOf(hub, key);
  expect(Object.keys(before)).toEqual(expect.arrayContaining(['event', 'facts', 'connections', 'visitors']));
  const changed = async (): Promise<readonly string[]> => {
    const after = await newsOf(hub, key);
    const names = changes(before, after);
    before = after;
    return names;
  };
  expect(await changed()).toEqual([]);
  const label = await put(hub, labels, { name: 'New', color: '#0a7d5c', types: ['profile'] });
  expect(await changed()).toEqual(['labels']);
  await put(hub, labels, { id: label.id, deleted: true });
  expect(await changed()).toEqual(['labels']);
  await put(hub, connections, { partnerID: 'another', visitorID: 'V1' });
  expect(await changed()).toEqual([]);
  await put(hub, connections, { partnerID: partnerId, visitorID: 'V1' });
  expect(await changed()).toEqual(['connections']);
  await tap(hub, key, partnerId, touchpointId);
  expect(await changed()).toEqual(['facts']);
});

/** A puller at the hub, with the requests that it sent. `isNew`: the device does not know yet that this is a hub. */
const startPuller = async (hub: Hub, key: string, { isNew = false } = {}) => {
  const asked: string[] = [];
  const http = createClient({ baseUrl: hub.baseUrl, key, password: '', expoId: expo }, hurriedClock);
  const note = (path: string): void => void asked.push(path.split(`/${expo}`)[0] ?? path);
  const client: typeof http = {
    ...http,
    get: (path, ...rest) => {
      note(path);
      return http.get(path, ...rest);
    },
    getBytes: (path, ...rest) => {
      note(path);
      return http.getBytes(path, ...rest);
    },
  };
  const outbox = createMemoryOutbox();
  const journal = { settings: outbox.settings, outbox };
  const parts = { client, expoId: expo, clock: hurriedClock, random: realRandom, log: rememberingLog() };
  const there = createHub({ ...parts, journal, onChange: () => undefined });
  const signal = new AbortController();
  if (!isNew) await there.ask(signal.signal);
  let rounds = 0;
  const arrived: string[] = [];
  const puller = createPuller({
    ...{ ...parts, mirror: createMemoryMirror(), connection: createConnection(() => undefined) },
    news: createNews(client, expo, there),
    partner: () => hub.about.partnerId,
    onPage: (_resource, changed) => void arrived.push(...changed.map(({ id }) => id)),
    ...{ onRemoved: () => undefined, onCompared: () => undefined },
    // Asks whether this is a hub.
    backgroundJobs: async (ended) => {
      if (!there.wasAsked()) await there.ask(ended);
    },
    onRound: () => {
      rounds += 1;
    },
  });
  const running = puller.run(signal.signal);
  onTestFinished(async () => {
    signal.abort();
    await running;
    await http.close();
  });
  const moreRounds = async (count: number): Promise<void> => {
    const goal = rounds + count;
    await until(`${count} more rounds`, () => rounds >= goal, PATIENCE_MS);
  };
  return { asked, arrived, moreRounds, puller };
};

it('a device sends one request per round while nothing changed, and reads changed lists', async () => {
  const hub = await startHub();
  const { asked, arrived, moreRounds, puller } = await startPuller(hub, await enrolled(hub));
  await moreRounds(3);
  asked.length = 0;
  await moreRounds(5);
  expect(new Set(asked)).toEqual(new Set(['/hub/news']));
  asked.length = 0;
  const { id } = await put(hub, labels, { name: 'New', color: '#0a7d5c', types: ['profile'] });
  await until('the label arrived', () => arrived.includes(id), PATIENCE_MS);
  // The request may already have been in flight.
  expect(new Set([...asked, '/hub/news'])).toEqual(new Set(['/hub/news', '/labels']));
  // A requested comparison covers every list.
  puller.reconcile();
  await moreRounds(2);
  expect(asked).toEqual(expect.arrayContaining(['/visitors', '/touchpoints', '/connections']));
});

it('a new device reads each list once, like a device that already used the hub', async () => {
  const hub = await startHub();
  const key = await enrolled(hub);
  const reads = async (isNew: boolean): Promise<readonly string[]> => {
    const { asked, moreRounds } = await startPuller(hub, key, { isNew });
    await moreRounds(3);
    return asked.filter((path) => !path.startsWith('/hub')).toSorted();
  };
  const known = await reads(false);
  expect(known).toEqual(expect.arrayContaining(['/expos', '/visitors', '/touchpoints']));
  expect(await reads(true)).toEqual(known);
});
