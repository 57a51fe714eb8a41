/**
 * One simulated world: a platform with vices, a network with moods, one to five real kiosks on one key, visitors who
 * tap, technicians who pull plugs. Then quiet, a reconcile, and the question whether all laws held.
 *
 * Invariants: the core that runs is the real one over real SQLite files; only time, chance, network and platform are
 * modelled; every breach names its seed.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKiosk, type Kiosk } from '../../src-main/core/kiosk.ts';
import { RESOURCES } from '../../src-main/core/mirror/resources.ts';
import type { ReaderEvent } from '../../src-main/core/ports.ts';
import { standSettingsSchema } from '../../src-main/core/stand/settings.ts';
import { screenOf, TECHNICIAN, technicianScreen } from '../core/screen.ts';
import { type Chance, createChance } from './chance.ts';
import { inspect, type Shown } from './inspect.ts';
import { createModelClient, type KeySlots, quietWeather } from './model-network.ts';
import { createModelPlatform, type ModelPlatform, type Repeats, type Vices } from './model-platform.ts';
import { createVirtualTime } from './virtual-time.ts';
import { openWitness, type Witness } from './witness.ts';

/** What a world came to. `breaches` is empty when all laws held. */
export type WorldReport = {
  readonly seed: number;
  readonly steps: number;
  readonly facts: number;
  readonly kiosks: number;
  /** Whether its platform took an id that came again for a duplicate. */
  readonly honoursIds: boolean;
  /** Effects beyond the first of their fact, where the platform does not honour ids. */
  readonly repeats: Repeats;
  readonly breaches: readonly string[];
};

type Device = {
  readonly owner: number;
  readonly folder: string;
  readonly skew: number;
  readonly shown: Shown[];
  kiosk: Kiosk | null;
  witness: Witness | null;
  tell: (event: ReaderEvent) => void;
  cut: boolean;
  insertion: number;
  errors: string[];
};

