/**
 * Reports of a device to its hub: every 30 seconds on average, at once after a change that staff must see, never
 * without a hub, and without extra requests while the hub cannot be reached.
 */
import { expect, onTestFinished, test } from 'vitest';
import { createPresence } from '../../../../src-main/core/delivery/hub/presence.ts';
import type { HubReport } from '../../../../src-main/core/delivery/hub/report.ts';
import { ApiError } from '../../../../src-main/core/foundations/api/error-class.ts';
import { handClock, rememberingLog, until } from '../../fixture.ts';

const healthy: HubReport = {
  ...{ device: 'B17 left', version: '1', at: 0, since: 0, purpose: 'lead', lastTapAt: null },
  ...{ readers: 1, cardService: 'up', storage: 'ok', fault: null, pause: null },
  delivery: {
    ...{ captured: 0, due: 0, inFlight: 0, uncertain: 0 },
    ...{ atHub: 0, sent: 0, confirmed: 0, parked: 0 },
  },
  ...{ mirrorAt: null, battery: null, plugged: null, encryption: 'unknown' },
  ...{ outOfOrder: false, message: false, command: 0 },
};

/** `fraction`: the value that its random source returns. */
const startPresence = (fraction = 0.5) => {
  const clock = handClock();
  const log = rememberingLog();
  const posts: HubReport[] = [];
  const state = { report: healthy, atHub: true, away: false, commands: [] as string[][] };
  const presence = createPresence({
    ...{ clock, log, random: { fraction: () => fraction, bytes: (length) => new Uint8Array(length) } },
    isAtHub: async () => state.atHub,
    read: () => state.report,
    onAnswer: ({ commands }) => state.commands.push(commands),
    client: {
      post: async (_path, body) => {
        if (state.away) throw new ApiError({ kind: 'retry', reached: 'no' }, 'nobody there');
        posts.push(JSON.parse(body) as HubReport);
        return JSON.stringify({ commands: [`answer ${posts.length}`] });
      },
    },
  });
  const ended = new AbortController();
  const running = presence.run(ended.signal);
  onTestFinished(async () => {
    ended.abort();
    await running;
  });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  const pass = async (ms: number): Promise<void> => {
    await settle();
    clock.pass(ms);
    await settle();
  };
  return { presence, state, posts, pass, log };
};

test('a device reports every 30 seconds, and a tap causes no earlier report', async () => {
  const { presence, state, posts, pass } = startPresence();
  await until('the first report', () => posts.length === 1);
  expect(posts[0]).toEqual(healthy);
  expect(state.commands).toEqual([['answer 1']]);
  await pass(1_000);
  state.report = { ...healthy, lastTapAt: 5, delivery: { ...healthy.delivery, captured: 1, due: 1 } };
  presence.changed();
  await pass(1_000);
  expect(posts).toHaveLength(1);
  await pass(28_000);
  expect(posts.map(({ lastTapAt }) => lastTapAt)).toEqual([null, 5]);
});

test('the reports of devices that started together, or whose hub is back, are spread', async () => {
  const devices = [0, 0.999].map(startPresence);
  const counts = (): readonly number[] => devices.map(({ posts }) => posts.length);
  const passAll = async (ms: number): Promise<void> => {
    for (const { pass } of devices) await pass(ms);
  };
  await until('the first reports', () => counts().every((count) => count === 1));
  await passAll(1_000);
  await passAll(14_000);
  expect(counts()).toEqual([2, 1]);
  for (const { state } of devices) state.away = true;
  await passAll(30_000);
  for (const { state } of devices) state.away = false;
  const [early, late] = counts();
  await passAll(15_000);
  expect(counts()).toEqual([(early ?? 0) + 1, late]);
  await passAll(30_000);
  expect(counts()[1]).toBe((late ?? 0) + 1);
});

test('a device reports a change that staff must see at once, but at most once a second', async () => {
  const { presence, state, posts, pass } = startPresence();
  await until('the first report', () => posts.length === 1);
  await pass(1_000);
  state.report = { ...healthy, readers: 0 };
  presence.changed();
  await until('the missing reader is reported', () => posts.length === 2);
  state.report = healthy;
  presence.changed();
  await pass(500);
  expect(posts).toHaveLength(2);
  await pass(500);
  expect(posts.map(({ readers }) => readers)).toEqual([1, 0, 1]);
});

test('a device sends no extra report at a change while its hub is unreachable, and logs only the first failure', async () => {
  const { presence, state, posts, pass, log } = startPresence();
  await until('the first report', () => posts.length === 1);
  state.away = true;
  for (let round = 0; round < 5; round += 1) await pass(30_000);
  presence.changed();
  expect(posts).toHaveLength(1);
  state.away = false;
  await pass(30_000);
  expect(posts).toHaveLength(2);
  expect(log.said.map(({ what }) => what)).toEqual([
    'reports to the hub fail',
    'reports to the hub succeed again',
  ]);
});

test('a device without a hub reports nothing', async () => {
  const { presence, state, posts, pass } = startPresence();
  await until('the first report', () => posts.length === 1);
  state.atHub = false;
  await pass(1_000);
  presence.changed();
  for (let round = 0; round < 4; round += 1) await pass(30_000);
  expect(posts).toHaveLength(1);
});
