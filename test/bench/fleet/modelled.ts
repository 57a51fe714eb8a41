/**
 * The process of the modelled devices.
 *
 * Invariants:
 * - The first device reads the event page by page. The others start with a copy of its mirror, as after a restart.
 * - Their starts are spread over one round, as with the devices of a fair.
 */
import { ROUND_EVERY_MS } from '../../../src-main/core/foundations/time/times.ts';
import { realClock, realRandom } from '../../core/real-parts.ts';
import { answerCalls } from './calls.ts';
import type { Asked } from './counted-client.ts';
import type { DeviceCalls, FleetDevice, Hall } from './device.ts';
import { createMemoryMirror, type MemoryMirror } from './memory-mirror.ts';
import { createModelledDevice, type ModelledDevice } from './modelled-device.ts';

const complain = (what: string, details: unknown = ''): void => {
  process.stderr.write(`modelled device: ${what} ${JSON.stringify(details)}\n`);
};
const log = { error: complain, warn: complain, info: () => undefined };

/** Each device has its own signal, because all waits on one shared signal would cost more than their work. */
const ended: AbortController[] = [];
const asked: Asked = { requests: {}, busy: 0, faults: {}, open: 0 };
const devices: ModelledDevice[] = [];
const visitors = new Map<string, number[]>();
let rounds: number[] = [];
let running: Promise<unknown>[] = [];

const startOne = (hall: Hall, device: FleetDevice, mirror: MemoryMirror): ModelledDevice => {
  let lastRound: number | null = null;
  const modelled = createModelledDevice({
    ...{ hall, device, mirror, asked, log },
    onVisitor: ({ body: { lastName } }) => {
      const times = visitors.get(String(lastName)) ?? [];
      times.push(realClock.now());
      visitors.set(String(lastName), times);
    },
    onRound: () => {
      const now = realClock.monotonic();
      if (lastRound !== null) rounds.push(now - lastRound);
      lastRound = now;
    },
  });
  devices.push(modelled);
  const end = new AbortController();
  ended.push(end);
  running.push(modelled.run(end.signal));
  return modelled;
};

const calls: DeviceCalls = {
  start: async ({ hall, devices: [first, ...others] }) => {
    if (first === undefined) return;
    const mirror = createMemoryMirror();
    const reader = startOne(hall, first, mirror);
    while (!reader.isWhole()) await realClock.sleep(100);
    const startLater = async (device: FleetDevice): Promise<void> => {
      await realClock.sleep(realRandom.fraction() * ROUND_EVERY_MS);
      startOne(hall, device, mirror.copy());
    };
    await Promise.all(others.map(startLater));
  },
  tally: async () => {
    const tally = { captured: 0, handedOver: 0, confirmed: 0, parked: 0, whole: 0, behind: 0 };
    for (const { outbox, isWhole, isInStep } of devices) {
      const { captured, sent, confirmed, parked } = outbox.counts();
      tally.captured += captured;
      tally.handedOver += sent + confirmed + parked;
      tally.confirmed += confirmed;
      tally.parked += parked;
      tally.whole += isWhole() ? 1 : 0;
      tally.behind += isInStep() ? 0 : 1;
    }
    return { ...tally, ...asked };
  },
  capture: async ({ each, withinMs, badges, from, to }) => {
    const captureOne = async ({ capture }: ModelledDevice): Promise<void> => {
      await realClock.sleep(realRandom.fraction() * withinMs);
      capture(badges[Math.floor(realRandom.fraction() * badges.length)] ?? '');
    };
    const taps = devices
      .slice(from, to)
      .flatMap((device) => Array.from({ length: each }, () => captureOne(device)));
    await Promise.all(taps);
  },
  arrivals: async ({ visitor }) => visitors.get(visitor) ?? [],
  rounds: async () => {
    const taken = rounds;
    rounds = [];
    return taken;
  },
  stop: async () => {
    for (const end of ended) end.abort();
    await Promise.all(running);
    running = [];
  },
};

answerCalls(calls);
