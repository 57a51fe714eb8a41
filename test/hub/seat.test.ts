/**
 * Notices of PostgreSQL between the processes of a hub: one process requests an e-mail, and the holder of the lease
 * sends it.
 */
import { expect, onTestFinished } from 'vitest';
import type { Bridge } from '../../src-hub/bridge.ts';
import { createSeat } from '../../src-hub/seat.ts';
import { openPostgres } from '../../src-platform/store/postgres.ts';
import { rememberingLog, until } from '../core/fixture.ts';
import { realClock } from '../core/real-parts.ts';
import { ownDatabase, postgresTest as test } from '../platform/postgres/own-database.ts';

/** The time that `seat.ts` waits for an answer. The test ends this wait itself. */
const EMAIL_MS = 20_000;

test('the holder of the lease sends an e-mail, and each process gets its own answer', async () => {
  const database = await ownDatabase();
  /** For each request to the holder, a function that ends the wait for the answer. */
  const waits: (() => void)[] = [];
  const clock: typeof realClock = {
    ...realClock,
    sleep: (ms, signal) =>
      ms === EMAIL_MS ? new Promise((resolve) => void waits.push(resolve)) : realClock.sleep(ms, signal),
  };
  const lists = new Set<string>();
  const wholeLists = {
    has: (list: string) => lists.has(list),
    add: (list: string) => void lists.add(list),
    refresh: async () => undefined,
  };
  const openSeat = async () => {
    const store = await openPostgres(database);
    const heard = new Set<string>();
    store.onNotice(({ topic }) => void heard.add(topic));
    const seat = createSeat({ store, wholeLists, clock, log: rememberingLog() });
    await until('the process receives notices', () => heard.has('missed'));
    onTestFinished(async () => {
      seat.close();
      await store.close();
    });
    return { seat, heard };
  };
  const { seat: holding, heard } = await openSeat();
  const [{ seat: first }, { seat: second }] = [await openSeat(), await openSeat()];

  // Nobody holds the lease.
  const vain = first.askForEmail('V0', false);
  await until('the process waits for an answer', () => waits.length === 1);
  await until('the later holder received the request', () => heard.has('email'));
  waits[0]?.();
  expect(await vain).toBe('away');

  const asked: [string, boolean][] = [];
  const outcomes = { V1: 'sent', V2: 'notSent', V3: 'refused' } as const;
  const bridge = {
    standing: () => ({ state: 'online', since: 1 }),
    requests: () => 0,
    isWhole: () => true,
    isServed: () => true,
    platformTime: () => null,
    askForEmail: async (visitor: keyof typeof outcomes | 'V4', force: boolean) => {
      asked.push([visitor, force]);
      if (visitor === 'V4') throw new Error('a defect');
      return outcomes[visitor];
    },
  };
  const ended = new AbortController();
  const held = holding.take(bridge as never as Bridge, ended.signal);
  expect(
    await Promise.all([
      first.askForEmail('V1', false),
      second.askForEmail('V2', true),
      first.askForEmail('V3', false),
      holding.askForEmail('V1', true),
    ]),
  ).toEqual(['sent', 'notSent', 'refused', 'sent']);
  expect(asked.toSorted().map(([visitor, force]) => `${visitor} ${force}`)).toEqual([
    'V1 false',
    'V1 true',
    'V2 true',
    'V3 false',
  ]);

  // An answer that never comes.
  const lost = second.askForEmail('V4', false);
  await until('the second process also waits', () => waits.length === 5 && asked.length === 5);
  waits[4]?.();
  expect(await lost).toBe('away');
  await until('the other processes have the state', () => first.standing().state === 'online');
  ended.abort();
  await held;
});
