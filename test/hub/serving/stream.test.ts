/**
 * The event stream of a hub: each device receives the changes that it may see, once and in order, with receipts and
 * commands. A device that does not read is cut off.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createHubStream } from '../../../src-main/core/delivery/hub/stream.ts';
import { createHub } from '../../../src-main/core/delivery/outbox/hub.ts';
import { openMirror } from '../../../src-main/core/event/mirror/mirror.ts';
import { createNews } from '../../../src-main/core/event/sync/news.ts';
import { createPuller } from '../../../src-main/core/event/sync/puller.ts';
import { createPushed } from '../../../src-main/core/event/sync/pushed.ts';
import { createClient } from '../../../src-main/core/foundations/api/client.ts';
import { createConnection } from '../../../src-main/core/foundations/api/connection.ts';
import type { ServerEvent } from '../../../src-main/core/foundations/api/event-stream.ts';
import { addDevice, revokeDevice } from '../../../src-platform/keys/devices.ts';
import { connections } from '../../../src-platform/resources/derived.ts';
import { labels } from '../../../src-platform/resources/labels.ts';
import { type Resource, shapeOf } from '../../../src-platform/resources/resource.ts';
import { putRecord } from '../../../src-platform/store/records.ts';
import { createMemoryOutbox } from '../../bench/fleet/memory-outbox.ts';
import { ownFolder, rememberingLog, until } from '../../core/fixture.ts';
import { realClock, realRandom } from '../../core/real-parts.ts';
import { isThorough } from '../../thoroughness.ts';
import { startLine } from '../line.ts';
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

const label = (hub: Hub, name: string) => put(hub, labels, { name, color: '#112233', types: ['profile'] });

const enrolled = async (hub: Hub, device = hub.device): Promise<string> => {
  const key = randomBytes(32).toString('base64url');
  await hub.enrol(device, key);
  return key;
};

const clientOf = ({ baseUrl }: Pick<Hub, 'baseUrl'>, key: string) => {
  const client = createClient({ baseUrl, key, password: '', expoId: expo }, realClock);
  onTestFinished(client.close);
  return client;
};

/** Reads the stream with a key until the test ends or calls `close`. */
const listen = (hub: Hub, key: string, lastEventId: string | null = null) => {
  const events: ServerEvent[] = [];
  const end = new AbortController();
  let isOver = false;
  const reading = clientOf(hub, key)
    .events?.(
      `/hub/stream/${expo}`,
      { lastEventId, onEvent: (event) => events.push(event), onAlive: () => undefined },
      end.signal,
    )
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  const close = async (): Promise<void> => {
    end.abort();
    await reading;
  };
  onTestFinished(close);
  const named = (name: string): readonly ServerEvent[] => events.filter((event) => event.name === name);
  return { events, named, close, isOver: () => isOver };
};

/** The names of all records of a list that arrived, in order. */
const namesIn = (changes: readonly ServerEvent[], list: string): readonly string[] =>
  changes.flatMap(({ data }) =>
    data
      .split('\n')
      .filter((line) => line.startsWith(`${list} `))
      .flatMap((line) => JSON.parse(line.slice(list.length + 1)) as readonly { readonly name: string }[])
      .map(({ name }) => name),
  );

