/**
 * The sync requests a list at most once per second on average, whatever the platform answers.
 *
 * Time is simulated: a request takes two milliseconds, and a sleep takes exactly as long as requested.
 */
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openMirror, type PulledMirror } from '../../../../src-main/core/event/mirror/mirror.ts';
import { RESOURCES } from '../../../../src-main/core/event/mirror/resources.ts';
import { createPuller } from '../../../../src-main/core/event/sync/puller.ts';
import { createConnection } from '../../../../src-main/core/foundations/api/connection.ts';
import { ApiError } from '../../../../src-main/core/foundations/api/error-class.ts';
import type { Clock } from '../../../../src-main/core/foundations/ports.ts';
import { createMemoryMirror } from '../../../bench/fleet/memory-mirror.ts';
import { type Chance, createChance } from '../../../simulation/chance.ts';
import { isThorough, runSeed } from '../../../thoroughness.ts';
import { ownFolder, rememberingLog } from '../../fixture.ts';

const SECONDS = 600;
const REQUEST_MS = 2;
/** Short pages, so that a run over thousands of platforms takes minutes. */
const LIMIT = 10;
const LISTS = RESOURCES.filter(({ name }) => name === 'partners' || name === 'visitors').map((resource) => ({
  ...resource,
  pageSize: LIMIT,
}));

/** Answers the request for `limit` records from `from` on as text; throws as the client does. */
type List = (from: number, limit: number) => string;

/** Runs the sync against lists, for ten minutes by default. Returns the number of requests, the log and the pauses. */
const syncWith = async (
  listOf: () => List,
  mirror: PulledMirror = createMemoryMirror(),
  duration = SECONDS,
) => {
  let now = 1_700_000_000_000;
  const start = now;
  const end = now + duration * 1_000;
  const ended = new AbortController();
  const pass = (ms: number): void => {
    now += ms;
    if (now >= end) ended.abort();
  };
  const clock: Clock = {
    now: () => now,
    monotonic: () => now - start,
    sleep: async (ms) => pass(ms),
  };
  const lists = new Map<string, List>();
  const asked = new Map<string, number>();
  const get = async (path: string, query: Readonly<Record<string, unknown>>): Promise<string> => {
    ended.signal.throwIfAborted();
    pass(REQUEST_MS);
    const [, name = ''] = path.split('/');
    if (name === 'expos') return '{"id":"E1","revision":1}';
    const list = lists.get(name) ?? listOf();
    lists.set(name, list);
    const count = (asked.get(name) ?? 0) + 1;
    asked.set(name, count);
    // A storm is proven at this point, so the run can stop.
    if (count > 10 * SECONDS) ended.abort();
    return list(Number(query.fromRevision), Number(query.limit));
  };
  const log = rememberingLog();
  const pauses: unknown[] = [];
  const puller = createPuller({
    client: {
      get,
      getBytes: async (path, query) => new TextEncoder().encode(await get(path, query)),
      post: () => Promise.reject(new Error('Expected nothing to be posted')),
      clockOffset: () => null,
      close: async () => undefined,
    },
    clock,
    mirror,
    expoId: 'E1',
    log,
    resources: LISTS,
    random: { fraction: createChance(1).fraction, bytes: (length) => new Uint8Array(length) },
    connection: createConnection(() => undefined),
    partner: () => 'P1',
    onPage: () => undefined,
    onRemoved: () => undefined,
    onCompared: () => undefined,
    onRound: () => undefined,
    onPause: () => pauses.push(puller.pause()),
    backgroundJobs: async () => undefined,
  });
  await puller.run(ended.signal);
  return { asked, log, pauses, seconds: (now - start) / 1_000 };
};

const records = (revisions: readonly (number | string)[], idOf = (index: number) => `v${index}`): string =>
  `[${revisions.map((revision, index) => `{"id":"${idOf(index)}","revision":${revision}}`).join(',')}]`;

const numbers = (length: number, numberAt: (index: number) => number): readonly number[] =>
  Array.from({ length }, (_, index) => numberAt(index));