const BUSY_MS = 45_000;
const LAP_MS = 20_000;
const QUIET_LAPS = 30;
const EXPO = 'E1';
const memoryDisk = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** Runs the world of `seed` to its end. */
export const runWorld = async (seed: number): Promise<WorldReport> => {
  const chance = createChance(seed);
  const time = createVirtualTime(chance);
  const weather = quietWeather();
  const slots: KeySlots = { inFlight: 0, most: 0, refused: 0 };
  const vices: Vices = {
    ties: chance.pick([0, 0.2, 0.4]),
    late: chance.pick([0, 0.1, 0.25]),
    pageCap: chance.pick([6, 9, 100]),
    honoursIds: chance.hits(0.7),
    tellsClientIds: chance.hits(0.8),
  };
  const platform = createModelPlatform(chance, time.now, vices);
  const folder = mkdtempSync(join(memoryDisk, 'touchpoint-world-'));
  const breaches: string[] = [];
  let steps = 0;
  const breach = (what: string): void => {
    if (breaches.length < 10) breaches.push(what);
  };

  const badges = populate(platform, chance);
  const devices: Device[] = Array.from(
    { length: chance.pick([1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 5]) },
    (_, index) => ({
      owner: index + 1,
      folder: join(folder, `kiosk-${index + 1}`),
      skew: chance.between(-300_000, 300_000),
      shown: [],
      kiosk: null,
      witness: null,
      tell: () => undefined,
      cut: false,
      insertion: 0,
      errors: [],
    }),
  );

  const start = (device: Device): void => {
    mkdirSync(device.folder, { recursive: true });
    const clock = time.clockOf(device.owner, device.skew);
    const kiosk = createKiosk({
      clock,
      random: chance,
      log: {
        error: (what, details) => device.errors.push(`${what} ${JSON.stringify(details)}`),
        warn: () => undefined,
        info: () => undefined,
      },
      folder: device.folder,
      maintenance: 'off',
      platform: { baseUrl: 'http://model.invalid', key: 'k', password: '', expoId: EXPO },
      connect: () =>
        createModelClient({
          platform,
          kiosk: device.owner,
          chance,
          weather,
          slots,
          isCut: () => device.cut,
          wait: (ms, signal) => time.sleep(ms, device.owner, signal),
          onFlight: (inFlight) => {
            if (inFlight > 1)
              breach(`docs/laws.md#law-5: kiosk ${device.owner} had ${inFlight} requests in flight`);
          },
        }),
      drivers: [
        { start: (tell) => (device.tell = tell), feedback: () => undefined, stop: async () => undefined },
      ],
      demoBadges: [],
      demoStaff: TECHNICIAN,
      version: 'simulated',
      stand,
      cardService: 'on',
    });
    device.kiosk = kiosk;
    device.witness = openWitness(device.folder);
    kiosk.start();
    void watch(device, kiosk);
  };

  const watch = async (device: Device, kiosk: Kiosk): Promise<void> => {
    for await (const event of await screenOf(kiosk).taps.watch()) {
      if (event.kind === 'captured') device.shown.push({ factId: event.factId, owner: device.owner });
      if (event.kind === 'failed') breach(`a tap failed: ${event.reason}`);
    }
  };

  const stop = async (device: Device): Promise<void> => {
    const { kiosk } = device;
    device.kiosk = null;
    device.witness?.close();
    device.witness = null;
    await kiosk?.stop();
  };

  const check = (owner: number): void => {
    steps += 1;
    const witness = devices[owner - 1]?.witness;
    if (witness == null) return;
    for (const what of witness.breaches()) breach(`kiosk ${owner}: ${what}`);
    if (slots.most > 2) breach(`docs/laws.md#law-5: ${slots.most} requests of one key at once`);
  };

  const tap = (device: Device): void => {
    if (device.kiosk === null) return;
    device.insertion += 1;
    const { insertion } = device;
    device.tell({ kind: 'inserted', reader: 'r', insertion });
    const card = { uid: chance.pick(badges), atr: '', ndef: { state: 'none' as const } };
    device.tell({ kind: 'card', reader: 'r', insertion, card });
  };

  /** What a visitor may add to the last tap; most of it in time, some of it too late. */
  const add = async (device: Device): Promise<void> => {
    const factId = device.shown.at(-1)?.factId;
    if (device.kiosk === null || factId === undefined) return;
    const { session } = screenOf(device.kiosk);
    const language = 'en';
    const what = chance.between(1, 4);
    if (what === 1) await session.consent({ factId, language, agreed: { news: chance.hits(0.5) } });
    if (what === 2)
      await session.answer({ factId, language, question: 'stars', answer: chance.between(1, 5) });
    if (what > 2)
      await session.collect({ factId, content: `c${chance.between(0, 2)}`, take: chance.hits(0.7) });
  };

  const undo = async (device: Device): Promise<void> => {
    const last = device.shown.at(-1);
    if (device.kiosk === null || last === undefined) return;
    await screenOf(device.kiosk).taps.undo({ factId: last.factId });
  };

  const disturb = async (): Promise<void> => {
    const device = chance.pick(devices);
    const what = chance.between(1, 12);
    if (what === 1) device.cut = !device.cut;
    if (what === 2) {
      await stop(device);
      start(device);
    }
    if (what === 3) weather.mood = chance.pick(['fine', 'down', 'keyRefused', 'noEvent', 'forbidden']);
    if (what === 4) weather.mood = 'fine';
    if (what === 5) platform.takeSnapshot();
    if (what === 6) platform.restore();
    if (what === 7) weather.lostAfter = chance.pick([0, 0.1, 0.3]);
    if (what === 8) weather.lostBefore = chance.pick([0, 0.1, 0.3]);
    if (what === 9) weather.broken = chance.pick([0, 0.05, 0.2]);
    if (what === 10) weather.garbage = chance.pick([0, 0.05]);
    if (what === 11) weather.portal = chance.pick([0, 0.1]);
    if (what === 12) device.kiosk?.state();
  };

  try {
    for (const device of devices) start(device);
    while (time.now() < BUSY_MS) {
      await time.pass(chance.between(50, 2_500), check);
      const act = chance.fraction();
      if (act < 0.5) tap(chance.pick(devices));
      else if (act < 0.6) await add(chance.pick(devices));
      else if (act < 0.75) change(platform, chance, badges);
      else if (act < 0.8) await undo(chance.pick(devices));
      else await disturb();
      await time.settle();
    }
    Object.assign(weather, quietWeather());
    platform.commitEverything();
    for (const device of devices) {
      device.cut = false;
      if (device.kiosk === null) start(device);
    }
    await time.pass(25_000, check);
    await reconcileAll(devices, () => time.pass(20_000, check));
    const diverged = (): string[] =>
      devices.flatMap(({ owner, folder: own, shown, kiosk }) => {
        const found = [...inspect(own, EXPO, platform, shown)];
        const pause = kiosk?.state().delivery.pause ?? null;
        return [...found, ...(pause === null ? [] : [`still paused by ${pause}`])].map(
          (what) => `kiosk ${owner}: ${what}`,
        );
      });
    // Five devices that share two slots need a while; a world that is not equal after this never will be.
    const isBusy = (): boolean =>
      devices.some(({ kiosk }) => {
        const { due, inFlight, uncertain } = kiosk?.state().delivery ?? { due: 0, inFlight: 0, uncertain: 0 };
        return due + inFlight + uncertain > 0;
      });
    for (let lap = 0; lap < QUIET_LAPS && (isBusy() || diverged().length > 0); lap += 1) {
      await time.pass(LAP_MS, check);
    }
    for (const what of [...diverged(), ...platform.repeats.breaches]) breach(what);
    for (const { owner, errors } of devices) {
      for (const what of errors) breach(`kiosk ${owner} logged an error: ${what}`);
    }
    const facts = platform.accepted().size;
    const { honoursIds } = vices;
    const { repeats } = platform;
    return { seed, steps, facts, kiosks: devices.length, honoursIds, repeats, breaches };
  } finally {
    for (const device of devices) await stop(device);
    rmSync(folder, { recursive: true, force: true });
  }
};