/** A device with a mirror, a sync and a stream, but without a screen, until the test ends. */
const follow = async (hub: Hub, key: string, baseUrl = hub.baseUrl) => {
  const base = clientOf({ baseUrl }, key);
  const asked: string[] = [];
  const client = {
    ...base,
    get: ((path, ...rest) => {
      asked.push(path);
      return base.get(path, ...rest);
    }) as typeof base.get,
    getBytes: ((path, ...rest) => {
      asked.push(path);
      return base.getBytes(path, ...rest);
    }) as typeof base.getBytes,
  };
  const mirror = openMirror(join(ownFolder(), 'mirror.db'), expo);
  const outbox = createMemoryOutbox();
  const parts = { client, expoId: expo, clock: hurriedClock, random: realRandom, log: rememberingLog() };
  const hubOfDevice = createHub({
    ...{ client, expoId: expo, clock: hurriedClock, onChange: () => undefined },
    journal: { settings: outbox.settings, outbox },
  });
  const end = new AbortController();
  await hubOfDevice.ask(end.signal);
  const news = createNews(client, expo, hubOfDevice, () => stream.isInStep());
  const partner = () => hub.about.partnerId;
  const onPage = () => undefined;
  const onBehind = () => stream.fallBehind();
  const pushed = createPushed({ mirror, partner, onPage, onOther: news.noteChanged, onBehind });
  const puller = createPuller({
    ...{ ...parts, mirror, news, pushed, partner, onPage, connection: createConnection(() => undefined) },
    ...{ onRemoved: () => undefined, onCompared: () => undefined, onRound: () => undefined },
    backgroundJobs: async () => undefined,
  });
  const stream = createHubStream({
    ...{ ...parts, hub: hubOfDevice, pushed, poll: puller.poll },
    ...{ onConnected: () => undefined, onTeam: () => undefined, onCommands: () => undefined },
  });
  const running = [puller.run(end.signal), stream.run(end.signal)];
  onTestFinished(async () => {
    end.abort();
    await Promise.all(running);
    mirror.close();
  });
  await until('the device is in step', stream.isInStep, PATIENCE_MS);
  const names = () => mirror.records('labels').map(({ body }) => String(body.name));
  return { mirror, stream, asked, names };
};

it('a stream sends changes that the device may see, each with the previous id, and resumes after an id', async () => {
  const hub = await startHub();
  const key = await enrolled(hub);
  const first = listen(hub, key);
  await until('hello', () => first.named('hello').length === 1, PATIENCE_MS);
  expect(JSON.parse(first.events[0]?.data ?? '')).toMatchObject({
    resumed: false,
    hub: { name: 'Hall 3', upstream: { state: 'offline', since: 5 } },
  });
  await label(hub, 'One');
  await put(hub, connections, { visitorID: 'V1', partnerID: 'P9', name: 'of another' });
  await put(hub, connections, { visitorID: 'V1', partnerID: hub.about.partnerId, name: 'ours' });
  const here = () => namesIn(first.named('changes'), 'labels').includes('One');
  await until('the label arrives', here, PATIENCE_MS);
  const connected = () => first.named('changes').some(({ data }) => data.includes(hub.about.partnerId));
  await until('our connection arrives', connected, PATIENCE_MS);
  expect(first.named('changes').some(({ data }) => data.includes('P9'))).toBe(false);
  await first.close();

  await label(hub, 'Two');
  await label(hub, 'Three');
  const last = first.events.findLast(({ name }) => name === 'changes')?.id ?? null;
  const second = listen(hub, key, last);
  const both = () => namesIn(second.named('changes'), 'labels').length === 2;
  await until('the missed changes arrive', both, PATIENCE_MS);
  expect(JSON.parse(second.events[0]?.data ?? '')).toMatchObject({ resumed: true });
  const chain = [second.events[0]?.id, ...second.named('changes').map(({ id }) => id)];
  const before = second.named('changes').map(({ data }) => data.split('\n')[0]);
  expect(before).toEqual(chain.slice(0, -1));
  await second.close();

  const foreign = listen(hub, key, `other.${last?.split('.')[1]}`);
  await until('hello', () => foreign.named('hello').length === 1, PATIENCE_MS);
  expect(JSON.parse(foreign.events[0]?.data ?? '')).toMatchObject({ resumed: false });
});

