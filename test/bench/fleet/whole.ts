/**
 * The process of the complete devices: kiosks of the product with journal, mirror and worker threads, but without
 * reader and screen.
 *
 * Invariant: a kiosk counts as having a change as soon as the page of records with that change has arrived.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '../../../src-main/core/foundations/api/client.ts';
import type { ReaderEvent } from '../../../src-main/core/foundations/ports.ts';
import { createKiosk, type Kiosk } from '../../../src-main/core/kiosk.ts';
import { plainSettings } from '../../../src-main/core/stand/visit/settings.ts';
import { signerOf } from '../../../src-main/provision/signed-text.ts';
import { cardReading } from '../../card-reading.ts';
import { realClock, realRandom } from '../../core/real-parts.ts';
import { answerCalls } from './calls.ts';
import { type Asked, countedClient } from './counted-client.ts';
import type { DeviceCalls, FleetDevice, Hall } from './device.ts';

const complain = (what: string, details: unknown = ''): void => {
  process.stderr.write(`whole device: ${what} ${JSON.stringify(details)}\n`);
};

type WholeDevice = { readonly kiosk: Kiosk; readonly tap: (uid: string) => void };

const asked: Asked = { requests: {}, busy: 0, faults: {}, open: 0 };
const devices: WholeDevice[] = [];
/** For each visitor, the time at which each device received them. */
const visitors = new Map<string, Map<string, number>>();
let rounds: number[] = [];

const noteVisitors = (device: string, bytes: Uint8Array): void => {
  for (const { lastName } of JSON.parse(Buffer.from(bytes).toString()) as { readonly lastName: string }[]) {
    const times = visitors.get(lastName) ?? new Map<string, number>();
    if (!times.has(device)) times.set(device, realClock.now());
    visitors.set(lastName, times);
  }
};

const startOne = (hall: Hall, device: FleetDevice): WholeDevice => {
  const folder = join(hall.folder, device.id);
  mkdirSync(folder, { recursive: true });
  let tell: (event: ReaderEvent) => void = () => undefined;
  let lastRound: number | null = null;
  const kiosk = createKiosk({
    ...{ clock: realClock, random: realRandom, folder },
    log: { error: complain, warn: complain, info: () => undefined },
    platform: {
      ...{ baseUrl: device.baseUrl, others: device.others, pin: hall.pin },
      ...{ key: device.key, password: '', expoId: hall.expoId },
    },
    connect: (access, clock) =>
      countedClient(createClient(access, clock), asked, (path, bytes) => {
        if (path.startsWith('/visitors/')) noteVisitors(device.id, bytes);
        if (!path.startsWith('/touchpoints/')) return;
        const now = realClock.monotonic();
        if (lastRound !== null) rounds.push(now - lastRound);
        lastRound = now;
      }),
    drivers: [
      { start: (listener) => (tell = listener), feedback: () => undefined, stop: async () => undefined },
    ],
    stand: { ...plainSettings(), touchpoint: device.touchpoint },
    atHub: { belongs: () => true, open: () => null, reload: () => undefined },
    isFromHub: (signed) => signerOf(signed) === hall.fingerprint,
    ...{ demoBadges: [], version: 'bench', cardService: 'on' },
  });
  kiosk.start();
  let insertion = 0;
  return {
    kiosk,
    tap: (uid) => {
      insertion += 1;
      tell({ kind: 'inserted', reader: 'bench', insertion });
      tell({ kind: 'card', reader: 'bench', insertion, card: cardReading(uid) });
      tell({ kind: 'removed', reader: 'bench' });
    },
  };
};

/** Picks this many different badges of `all`, because the same badge within seconds would be one tap. */
const draw = (all: readonly string[], count: number): readonly string[] => {
  const start = Math.floor(realRandom.fraction() * all.length);
  return Array.from({ length: count }, (_none, index) => all[(start + index) % all.length] ?? '');
};

const calls: DeviceCalls = {
  start: async ({ hall, devices: started }) => {
    for (const device of started) devices.push(startOne(hall, device));
  },
  tally: async () => {
    const tally = { captured: 0, handedOver: 0, confirmed: 0, parked: 0, whole: 0, behind: 0 };
    for (const { kiosk } of devices) {
      const { delivery, mirror } = kiosk.state();
      tally.captured += delivery.captured;
      tally.handedOver += delivery.sent + delivery.confirmed + delivery.parked;
      tally.confirmed += delivery.confirmed;
      tally.parked += delivery.parked;
      tally.whole += mirror.complete ? 1 : 0;
    }
    return { ...tally, ...asked };
  },
  capture: async ({ each, withinMs, badges, from, to }) => {
    const captureOne = async (tap: WholeDevice['tap'], uid: string): Promise<void> => {
      await realClock.sleep(realRandom.fraction() * withinMs);
      tap(uid);
    };
    const taps = devices
      .slice(from, to)
      .flatMap(({ tap }) => draw(badges, each).map((uid) => captureOne(tap, uid)));
    await Promise.all(taps);
  },
  arrivals: async ({ visitor }) => [...(visitors.get(visitor) ?? new Map<string, number>()).values()],
  rounds: async () => {
    const taken = rounds;
    rounds = [];
    return taken;
  },
  stop: async () => {
    await Promise.all(devices.map(({ kiosk }) => kiosk.stop()));
  },
};

answerCalls(calls);
