/**
 * The device's ear for a bell, with time in the hand: what was missed is fetched, what comes twice or makes no sense is not,
 * and devices that all missed something do not come at one moment.
 */
import { expect, onTestFinished, test } from 'vitest';
import { createBell } from '../../../src-main/core/bell/bell.ts';
import type { BellLink } from '../../../src-main/core/bell/link.ts';
import { type BellAddress, reachedFrom } from '../../../src-main/core/bell/ring.ts';
import { BELL_SPREAD_MS, RETRY } from '../../../src-main/core/time/times.ts';
import { handClock, rememberingLog } from '../fixture.ts';
import { noteInto } from './heard.ts';

const address: BellAddress = {
  ...{ url: 'nats://box:8822', event: 'tp.E1.live.>', device: 'tp.E1.cmd.D1', team: 'tp.E1.team.P1' },
};

/** Half of every spread. */
const HALF = BELL_SPREAD_MS / 2;

const startBell = async () => {
  const clock = handClock();
  const heard: string[] = [];
  const server = { away: false, opened: [] as string[] };
  const handlers = new Map<string, (subject: string, bytes: Uint8Array) => void>();
  let cut = (): void => undefined;
  const open = async (url: string): Promise<BellLink> => {
    server.opened.push(url);
    if (server.away) throw new Error('nobody there');
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    cut = () => {
      handlers.clear();
      resolve();
    };
    return {
      subscribe: (subject, handle) => void handlers.set(subject, handle),
      publish: () => undefined,
      settled: async () => undefined,
      closed,
      close: async () => cut(),
    };
  };
  const bell = createBell({
    ...{ clock, log: rememberingLog(), open },
    random: { fraction: () => 0.5, bytes: (length) => new Uint8Array(length) },
    ...noteInto(heard),
  });
  await bell.prepare();
  const ended = new AbortController();
  const running = bell.run(ended.signal);
  onTestFinished(async () => {
    ended.abort();
    await running;
  });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
  };
  const pass = async (ms: number): Promise<void> => {
    await settle();
    clock.pass(ms);
    await settle();
  };
  const say = async (list: string, text: string | Uint8Array): Promise<void> => {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    handlers.get(address.event)?.(`tp.E1.live.${list}`, bytes);
    await settle();
  };
  const ring = (list: string, number: number, run = 'a') => say(list, JSON.stringify({ run, number }));
  const hear = async (): Promise<void> => {
    bell.told(address);
    await pass(HALF);
    expect(bell.isHeard()).toBe(true);
    heard.length = 0;
  };
  return { bell, heard, server, handlers, cut: () => cut(), pass, settle, say, ring, hear };
};

test('nothing is opened before the box says where its bell is; then everything is looked at, after a while', async () => {
  const { bell, heard, server, pass, settle } = await startBell();
  await pass(3_600_000);
  expect(server.opened).toEqual([]);
  bell.told(address);
  await settle();
  expect([server.opened, bell.isHeard(), heard]).toEqual([['nats://box:8822'], true, []]);
  await pass(HALF);
  expect(heard).toEqual(['doubt']);
  bell.told({ ...address });
  await pass(60_000);
  expect(server.opened).toHaveLength(1);
});

test('each ring names what to fetch; one that is missing makes it look at everything', async () => {
  const { heard, ring, hear, pass } = await startBell();
  await hear();
  await ring('visitors', 41);
  await ring('partners', 42);
  expect(heard).toEqual(['visitors', 'partners']);
  await ring('labels', 44);
  expect(heard).toEqual(['visitors', 'partners']);
  await pass(HALF);
  expect(heard).toEqual(['visitors', 'partners', 'doubt']);
  await ring('labels', 45);
  expect(heard.at(-1)).toBe('labels');
  await ring('all', 46);
  await ring('visitors', 1, 'another run');
  await pass(HALF);
  expect(heard.slice(4)).toEqual(['doubt']);
});

test('what comes twice, or is none, is let pass', async () => {
  const { heard, handlers, say, ring, hear, pass } = await startBell();
  await hear();
  await ring('visitors', 7);
  await ring('visitors', 7);
  const garbage = ['', '{', 'null', '[]', '{"run":1,"number":8}', '{"run":"a","number":-1}', '\0\u00ff'];
  for (const text of garbage) await say('visitors', text);
  await say('visitors', new Uint8Array([0xff, 0xfe, 0x80, 0x00]));
  await pass(60_000);
  expect(heard).toEqual(['visitors']);
  handlers.get(address.device)?.(address.device, new Uint8Array([0xff]));
  handlers.get(address.team ?? '')?.(address.team ?? '', new Uint8Array());
  expect(heard).toEqual(['visitors', 'asked', 'team']);
  // A number from nowhere costs one look and no more.
  await ring('visitors', 2 ** 52);
  await ring('visitors', 8);
  await pass(HALF);
  expect(heard.slice(3)).toEqual(['doubt']);
  await ring('visitors', 9);
  expect(heard.at(-1)).toBe('visitors');
});

test('a bell that falls silent is said at once; it is heard again when it rings again', async () => {
  const { bell, heard, server, cut, pass, settle, hear } = await startBell();
  await hear();
  server.away = true;
  cut();
  await settle();
  expect(bell.isHeard()).toBe(false);
  await pass(HALF);
  expect(heard).toEqual(['doubt']);
  for (let round = 0; round < 8; round += 1) await pass(RETRY.capMs);
  expect(server.opened.length).toBeGreaterThan(5);
  expect(heard).toEqual(['doubt']);
  server.away = false;
  await pass(RETRY.capMs);
  expect(bell.isHeard()).toBe(true);
  await pass(HALF);
  expect(heard).toEqual(['doubt', 'doubt']);
});

test('a box without a bell any more, or with another one, is followed', async () => {
  const { bell, server, pass, hear } = await startBell();
  await hear();
  bell.told({ ...address, url: 'nats://standby:8822' });
  await pass(HALF);
  await pass(RETRY.capMs);
  expect([server.opened, bell.isHeard()]).toEqual([['nats://box:8822', 'nats://standby:8822'], true]);
  bell.told(null);
  await pass(HALF);
  await pass(RETRY.capMs);
  await pass(60_000);
  expect([server.opened.length, bell.isHeard()]).toEqual([2, false]);
});

test('a bell at every address of the box is reached where the box is', () => {
  const everywhere = { ...address, url: 'nats://0.0.0.0:8822' };
  expect(reachedFrom(everywhere, 'box.local').url).toBe('nats://box.local:8822');
  expect(reachedFrom(address, 'box.local')).toEqual(address);
});
