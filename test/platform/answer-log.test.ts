/** Which answers are logged: all answers of a platform, but only refusals of a hub, whose devices poll constantly. */
import { type FastifyBaseLogger, type FastifyInstance, fastify } from 'fastify';
import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { addHealth } from '../../src-platform/health/health.ts';
import { createSemaphore } from '../../src-platform/http/semaphore.ts';
import { openSqlite } from '../../src-platform/store/open.ts';
import { ownFolder } from '../core/fixture.ts';

it.each([
  { isHub: false, told: [200, 404] },
  { isHub: true, told: [404] },
])('logs answers with the statuses $told if isHub is $isHub', async ({ isHub, told }) => {
  const lines: { readonly msg: string; readonly status: number }[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as (typeof lines)[number]);
  const store = await openSqlite(ownFolder());
  const loggerInstance: FastifyBaseLogger = pino({}, { write });
  const app: FastifyInstance = fastify({ loggerInstance });
  onTestFinished(async () => {
    await app.close();
    await store.close();
  });
  const hub = isHub ? { upstream: () => ({ state: 'online' }) } : undefined;
  addHealth(app, store, createSemaphore(), hub);
  await app.inject('/health/ready');
  await app.inject('/nothing');
  expect(lines.flatMap(({ msg, status }) => (msg === 'Answered' ? [status] : []))).toEqual(told);
});
