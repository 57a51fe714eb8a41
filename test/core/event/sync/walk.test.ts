/** Walking a resource: the platform prepares the next page while this one is written. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Mirror, openMirror } from '../../../../src-main/core/event/mirror/mirror.ts';
import { RESOURCES } from '../../../../src-main/core/event/mirror/resources.ts';
import { createRequestPace } from '../../../../src-main/core/event/sync/request-pace.ts';
import { createWalk } from '../../../../src-main/core/event/sync/walk.ts';
import { createClient } from '../../../../src-main/core/foundations/api/client.ts';
import { ownFolder, rememberingLog } from '../../fixture.ts';
import { realClock } from '../../real-parts.ts';

const VISITORS = 950;

/** A platform of visitors 1 to 950. Each number is also the revision. */
const startPlatform = async (): Promise<string> => {
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://localhost').searchParams;
    const from = Math.max(1, Number(query.get('fromRevision')));
    const length = Math.max(0, Math.min(Number(query.get('limit')), VISITORS - from + 1));
    const page = Array.from({ length }, (_, index) => ({ id: `v${from + index}`, revision: from + index }));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(page));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`;
};

it('a walk sends the next request before it writes a page', async () => {
  const access = { baseUrl: await startPlatform(), key: 'k', password: '', expoId: 'E1' };
  const client = createClient(access, realClock);
  const mirror = openMirror(join(ownFolder(), 'mirror.db'), 'E1');
  let sent = 0;
  const countSent = (): void => {
    sent += 1;
  };
  subscribe('undici:client:sendHeaders', countSent);
  const sentAtWrites: number[] = [];
  const walk = createWalk({
    client,
    expoId: 'E1',
    mirror: {
      ...mirror,
      applyPassPage: (...page) => {
        sentAtWrites.push(sent);
        return mirror.applyPassPage(...page);
      },
    },
    clock: realClock,
    pace: createRequestPace(realClock),
    log: rememberingLog(),
    onAnswer: () => undefined,
    onPage: () => undefined,
  });
  const visitors = RESOURCES.find(({ name }) => name === 'visitors');
  if (visitors === undefined) throw new Error('Expected visitors among the resources');
  await walk.pass(visitors, {}, new AbortController().signal);
  unsubscribe('undici:client:sendHeaders', countSent);
  expect(mirror.count('visitors')).toBe(VISITORS);
  // Nine full pages, the rest, and the last record once more. Then nothing is requested.
  expect(sentAtWrites).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11]);
  await client.close();
  mirror.close();
});

it('a walk stops when the mirror is replaced meanwhile, so that the list is read from the start', async () => {
  const access = { baseUrl: await startPlatform(), key: 'k', password: '', expoId: 'E1' };
  const client = createClient(access, realClock);
  const files = [
    openMirror(join(ownFolder(), 'mirror.db'), 'E1'),
    openMirror(join(ownFolder(), 'mirror.db'), 'E1'),
  ];
  let generation = 0;
  let pages = 0;
  const mirror = (): Mirror => files[generation] as Mirror;
  const walk = createWalk({
    client,
    expoId: 'E1',
    mirror: {
      ...mirror(),
      generation: () => generation,
      progress: (resource) => mirror().progress(resource),
      applyPassPage: (...page) => mirror().applyPassPage(...page),
      endPass: (...pass) => mirror().endPass(...pass),
    },
    clock: realClock,
    pace: createRequestPace(realClock),
    log: rememberingLog(),
    onAnswer: () => undefined,
    onPage: () => {
      pages += 1;
      if (pages === 3) generation = 1;
    },
  });
  const visitors = RESOURCES.find(({ name }) => name === 'visitors');
  if (visitors === undefined) throw new Error('Expected visitors among the resources');
  const pass = () => walk.pass(visitors, {}, new AbortController().signal);
  await expect(pass()).rejects.toThrow('fetched again');
  expect(mirror().progress('visitors')).toMatchObject({ complete: false, pass: null });
  await pass();
  expect(mirror().count('visitors')).toBe(VISITORS);
  await client.close();
  for (const file of files) file.close();
});
