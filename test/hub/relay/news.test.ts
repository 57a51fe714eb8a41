/**
 * A device whose copy is up to date asks its box one question a round; what changed is read, and nothing else is.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src-main/core/api/client.ts';
import { createConnection } from '../../../src-main/core/api/connection.ts';
import { createBox } from '../../../src-main/core/outbox/box.ts';
import { createNews } from '../../../src-main/core/sync/news.ts';
import { createPuller } from '../../../src-main/core/sync/puller.ts';
import { connections } from '../../../src-platform/resources/derived.ts';
import { labels } from '../../../src-platform/resources/labels.ts';
import { type Resource, shapeOf } from '../../../src-platform/resources/resource.ts';
import { putRecord } from '../../../src-platform/store/records.ts';
import { createMemoryMirror } from '../../bench/fleet/memory-mirror.ts';
import { createMemoryOutbox } from '../../bench/fleet/memory-outbox.ts';
import { rememberingLog, until } from '../../core/fixture.ts';
import { realClock, realRandom } from '../../core/real-parts.ts';
import { expo, startBox } from './relay-box.ts';

const PATIENCE_MS = 60_000;

/** Rounds follow one another at once. */
const hurriedClock = {
  ...realClock,
  sleep: (ms: number, signal?: AbortSignal) => realClock.sleep(Math.min(ms, 20), signal),
};

type Box = Awaited<ReturnType<typeof startBox>>;

const put = ({ store }: Box, resource: Resource, doc: object) =>
  store.write((write) =>
    putRecord(write, shapeOf(resource), expo, { id: randomUUID(), expoID: expo, ...doc }),
  );

const tap = (box: Box, key: string, partnerID: string, touchpointID: string) => {
  const item = { id: randomUUID(), kind: 'tap', at: new Date().toISOString(), seq: 1, source: 'nfc' };
  return box.request('POST', `/actions/${expo}`, key, [{ ...item, touchpointID, partnerID, badge: '04AA' }]);
};

/** What the box says is new to this key. */
const newsOf = async (box: Box, key: string): Promise<Record<string, string>> => {
  const { status, json } = await box.request('GET', `/box/news/${expo}`, key);
  expect(status).toBe(200);
  return (json as { readonly news: Record<string, string> }).news;
};

/** Which marks are other ones now. */
const changes = (before: Record<string, string>, after: Record<string, string>): readonly string[] =>
  Object.keys(after).filter((name) => after[name] !== before[name]);

const enrolled = async (box: Box): Promise<string> => {
  const key = randomBytes(32).toString('base64url');
  await box.enrol(box.device, key);
  return key;
};

it('marks what changed, deletions too, and of a partner’s lists its own alone', async () => {
  const box = await startBox();
  const key = await enrolled(box);
  const { partnerId, touchpointId } = box.about;
  let before = await newsOf(box, key);
  expect(Object.keys(before)).toEqual(expect.arrayContaining(['event', 'facts', 'connections', 'visitors']));
  const changed = async (): Promise<readonly string[]> => {
    const after = await newsOf(box, key);
    const names = changes(before, after);
    before = after;
    return names;
  };
  expect(await changed()).toEqual([]);
  const label = await put(box, labels, { name: 'New', color: '#0a7d5c', types: ['profile'] });
  expect(await changed()).toEqual(['labels']);
  await put(box, labels, { id: label.id, deleted: true });
  expect(await changed()).toEqual(['labels']);
  await put(box, connections, { partnerID: 'another', visitorID: 'V1' });
  expect(await changed()).toEqual([]);
  await put(box, connections, { partnerID: partnerId, visitorID: 'V1' });
  expect(await changed()).toEqual(['connections']);
  await tap(box, key, partnerId, touchpointId);
  expect(await changed()).toEqual(['facts']);
});

/** A puller at the box, with what it asked for. */
const startPuller = async (box: Box, key: string) => {
  const asked: string[] = [];
  const http = createClient({ baseUrl: box.baseUrl, key, password: '', expoId: expo }, hurriedClock);
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
  const there = createBox({ ...parts, journal, onChange: () => undefined });
  const signal = new AbortController();
  await there.ask(signal.signal);
  let rounds = 0;
  const arrived: string[] = [];
  const puller = createPuller({
    ...{ ...parts, mirror: createMemoryMirror(), connection: createConnection(() => undefined) },
    news: createNews(client, expo, there),
    partner: () => box.about.partnerId,
    onPage: (_resource, changed) => void arrived.push(...changed.map(({ id }) => id)),
    ...{ onRemoved: () => undefined, onCompared: () => undefined, backgroundJobs: async () => undefined },
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

it('asks one question a round while nothing is new, and reads what is', async () => {
  const box = await startBox();
  const { asked, arrived, moreRounds, puller } = await startPuller(box, await enrolled(box));
  await moreRounds(3);
  asked.length = 0;
  await moreRounds(5);
  expect(new Set(asked)).toEqual(new Set(['/box/news']));
  asked.length = 0;
  const { id } = await put(box, labels, { name: 'New', color: '#0a7d5c', types: ['profile'] });
  await until('the label has come', () => arrived.includes(id), PATIENCE_MS);
  expect(new Set(asked)).toEqual(new Set(['/box/news', '/labels']));
  // Whoever asks for a comparison gets one of everything.
  puller.reconcile();
  await moreRounds(2);
  expect(asked).toEqual(expect.arrayContaining(['/visitors', '/touchpoints', '/connections']));
});