it('a stream sends receipts of this device only, its commands, and notices of its team’s facts', async () => {
  const hub = await startHub({ commandsFor: async (device) => [`for ${device}`] });
  const key = await enrolled(hub);
  const other = await addDevice(hub.store, hub.about, new Date(), hub.until);
  const otherKey = await enrolled(hub, other);
  const [ours, theirs] = [listen(hub, key), listen(hub, otherKey)];
  await until('hello', () => ours.events.length > 0 && theirs.events.length > 0, PATIENCE_MS);
  const id = randomUUID();
  const { touchpointId: touchpointID, partnerId: partnerID } = hub.about;
  const item = { id, kind: 'tap', at: new Date().toISOString(), seq: 1, source: 'nfc', badge: '04AA' };
  await hub.request('POST', `/actions/${expo}`, key, [{ ...item, touchpointID, partnerID }]);
  await until('the team gets a notice', () => theirs.named('team').length > 0, PATIENCE_MS);
  await hub.hub.take({ touchpoint: null, partner: null }, { limit: 10, skip: 0 });
  await hub.hub.confirm([{ id, action: 'A1', revision: 5n }], Date.now());
  const [fact] = await hub.hub.items('in_flight', 1);
  await hub.hub.settle([{ kind: 'sent', seq: fact?.seq ?? 0, action: 'A1', revision: 5n }], Date.now());
  await hub.hub.confirm([{ id, action: 'A1', revision: 5n }], Date.now());
  const confirmed = () => ours.named('receipts').some(({ data }) => data.includes('"confirmed"'));
  await until('the receipt arrives', confirmed, PATIENCE_MS);
  expect(theirs.named('receipts')).toEqual([]);
  // A device that did not get the answer to its item did not get the receipt either.
  const before = ours.named('receipts').length;
  await hub.request('POST', `/actions/${expo}`, key, [{ ...item, touchpointID, partnerID }]);
  await until('the receipt arrives again', () => ours.named('receipts').length > before, PATIENCE_MS);
  await hub.store.transaction(async (_db, notify) => notify('commands', other.id));
  await until('the command arrives', () => theirs.named('commands').length > 0, PATIENCE_MS);
  expect(JSON.parse(theirs.named('commands')[0]?.data ?? '')).toEqual({ commands: [`for ${other.id}`] });
  expect(ours.named('commands')).toEqual([]);
});

it('a stream takes no slot, refuses the key of a file, and ends when the device is revoked', async () => {
  const hub = await startHub({ heartbeatMs: 100 });
  expect((await hub.request('GET', `/hub/stream/${expo}`, hub.device.key)).status).toBe(403);
  const key = await enrolled(hub);
  const streams = [listen(hub, key), listen(hub, key), listen(hub, key)];
  await until('hello', () => streams.every(({ events }) => events.length > 0), PATIENCE_MS);
  const both = await Promise.all([1, 2].map(() => hub.request('GET', `/hub/news/${expo}`, key)));
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  await revokeDevice(hub.store, hub.device.id, new Date());
  await until('the streams end', () => streams.every(({ isOver }) => isOver()), PATIENCE_MS);
  await until('the hub has no open stream', () => hub.streams.count() === 0, PATIENCE_MS);
});

it('a hub cuts off a device that never reads, and serves the others', async () => {
  const hub = await startHub();
  const key = await enrolled(hub);
  const reader = listen(hub, key);
  const { hostname, port } = new URL(hub.baseUrl);
  const deaf = connect(Number(port), hostname);
  onTestFinished(() => void deaf.destroy());
  deaf.on('error', () => undefined);
  deaf.pause();
  const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
  deaf.write(
    `GET /create/v2/hub/stream/${expo} HTTP/1.1\r\nhost: hub\r\nauthorization: ${authorization}\r\n\r\n`,
  );
  await until('both devices are connected', () => hub.streams.count() === 2, PATIENCE_MS);
  const name = 'x'.repeat(200_000);
  let [written, longest] = [0, 0];
  while (hub.streams.count() === 2 && written < 400) {
    await label(hub, `${name}${written}`);
    written += 1;
    const arrived = () => namesIn(reader.named('changes'), 'labels').length >= written;
    await until('the device that reads has the change', arrived, PATIENCE_MS);
    longest = Math.max(longest, hub.streams.lagMs());
  }
  expect(hub.streams.count()).toBe(1);
  // The kernel's buffer for a connection, plus half a megabyte.
  expect(written).toBeLessThan(100);
  expect(reader.isOver()).toBe(false);
  expect(longest).toBeGreaterThan(0);
  await until('no change waits for a device', () => hub.streams.lagMs() === 0, PATIENCE_MS);
});

