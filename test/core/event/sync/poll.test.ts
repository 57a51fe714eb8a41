/**
 * `poll`, the one input of the sync: rounds run at intervals, a poll starts a round at once, and polls during a round
 * share the next one.
 */
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openMirror } from '../../../../src-main/core/event/mirror/mirror.ts';
import { createPuller } from '../../../../src-main/core/event/sync/puller.ts';
import { createConnection } from '../../../../src-main/core/foundations/api/connection.ts';
import { ApiError } from '../../../../src-main/core/foundations/api/error-class.ts';
import { ROUND_EVERY_MS } from '../../../../src-main/core/foundations/time/times.ts';
import { handClock, ownFolder, rememberingLog, until } from '../../fixture.ts';

const startPuller = ({ folder = ownFolder(), away = false } = {}) => {
  const clock = handClock();
  const mirror = openMirror(join(folder, 'mirror.db'), 'E1');
  const asked: string[] = [];
  const state = { away };
  const get = async (path: string): Promise<string> => {
    asked.push(path.split('/')[1] ?? '');
    if (state.away) throw new ApiError({ kind: 'retry', reached: 'no' }, 'nobody there');
    return path.startsWith('/expos') ? '{"id":"E1","revision":1}' : '[]';
  };
  const none = async (): Promise<never> => {
    throw new Error('Expected nothing to be posted');
  };
  const puller = createPuller({
    ...{ clock, mirror, expoId: 'E1', log: rememberingLog() },
    client: {
      get,
      getBytes: async (path) => new TextEncoder().encode(await get(path)),
      post: none,
      clockOffset: () => null,
      close: async () => undefined,
    },
    random: { fraction: () => 0.5, bytes: (length) => new Uint8Array(length) },
    connection: createConnection(() => undefined),
    partner: () => 'P1',
    onPage: () => undefined,
    onRemoved: () => undefined,
    onCompared: () => undefined,
    onRound: () => undefined,
    backgroundJobs: async () => void asked.push('jobs'),
  });
  const ended = new AbortController();
  const running = puller.run(ended.signal);
  onTestFinished(async () => {
    ended.abort();
    await running;
    mirror.close();
  });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 400; turn += 1) await Promise.resolve();
  };
  const pass = async (ms: number): Promise<void> => {
    await settle();
    clock.pass(ms);
    await settle();
  };
  const rounds = () => asked.filter((what) => what === 'jobs').length;
  const atRest = async (): Promise<void> => {
    await until('the first round is over', () => puller.lastRoundAt() !== null);
    await settle();
    asked.length = 0;
  };
  return { puller, asked, state, pass, settle, rounds, atRest };
};

/** Many more turns of the event loop than a round takes. */
const turnsOfTheLoop = async (): Promise<void> => {
  for (let turn = 0; turn < 2_000; turn += 1) await setImmediate();
};

test('remembers the time of the last round across a restart without a network', async () => {
  const folder = ownFolder();
  const first = startPuller({ folder });
  expect(first.puller.lastRoundAt()).toBeNull();
  await first.atRest();
  const lastRoundAt = first.puller.lastRoundAt();
  const again = startPuller({ folder, away: true });
  await again.settle();
  expect(again.puller.lastRoundAt()).toBe(lastRoundAt);
});

test('starts rounds at their interval and not earlier', async () => {
  const { pass, rounds, atRest } = startPuller();
  await atRest();
  await pass(ROUND_EVERY_MS - 1);
  expect(rounds()).toBe(0);
  await pass(1);
  expect(rounds()).toBe(1);
  await pass(ROUND_EVERY_MS);
  expect(rounds()).toBe(2);
});

test('starts a round at once on a poll, and resolves when that round ends', async () => {
  const { puller, pass, rounds, atRest } = startPuller();
  await atRest();
  const outcome = puller.poll();
  await pass(0);
  expect(await outcome).toBe('done');
  expect(rounds()).toBe(1);
});

test('fails a poll whose signal aborts', async () => {
  const { puller, state, atRest } = startPuller();
  await atRest();
  state.away = true;
  const given = new AbortController();
  const outcome = puller.poll(given.signal);
  given.abort();
  expect(await outcome).toBe('failed');
});

test('runs one further round for any number of polls during a round', async () => {
  const { puller, asked, rounds } = startPuller();
  void puller.poll();
  await until('a second round is over', () => rounds() >= 2);
  await turnsOfTheLoop();
  expect(rounds()).toBe(2);
  asked.length = 0;
  void puller.poll();
  await until('a third round is under way', () => asked.includes('labels'));
  const more = [puller.poll(), puller.poll()];
  await until('the round after it is over', () => rounds() === 2);
  expect(await Promise.all(more)).toEqual(['done', 'done']);
  await turnsOfTheLoop();
  expect(rounds()).toBe(2);
});

test('reads only the list that a poll names', async () => {
  const { puller, asked, pass, atRest } = startPuller();
  await atRest();
  const before = puller.lastRoundAt();
  const outcomes = [puller.poll(undefined, 'visitors'), puller.poll(undefined, 'partners')];
  await pass(0);
  expect(await Promise.all(outcomes)).toEqual(['done', 'done']);
  expect(asked).toEqual(['visitors', 'partners']);
  expect(puller.lastRoundAt()).toBe(before);
});

test('reads a list again if it is polled while a round reads it', async () => {
  const { puller, asked, atRest } = startPuller();
  await atRest();
  void puller.poll();
  await until('the list is being read', () => asked.includes('visitors'));
  const outcome = puller.poll(undefined, 'visitors');
  expect(await outcome).toBe('done');
  expect(asked.slice(asked.indexOf('jobs'))).toEqual(['jobs', 'visitors']);
});

test('continues rounds at their interval during polls of a single list', async () => {
  const { puller, pass, rounds, atRest } = startPuller();
  await atRest();
  for (let ms = 0; ms < ROUND_EVERY_MS; ms += 1_000) {
    const outcome = puller.poll(undefined, 'visitors');
    await pass(0);
    expect(await outcome).toBe('done');
    await pass(1_000);
  }
  expect(rounds()).toBe(1);
});

test('runs a whole round for an unknown list', async () => {
  const { puller, pass, rounds, atRest } = startPuller();
  await atRest();
  const outcome = puller.poll(undefined, 'orders');
  await pass(0);
  expect(await outcome).toBe('done');
  expect(rounds()).toBe(1);
});

test('fails the poll of a list that cannot be read, and reads the list again', async () => {
  const { puller, state, asked, pass, settle, atRest } = startPuller();
  await atRest();
  state.away = true;
  const outcome = puller.poll(undefined, 'visitors');
  expect(await outcome).toBe('failed');
  state.away = false;
  await settle();
  asked.length = 0;
  await pass(ROUND_EVERY_MS);
  expect(asked[0]).toBe('visitors');
});
