/**
 * What several processes on one PostgreSQL database share: the order of revisions, the two slots of a key,
 * the notifications, and the set-up of the database. The processes are real, and some are killed.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { demoKey } from '../../../src-platform/seed/demo.ts';
import { notRunUnless } from '../../not-run.ts';
import { startTarget } from '../notifications/target.ts';
import { type Cluster, newDatabase, postgresPrograms, startCluster } from './cluster.ts';
import { type PlatformNode, startProcess } from './processes.ts';

const programs = postgresPrograms();
const test = notRunUnless(programs !== null, 'PostgreSQL is not installed');

let cluster: Cluster | null = null;
let folder = '';
const nodes: PlatformNode[] = [];

/** The two processes of all tests here; they start at the same moment on an empty database. */
const pair = (): readonly [PlatformNode, PlatformNode] => {
  const [first, second] = nodes;
  if (!first || !second) throw new Error('The processes are not there');
  return [first, second];
};

beforeAll(async () => {
  if (programs === null) return;
  folder = await mkdtemp(join(tmpdir(), 'platform-'));
  cluster = await startCluster(programs);
  const database = await newDatabase(cluster.address);
  const args = ['--seed', 'demo', '--allow-private-targets', '--faults'];
  const start = async (name: string): Promise<void> => {
    nodes.push(await startProcess(database, folder, name, args));
  };
  await Promise.all([start('first'), start('second')]);
}, 120_000);
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.kill()));
  await cluster?.stop();
  if (folder !== '') await rm(folder, { recursive: true, force: true });
});

const authorization = `Basic ${Buffer.from(`${demoKey}:`).toString('base64')}`;

const ask = async (node: PlatformNode, method: string, path: string, body?: unknown) => {
  const response = await fetch(`${node.origin}/create/v2${path}`, {
    method,
    headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, json: text === '' ? null : JSON.parse(text) };
};

/**
 * Answers whose bodies nothing reads. undici ends the request of an answer that the garbage collector frees.
 */
const unread: Response[] = [];

/** A request that holds its slot until it is released, because its answer is slow. */
const hold = async (node: PlatformNode): Promise<{ readonly letGo: () => void }> => {
  await fetch(`${node.origin}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'slow', bytesPerSecond: 500, path: '/visitors/*', count: 1 }),
  });
  const ending = new AbortController();
  const response = await fetch(`${node.origin}/create/v2/visitors/AD2026`, {
    headers: { authorization },
    signal: ending.signal,
  });
  expect(response.status).toBe(200);
  unread.push(response);
  return { letGo: () => ending.abort() };
};

const label = (name: string) => ({ name, color: '#112233', types: ['profile'] });

describe('two processes on one PostgreSQL database', () => {
  test('start at the same moment on an empty database: one creates it, both serve', async () => {
    const [first, second] = pair();
    const lists = await Promise.all([ask(first, 'GET', '/expos'), ask(second, 'GET', '/expos')]);
    expect(lists[0].status).toBe(200);
    expect(lists[0].json).toHaveLength(2);
    expect(lists[1].json).toEqual(lists[0].json);
  });

  test('assign revisions in commit order: a reader never finds one below what it has read', async () => {
    const [first, second] = pair();
    const before = (await ask(first, 'GET', '/labels/AD2026')).json;
    const count = 40;
    /** Two writers and a reader share the key's two slots. A refused request is retried. */
    const write = async (node: PlatformNode, name: string): Promise<void> => {
      for (let index = 0; index < count; ) {
        const answer = await ask(node, 'POST', '/labels/AD2026', label(`${name} ${index}`));
        if (answer.status === 200) index += 1;
        else expect(answer.status).toBe(429);
      }
    };
    const seen = new Set<string>();
    let cursor: number = before.at(-1).revision + 1;
    let isWriting = true;
    const read = async (): Promise<void> => {
      for (;;) {
        const mayEnd = !isWriting;
        const answer = await ask(first, 'GET', `/labels/AD2026?fromRevision=${cursor}`);
        if (answer.status === 429) continue;
        for (const row of answer.json) seen.add(row.id);
        cursor = (answer.json.at(-1)?.revision ?? cursor - 1) + 1;
        if (mayEnd && answer.json.length === 0) return;
      }
    };
    const writers = Promise.all([write(first, 'one'), write(second, 'two')]).then(() => {
      isWriting = false;
    });
    await Promise.all([writers, read()]);
    expect(seen.size).toBe(2 * count);
  }, 60_000);

  test('share the two slots of a key, and a slot is free as soon as its request has ended', async () => {
    const [first, second] = pair();
    const held = [await hold(first), await hold(second)];
    expect((await ask(first, 'GET', '/expos')).status).toBe(429);
    expect((await ask(second, 'GET', '/expos')).status).toBe(429);
    held[0]?.letGo();
    await expect.poll(async () => (await ask(second, 'GET', '/expos')).status, { timeout: 30_000 }).toBe(200);
    const third = await hold(second);
    expect((await ask(first, 'GET', '/expos')).status).toBe(429);
    held[1]?.letGo();
    third.letGo();
    // Takes both slots, so that the next test starts with both free.
    const atOnce = () => Promise.all([ask(first, 'GET', '/expos'), ask(second, 'GET', '/expos')]);
    await expect
      .poll(async () => (await atOnce()).map(({ status }) => status), { timeout: 30_000 })
      .toEqual([200, 200]);
  });

  test('never refuse a client that sends two requests at a time to alternating processes', async () => {
    const both = pair();
    const statuses: number[] = [];
    const client = async (offset: number) => {
      for (let index = 0; index < 40; index += 1) {
        const node = both[(index + offset) % 2] ?? both[0];
        statuses.push((await ask(node, 'GET', '/expos')).status);
      }
    };
    await Promise.all([client(0), client(1)]);
    expect(statuses).toEqual(statuses.map(() => 200));
  });

  test('call a target once per change, and one continues alone when the other is killed', async () => {
    const [first, second] = pair();
    const target = await startTarget(() => Date.now());
    const body = { type: 'partner', url: target.url };
    const { id } = (await ask(first, 'POST', '/webhooks/AD2026', body)).json;
    await target.called(1);
    const rename = async (node: PlatformNode, name: string): Promise<void> => {
      const partner = (await ask(node, 'GET', '/partners/AD2026/AD2026P001')).json;
      expect((await ask(node, 'PUT', '/partners/AD2026/AD2026P001', { ...partner, name })).status).toBe(200);
    };
    await rename(second, 'Northwind A');
    await target.called(2);
    await rename(first, 'Northwind B');
    expect(await target.called(3)).toHaveLength(3);

    await hold(first);
    await hold(first);
    expect((await ask(second, 'GET', '/expos')).status).toBe(429);
    await first.kill();
    await expect.poll(async () => (await ask(second, 'GET', '/expos')).status, { timeout: 30_000 }).toBe(200);
    await rename(second, 'Northwind C');
    expect(await target.called(4)).toHaveLength(4);
    expect(target.calls.every((call) => call.query.webhookId === id)).toBe(true);
  }, 60_000);
});