it('a hub sends the missed changes to devices that all lost their connection at the same time', async () => {
  const many = isThorough() ? 2_000 : 100;
  const hub = await startHub();
  const key = await enrolled(hub);
  const before = Array.from({ length: many }, () => listen(hub, key));
  await until('every device is connected', () => hub.streams.count() === many, PATIENCE_MS);
  await label(hub, 'Seen');
  await until(
    'every device has the change',
    () => before.every((one) => one.named('changes').length > 0),
    PATIENCE_MS,
  );
  await Promise.all(before.map(({ close }) => close()));
  await until('all streams are closed', () => hub.streams.count() === 0, PATIENCE_MS);
  await label(hub, 'Missed');
  const back = before.map((one) => listen(hub, key, one.named('changes').at(-1)?.id));
  const has = ({ named }: (typeof back)[number]): boolean =>
    namesIn(named('changes'), 'labels').includes('Missed');
  await until('every device has the missed changes', () => back.every(has), PATIENCE_MS);
  for (const { named } of back) {
    expect(JSON.parse(named('hello')[0]?.data ?? '')).toMatchObject({ resumed: true });
    expect(namesIn(named('changes'), 'labels')).toEqual(['Missed']);
  }
});

it('a stream keeps a device up to date without a request, and resumes where its connection ended', async () => {
  const hub = await startHub();
  const { mirror, stream, asked, names } = await follow(hub, await enrolled(hub));
  asked.length = 0;
  await label(hub, 'One');
  await until('the label is in the mirror', () => names().includes('One'), PATIENCE_MS);
  expect(asked).toEqual([]);
  const rows = await hub.store.db
    .selectFrom('record')
    .select('revision')
    .where('kind', '=', 'label')
    .execute();
  const top = rows.map(({ revision }) => revision).reduce((high, one) => (one > high ? one : high));
  expect(mirror.progress('labels').revision).toBe(top);

  stream.restart();
  await label(hub, 'Two');
  await until('the device is in step again', () => names().includes('Two') && stream.isInStep(), PATIENCE_MS);
});

it('a device reads every list from the start at a hub with a copied folder', async () => {
  const one = await startHub();
  const key = await enrolled(one);
  const folder = ownFolder();
  cpSync(one.folder, folder, { recursive: true });
  const copy = await startHub({ folder, hubStoreId: 'e2' });
  const line = await startLine(one.baseUrl);
  const { stream, names } = await follow(one, key, line.baseUrl);
  // Both hubs give their next records the same revisions.
  for (const name of ['One 1', 'One 2', 'One 3']) await label(one, name);
  await until('the device has the changes', () => names().includes('One 3'), PATIENCE_MS);
  line.cut();
  await until('the stream ended', () => !stream.isInStep(), PATIENCE_MS);
  for (const name of ['Copy 1', 'Copy 2', 'Copy 3', 'Copy 4']) await label(copy, name);
  line.leadTo(copy.baseUrl);
  line.mend();
  const own = (): readonly string[] =>
    names()
      .filter((name) => /^(?:One|Copy) /u.test(name))
      .toSorted();
  const isEqual = (): boolean => own().join() === 'Copy 1,Copy 2,Copy 3,Copy 4';
  await until('the device has the records of the copied hub', isEqual, PATIENCE_MS);

  // The first hub keeps its numbering across a restart, and the copy keeps its own.
  const again = await Promise.all(
    [one, copy].map(({ folder: data }) => startHub({ folder: data, hubStoreId: 'e3' })),
  );
  const answers = await Promise.all(again.map((hub) => hub.request('GET', '/hub', key)));
  expect(answers.map(({ json }) => (json as { readonly epoch: string }).epoch)).toEqual(['e1', 'e2']);
});