const reconcileAll = async (devices: readonly Device[], passTime: () => Promise<void>): Promise<void> => {
  const each = async (ask: (kiosk: Kiosk) => Promise<unknown>): Promise<void> => {
    for (const { kiosk } of devices) if (kiosk !== null) await ask(kiosk);
    await passTime();
  };
  await each(async (kiosk) => (await technicianScreen(kiosk)).mirror.reconcile());
  // A restore may have taken more than five in a hundred: then a person is asked, and says yes.
  await each(async (kiosk) => {
    for (const { name } of kiosk.state().mirror.asks) {
      if (RESOURCES.some((resource) => resource.name === name)) {
        await (await technicianScreen(kiosk)).mirror.approveRemoval({ resource: name });
      }
    }
  });
};

const populate = (platform: ModelPlatform, chance: Chance): string[] => {
  platform.put('partners', 'p1', { id: 'p1', name: 'Partner' });
  platform.put('touchpoints', 'tp1', { id: 'tp1', name: 'Left', partnerID: 'p1', purpose: 'lead' });
  const badges = Array.from(
    { length: 14 },
    (_, index) => `0400000000${(index + 16).toString(16).toUpperCase()}00`,
  );
  for (const [index, code] of badges.slice(0, 8).entries()) {
    platform.put('visitors', `v${index}`, visitorBody(`v${index}`, code, chance));
  }
  for (let index = 0; index < 9; index += 1)
    platform.put('contents', `c${index}`, { id: `c${index}`, partnerID: 'p1' });
  // One badge the platform refuses for good.
  platform.poison.add(badges[13] ?? '');
  return badges;
};

/** A stand that asks: with it, visits leave facts of every kind. */
const stand = standSettingsSchema.parse({
  notice: { version: 'v1', texts: { en: { who: 'We', why: 'So', howLong: 'Long' } } },
  consents: [{ id: 'news', text: { en: 'News' } }],
  questions: [{ id: 'stars', kind: 'rating', text: { en: 'How?' } }],
});

const visitorBody = (id: string, code: string, chance: Chance): Record<string, unknown> => ({
  id,
  firstName: `First${chance.between(1, 99)}`,
  lastName: id,
  badges: [{ type: 'nfc', code }],
});

const change = (platform: ModelPlatform, chance: Chance, badges: readonly string[]): void => {
  const index = chance.between(0, 12);
  const deleted = chance.hits(0.15);
  const resource = chance.pick([
    'visitors',
    'visitors',
    'contents',
    'labels',
    'activities',
    'connections',
  ] as const);
  const id = `${resource[0]}${index}`;
  if (resource === 'visitors') {
    platform.put(resource, id, visitorBody(id, badges[index] ?? '', chance), deleted);
  } else {
    platform.put(resource, id, { id, partnerID: 'p1', note: chance.between(1, 9) }, deleted);
  }
};
