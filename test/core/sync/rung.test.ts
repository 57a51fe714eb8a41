/**
 * What a bell changes in the sync: a list that is rung for is read alone and at once, rounds become rarer, and neither a first
 * copy nor a platform that is away is hurried by it.
 */
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createConnection } from '../../../src-main/core/api/connection.ts';
import { ApiError } from '../../../src-main/core/api/error-class.ts';
import { openMirror } from '../../../src-main/core/mirror/mirror.ts';
import { createPuller } from '../../../src-main/core/sync/puller.ts';
import { ROUND_EVERY_MS, ROUND_WITH_BELL_MS, RUNG_GAP_MS } from '../../../src-main/core/time/times.ts';
import { handClock, ownFolder, rememberingLog, until } from '../fixture.ts';

const startPuller = () => {
  const clock = handClock();
  const mirror = openMirror(join(ownFolder(), 'mirror.db'), 'E1');
  const asked: string[] = [];
  const state = { away: false, rung: true };
  const get = async (path: string): Promise<string> => {
    asked.push(path.split('/')[1] ?? '');
    if (state.away) throw new ApiError({ kind: 'retry', reached: 'no' }, 'nobody there');
    return path.startsWith('/expos') ? '{"id":"E1","revision":1}' : '[]';
  };
  const none = async (): Promise<never> => {
    throw new Error('Expected nothing to be posted');
  };
  const puller = createPuller({
    ...{ clock, mirror, expoId: 'E1', log: rememberingLog(), isRungFor: () => state.rung },
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

/** Many more than a round takes. */
const turnsOfTheLoop = async (): Promise<void> => {
  for (let turn = 0; turn < 2_000; turn += 1) await setImmediate();
};

test('a list that is rung for is read alone; more rings of a second are one read', async () => {
  const { puller, asked, pass, settle, atRest } = startPuller();
  await atRest();
  puller.ring('partners');
  await settle();
  expect(asked).toEqual(['partners']);
  for (let times = 0; times < 5; times += 1) puller.ring('partners');
  puller.ring('backgroundJobs');
  await settle();
  expect(asked).toEqual(['partners']);
  await pass(RUNG_GAP_MS);
  await pass(RUNG_GAP_MS);
  expect(asked).toEqual(['partners', 'partners', 'jobs']);
});

test('a first copy goes its way, whatever is rung for', async () => {
  const { puller, asked } = startPuller();
  puller.ring('visitors');
  await until('the first round is over', () => puller.lastRoundAt() !== null);
  expect(asked.indexOf('labels')).toBeGreaterThan(0);
  expect(asked.indexOf('visitors')).toBeGreaterThan(asked.indexOf('labels'));
});

test('rounds are a minute apart while a bell rings, and as before when it does not', async () => {
  const { puller, state, pass, rounds, atRest } = startPuller();
  await atRest();
  for (let passed = 0; passed < ROUND_WITH_BELL_MS; passed += ROUND_EVERY_MS) {
    expect(rounds()).toBe(0);
    puller.ring('labels');
    await pass(ROUND_EVERY_MS);
  }
  expect(rounds()).toBe(1);
  state.rung = false;
  puller.wake();
  await pass(0);
  expect(rounds()).toBe(2);
  await pass(ROUND_EVERY_MS);
  expect(rounds()).toBe(3);
});

test('a round that is asked for comes, whatever is rung for meanwhile', async () => {
  const { puller, asked, pass, rounds, atRest } = startPuller();
  await atRest();
  puller.ring('labels');
  const outcome = puller.pullNow(new AbortController().signal);
  puller.ring('partners');
  await pass(0);
  expect(await outcome).toBe('done');
  expect([asked[0], rounds()]).toEqual(['labels', 1]);
});

test('what is asked for or rung for during a round costs no further one after that', async () => {
  const { puller, asked, rounds } = startPuller();
  puller.wake();
  await until('a second round is over', () => rounds() >= 2);
  await turnsOfTheLoop();
  expect(rounds()).toBe(2);
  asked.length = 0;
  puller.wake();
  await until('a third round is under way', () => asked.includes('labels'));
  puller.ring('partners');
  await until('it is over', () => rounds() === 1);
  await turnsOfTheLoop();
  expect(rounds()).toBe(1);
});

test('a platform that is away is not asked at every ring, and the ring is not forgotten', async () => {
  const { puller, asked, state, pass, settle, atRest } = startPuller();
  await atRest();
  state.away = true;
  puller.ring('visitors');
  await settle();
  for (let times = 0; times < 5; times += 1) {
    puller.ring('labels');
    await settle();
  }
  expect(asked).toEqual(['visitors']);
  state.away = false;
  await pass(RUNG_GAP_MS);
  expect(asked.slice(0, 2)).toEqual(['visitors', 'visitors']);
});
