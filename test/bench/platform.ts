/**
 * The platform's lists and writes, compared with a bare Fastify route that returns the same bytes.
 *
 * It compares a page of 100 among 1,000 records with one among 1,000,000, at the start, in the middle and at the end of
 * the list. It also measures the platform's overhead over the bare route.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FastifyInstance, fastify } from 'fastify';
import pino from 'pino';
import { createSemaphore } from '../../src-platform/http/semaphore.ts';
import { addKey } from '../../src-platform/keys/keys.ts';
import { createFileOutbox } from '../../src-platform/mail/mailer.ts';
import { visitors } from '../../src-platform/registration/visitors.ts';
import { shapeOf } from '../../src-platform/resources/resource.ts';
import { createBulk } from '../../src-platform/seed/bulk.ts';
import { newId } from '../../src-platform/serve.ts';
import { createPlatform } from '../../src-platform/server.ts';
import { openSqlite } from '../../src-platform/store/open.ts';
import type { Store } from '../../src-platform/store/store.ts';
import { inTurns, timeRows } from './measure.ts';
import type { Row } from './row.ts';

const key = 'bench-key';
const expoId = 'BENCH';
const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;

type Running = { readonly origin: string; readonly close: () => Promise<void> };

/** Visitors as in lists, with names and badges of usual length. */
const visitorOf = (number: number) => ({
  id: `V${number}`,
  expoID: expoId,
  contactID: `C${number}`,
  contactReference: `CRM-${number}`,
  registrationState: 'registered',
  firstName: 'Amélie',
  lastName: `Lindqvist ${number}`,
  email: `amelie.${number}@visitor.example`,
  company: 'Northwind Robotics',
  country: 'CH',
  badges: [{ type: 'nfc', code: number.toString(16).toUpperCase().padStart(14, '0') }],
  labels: [],
  created: '2026-11-01T08:00:00.000Z',
  updated: '2026-11-01T08:00:00.000Z',
});

const fill = async (store: Store, count: number): Promise<void> => {
  const shape = shapeOf(visitors);
  const rights = { expos: null, addresses: null, canWrite: true, connections: true, partnerId: null };
  await store.write(async (write) => {
    const bulk = createBulk(write);
    const expo = { kind: 'expo', basic: ['id', 'name'], detail: ['discoverUrl'] };
    await bulk.add(expo, expoId, { id: expoId, name: 'Bench', discoverUrl: 'https://discover.example' });
    await bulk.flush();
    await addKey(write, key, { name: 'Bench', expires: null, ...rights }, new Date());
  });
  for (let done = 0; done < count; ) {
    const end = Math.min(done + 50_000, count);
    const first = done;
    await store.write(async (write) => {
      const bulk = createBulk(write);
      for (let number = first; number < end; number += 1) await bulk.add(shape, expoId, visitorOf(number));
      await bulk.flush();
    });
    done = end;
  }
};

const startFilled = async (count: number): Promise<Running> => {
  const folder = await mkdtemp(join(tmpdir(), 'platform-bench-'));
  const store = await openSqlite(folder);
  await fill(store, count);
  const app = createPlatform({
    store,
    semaphore: createSemaphore(),
    log: pino({ level: 'silent' }),
    now: () => new Date(),
    newId,
    basePath: '/create/v2',
    uploads: join(folder, 'uploads'),
    mailer: createFileOutbox(join(folder, 'outbox')),
    allowPrivateTargets: false,
  });
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    origin,
    close: async () => {
      await app.close();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** A server that only returns these bytes. */
const startBare = async (body: string): Promise<Running> => {
  const app: FastifyInstance = fastify();
  const type = 'application/json; charset=utf-8';
  app.get('/bytes', async (_request, reply) => reply.type(type).send(body));
  app.post('/bytes', async (_request, reply) => reply.type(type).send(body));
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  return { origin, close: () => app.close() };
};

const read = async (address: string): Promise<string> => {
  const response = await fetch(address, { headers: { authorization } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${address} answered ${response.status}`);
  return text;
};

const get = (address: string) => async (): Promise<void> => void (await read(address));

const post = (address: string, body: () => unknown) => async (): Promise<void> => {
  const headers = { authorization, 'content-type': 'application/json' };
  const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body()) });
  await response.text();
  if (response.status !== 200) throw new Error(`${address} answered ${response.status}`);
};

const label = { name: 'Hot', color: '#cc2200', types: ['profile'] };

/** Rows of list pages and writes; `large` is the size of the larger list. */
export async function* bench(large = 1_000_000): AsyncGenerator<Row> {
  const start = performance.now();
  const [few, many] = [await startFilled(1000), await startFilled(large)];
  yield {
    bench: 'platform',
    metric: `filling ${large + 1000} records`,
    value: (performance.now() - start) / 1000,
    unit: 's',
  };
  const list = `/create/v2/visitors/${expoId}`;
  const bare = await startBare(await read(`${few.origin}${list}`));
  const written = await startBare(JSON.stringify({ id: 'L1', expoID: expoId, ...label, revision: 1 }));
  try {
    const pages = {
      bare: get(`${bare.origin}/bytes`),
      few: get(few.origin + list),
      start: get(many.origin + list),
      middle: get(`${many.origin}${list}?fromRevision=${large / 2}`),
      end: get(`${many.origin}${list}?fromRevision=${large - 98}`),
    };
    await inTurns(50, pages);
    const times = await inTurns(500, pages);
    yield* timeRows('platform', 'page of 100 of 1,000, beside bare Fastify', times.few, times.bare);
    yield* timeRows('platform', `page of 100 of ${large}, beside bare Fastify`, times.start, times.bare);
    yield* timeRows('platform', `first page of ${large} beside 1,000`, times.start, times.few);
    yield* timeRows('platform', `middle page of ${large} beside 1,000`, times.middle, times.few);
    yield* timeRows('platform', `last page of ${large} beside 1,000`, times.end, times.few);

    let next = 0;
    const scans = () => {
      next += 1;
      const at = new Date(Date.UTC(2026, 10, 21) + next).toISOString();
      return Array.from({ length: 100 }, (_, index) => ({
        id: randomUUID(),
        kind: 'tap',
        at,
        seq: next * 100 + index,
        badge: (next * 100 + index).toString(16).toUpperCase().padStart(14, '0'),
        source: 'nfc',
      }));
    };
    const writes = {
      bare: post(`${written.origin}/bytes`, () => label),
      label: post(`${many.origin}/create/v2/labels/${expoId}`, () => label),
      scans: post(`${many.origin}/create/v2/actions/${expoId}`, scans),
    };
    await inTurns(20, writes);
    const writeTimes = await inTurns(200, writes);
    yield* timeRows('platform', 'one durable write, beside bare Fastify', writeTimes.label, writeTimes.bare);
    const perSecond = (values: readonly number[], each: number): number =>
      (values.length * each * 1000) / values.reduce((sum, value) => sum + value, 0);
    const [writing, answering] = [perSecond(writeTimes.label, 1), perSecond(writeTimes.bare, 1)];
    const row = { bench: 'platform', unit: '1/s' };
    yield {
      ...row,
      metric: 'writes per second, one at a time',
      value: writing,
      baseline: answering,
      ratio: writing / answering,
    };
    const scanning = perSecond(writeTimes.scans, 100);
    yield {
      ...row,
      metric: 'scans per second, 100 at a time',
      value: scanning,
      baseline: writing,
      ratio: scanning / writing,
    };
  } finally {
    await Promise.all([few, many, bare, written].map((server) => server.close()));
  }
}