/** Properties of a list. Each is drawn once per list, and some are drawn again for each answer. */
const MOODS: readonly ((chance: Chance) => List)[] = [
  // Ignores `fromRevision`, and perhaps `limit`.
  (chance) => {
    const all = numbers(chance.pick([0, 1, 5, 10, 15, 150]), (index) => index + 1);
    return (_from, limit) => records(chance.hits(0.5) ? all : all.slice(0, limit));
  },
  // All revisions are equal: a fixed number, one of twenty digits, or one that depends on the requested revision.
  (chance) => {
    const revision = chance.pick(['0', '7', '12345678901234567890', 'from', 'after', 'far']);
    const length = chance.pick([1, LIMIT - 1, LIMIT, LIMIT]);
    return (from) => {
      const one = { from: String(from), after: String(from + 1), far: String(from * 2 + 1) }[revision];
      return records(Array.from({ length }, () => one ?? revision));
    };
  },
  // The same records with ever higher revisions, so that every page advances.
  (chance) => {
    const length = chance.pick([1, 2, 6, LIMIT]);
    return (from) => records(numbers(length, (index) => from + index));
  },
  // Arbitrary revisions of a few dozen records.
  (chance) => {
    const top = chance.pick([10, 1_000, 2 ** 50]);
    return (_from, limit) =>
      records(
        numbers(chance.between(0, limit), () => chance.between(0, top)),
        () => `v${chance.between(0, 40)}`,
      );
  },
  // Invalid entries among valid records.
  (chance) => (from) => `[${'{},'.repeat(chance.pick([0, 5, LIMIT - 1]))}{"id":"v1","revision":${from}}]`,
  // An ordered list that repeatedly loses its highest record or returns to an older state.
  (chance) => (from, limit) => {
    const top = chance.between(1, 50);
    return records(
      numbers(Math.max(0, Math.min(limit, top - from + 1)), (index) => Math.max(1, from) + index),
    );
  },
  // The answer is not a list.
  (chance) => () => chance.pick(['', '{}', 'null', '<html>', '[[]]', '[1]', '{"id":"v1","revision":1}']),
  // Refuses the request, each time in one of several ways.
  (chance) => () => {
    throw new ApiError(
      chance.pick([
        { kind: 'busy', retryAfterMs: null },
        { kind: 'busy', retryAfterMs: 0 },
        { kind: 'stop', pause: 'forbidden' },
        { kind: 'stop', pause: 'keyRefused' },
        { kind: 'retry', reached: 'no' },
        { kind: 'reject', status: 404, reason: 'not found' },
      ]),
      'GET failed',
    );
  },
];

const listFrom = (chance: Chance): List => {
  const moods = MOODS.map((mood) => mood(chance));
  const mood = chance.pick(moods);
  const changes = chance.pick([0, 0, 0.05, 1]);
  return (from, limit) => (chance.hits(changes) ? chance.pick(moods) : mood)(from, limit);
};

const PLATFORMS = isThorough() ? 10_000 : 300;
const BLOCK = PLATFORMS / 10;

it.each(Array.from({ length: 10 }, (_, block) => block))(
  'requests each list at most once per second on average, whatever the answers (part %i)',
  async (block) => {
    for (let index = block * BLOCK; index < (block + 1) * BLOCK; index += 1) {
      const seed = runSeed() + index;
      const chance = createChance(seed);
      const { asked, seconds } = await syncWith(() => listFrom(chance));
      for (const [name, count] of asked)
        expect(count / seconds, `${name} of the platform of seed ${seed}`).toBeLessThanOrEqual(1);
    }
  },
  600_000,
);

it.each([
  ['ignores fromRevision', records(numbers(LIMIT, (index) => index + 1)), 'below the requested revision'],
  [
    'answers revisions of twenty digits',
    records(numbers(LIMIT, () => 0).map(() => '12345678901234567890')),
    'no revision',
  ],
])('pauses if a platform %s, and logs the reason once', async (_what, answer, reason) => {
  const { pauses, log } = await syncWith(() => () => answer);
  expect(pauses).toEqual(['notAPlatform']);
  const waits = log.said.filter(({ what }) => what === 'the mirror waits');
  expect(waits).toHaveLength(1);
  expect(JSON.stringify(waits[0])).toContain(reason);
});

it('reads 20,000 new records within 20 seconds', async () => {
  const all = 20_000;
  const mirror = openMirror(join(ownFolder(), 'mirror.db'), 'E1');
  onTestFinished(() => mirror.close());
  await syncWith(
    () => (from, limit) => {
      const first = Math.max(1, from);
      const length = Math.max(0, Math.min(limit, all - first + 1));
      return records(
        numbers(length, (index) => first + index),
        (index) => `v${first + index}`,
      );
    },
    mirror,
    20,
  );
  expect(mirror.count('visitors')).toBe(all);
});
