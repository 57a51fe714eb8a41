/**
 * One simulated world: a badly behaving platform, a faulty network, one to five real devices with one key, visitors
 * who tap, technicians who pull plugs. It ends with a quiet time, a full comparison and a check of all laws.
 *
 * Invariants:
 * - The core is the real one with real SQLite files. Only time, chance, network and platform are modelled.
 * - The same seed gives the same world.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createChance } from './chance.ts';
import { asksEverything, createDevice, type Device } from './device.ts';
import { change, populate } from './event.ts';
import { inspect } from './inspect.ts';
import { createModelClient, freeSlots, quietWeather } from './model-network.ts';
import { createModelPlatform, type Repeats, type Vices } from './model-platform.ts';
import { servePlatform } from './platform-service.ts';
import { createVirtualTime } from './virtual-time.ts';

/** Result of a world. `breaches` is empty when all laws held. */
export type WorldReport = {
  readonly seed: number;
  readonly steps: number;
  readonly facts: number;
  readonly kiosks: number;
  /** Whether the platform treats a repeated id as a duplicate. */
  readonly honoursIds: boolean;
  /** Effects beyond the first of their fact, if the platform ignores ids. */
  readonly repeats: Repeats;
  readonly breaches: readonly string[];
};

const BUSY_MS = 45_000;
const LAP_MS = 20_000;
const QUIET_LAPS = 30;
const EXPO = 'E1';
const PLACES = [{ touchpoint: 'tp1', partner: 'p1' }];
const memoryDisk = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** Runs the world of `seed` to its end. */
export const runWorld = async (seed: number): Promise<WorldReport> => {
  const chance = createChance(seed);
  const time = createVirtualTime(chance);
  const weather = quietWeather();
  const slots = freeSlots();
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

  const badges = populate(platform, chance, PLACES);
  const devices: Device[] = Array.from(
    { length: chance.pick([1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 5]) },
    (_, index): Device => {
      const owner = index + 1;
      const device: Device = createDevice({
        ...{ owner, folder: join(folder, `kiosk-${owner}`), skew: chance.between(-300_000, 300_000) },
        ...{ expo: EXPO, time, chance, badges, contents: ['c0', 'c1', 'c2'], stand: asksEverything, breach },
        key: () => 'k',
        wasTaken: platform.everAccepted,
        connect: () =>
          createModelClient({
            ...servePlatform(platform, owner),
            ...{ chance, weather, slots },
            isCut: () => device.cut,
            wait: (ms, signal) => time.sleep(ms, owner, signal),
            onFlight: (inFlight) => {
              if (inFlight > 1)
                breach(`docs/laws.md#law-5: kiosk ${owner} had ${inFlight} requests in flight`);
            },
          }),
      });
      return device;
    },
  );

  const check = (owner: number): void => {
    steps += 1;
    for (const what of devices[owner - 1]?.breaches() ?? []) breach(`kiosk ${owner}: ${what}`);
    if (slots.most > 2) breach(`docs/laws.md#law-5: ${slots.most} requests of one key at once`);
  };

  const disturb = async (): Promise<void> => {
    const device = chance.pick(devices);
    const what = chance.between(1, 12);
    if (what === 1) device.cut = !device.cut;
    if (what === 2) {
      await (chance.hits(0.5) ? device.stop() : device.losePower());
      device.start();
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
    if (what === 12) device.kiosk()?.state();
  };

  try {
    for (const device of devices) device.start();
    while (time.now() < BUSY_MS) {
      await time.pass(chance.between(50, 2_500), check);
      const act = chance.fraction();
      if (act < 0.5) chance.pick(devices).tap();
      else if (act < 0.6) await chance.pick(devices).add();
      else if (act < 0.75) change(platform, chance, badges, PLACES);
      else if (act < 0.8) await chance.pick(devices).undo();
      else await disturb();
      await time.settle();
    }
    Object.assign(weather, quietWeather());
    platform.commitEverything();
    for (const device of devices) {
      device.cut = false;
      if (device.kiosk() === null) device.start();
    }
    await time.pass(25_000, check);
    for (const device of devices) await device.reconcile();
    await time.pass(20_000, check);
    // A restore may have removed more than five percent.
    for (const device of devices) await device.approve();
    await time.pass(20_000, check);
    const diverged = (): string[] =>
      devices.flatMap(({ owner, folder: own, shown, pause }) => {
        const found = [...inspect(own(), platform, shown)];
        const why = pause();
        return [...found, ...(why === null ? [] : [`still paused by ${why}`])].map(
          (what) => `kiosk ${owner}: ${what}`,
        );
      });
    // Five devices that share two slots need a while. If a world still differs after that, it never converges.
    const isBusy = (): boolean => devices.some((device) => device.isBusy());
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
    for (const device of devices) await device.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};
