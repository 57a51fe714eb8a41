/**
 * One simulated fleet: two to five real devices at the real hub, a platform with vices behind it, and a faulty
 * network on both sides of the hub. Visitors tap, plugs are pulled, disks are lost and copied, devices are revoked
 * and set up again. Then all traffic ends, a comparison runs, and all laws are checked for each device and for the
 * whole fleet. In every second world two hubs share a database, and one takes over when the other is stopped, killed
 * or suspended. In half of the worlds clocks are wrong, and jump.
 *
 * Invariants:
 * - Devices, hubs and their data are the real ones with real SQLite files. Only time, chance, network, the database
 *   server and the platform are modelled.
 * - The same seed gives the same world (`trace`).
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HUB_RESOURCES } from '../../../src-hub/mirror/resources.ts';
import { createAddressChoice } from '../../../src-main/core/foundations/api/several-addresses.ts';
import { createChance } from '../chance.ts';
import { asksEverything, createDevice, type Device } from '../device.ts';
import { change, populate } from '../event.ts';
import {
  type Answer,
  type Asked,
  createModelClient,
  createSeveralWays,
  createWay,
  freeSlots,
  type NetworkPorts,
  networkFault,
  quietWeather,
} from '../model-network.ts';
import { createModelPlatform, type Repeats, type Vices } from '../model-platform.ts';
import { servePlatform } from '../platform-service.ts';
import { BEGINNING, createVirtualTime } from '../virtual-time.ts';
import { type Database, openDatabase } from './database.ts';
import { type Clocks, deedsOf, errorOf, type Member, PLACES, type Place } from './deeds.ts';
import { createHub, type Hub, LEASE_MS } from './hub.ts';
import { hubCopyBreaches, inspectFleet } from './laws.ts';

/** Result of a fleet. `breaches` is empty when all laws held. */
export type FleetReport = {
  readonly seed: number;
  readonly steps: number;
  readonly facts: number;
  readonly devices: number;
  readonly honoursIds: boolean;
  readonly repeats: Repeats;
  /** Equal for the same seed: a hash of every event and every answer. */
  readonly trace: string;
  /** How often each event happened, by name. */
  readonly happened: ReadonlyMap<string, number>;
  readonly breaches: readonly string[];
};

const BUSY_MS = 20_000;
const LAP_MS = 4_000;
const MOST_LAPS = 30;
const EXPO = 'E1';
const HUB = 100;
/** How long a device waits for an answer of a suspended hub. */
const PATIENCE_MS = 4_000;
/** The longest time without a hub that serves, if one could: the lease, the next try of a standby, its start. */
const LONGEST_GAP_MS = LEASE_MS + 4_000;
/** The order of worlds with wrong clocks. Each kind comes in worlds with one hub and with two. */
const WRONG_CLOCKS: readonly Clocks['wrong'][] = [
  'none',
  'none',
  'devices',
  'hubs',
  'none',
  'platform',
  'none',
];
const memoryDisk = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
/** Runs the fleet of `seed` to its end. */
export const runFleet = async (seed: number): Promise<FleetReport> => {
  const folder = mkdtempSync(join(memoryDisk, 'touchpoint-fleet-'));
  const fleet = await createFleet(seed, folder);
  try {
    return await fleet.run();
  } finally {
    await fleet.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

const createFleet = async (seed: number, folder: string) => {
  const chance = createChance(seed);
  const time = createVirtualTime(chance);
  const [hall, uplink] = [quietWeather(), quietWeather()];
  const vices: Vices = {
    ties: chance.pick([0, 0.2, 0.4]),
    late: chance.pick([0, 0.1, 0.25]),
    pageCap: chance.pick([6, 9, 100]),
    honoursIds: chance.hits(0.6),
    tellsClientIds: chance.hits(0.8),
  };
  const platform = createModelPlatform(chance, time.now, vices);
  const badges = populate(platform, chance, PLACES);
  // The records of a device's set-up exist before it.
  platform.commitEverything();
  const trace = createHash('sha256');
  const happened = new Map<string, number>();
  const breaches: string[] = [];
  const members: Member[] = [];
  let steps = 0;
  const breach = (what: string): void => {
    if (breaches.length < 10) breaches.push(what);
  };
  const wait = (owner: number) => (ms: number, signal?: AbortSignal) => time.sleep(ms, owner, signal);
  const note = (owner: number, what: string): void =>
    void trace.update(`${time.now().toFixed(3)} ${owner} ${what}\n`);

  const happen = (what: string): void => {
    happened.set(what, (happened.get(what) ?? 0) + 1);
    note(0, what);
  };
  const clocks: Clocks = { wrong: WRONG_CLOCKS[seed % WRONG_CLOCKS.length] ?? 'none', platform: 0 };
  clocks.platform = errorOf(clocks, 'platform', chance);
  const database: Database | null =
    seed % 2 === 0 ? null : await openDatabase(join(folder, 'database'), time.now);

  const addHub = (place: number): Hub => {
    const owner = HUB + place;
    const ownSlots = freeSlots();
    const { serve, onWhole } = servePlatform(platform, owner);
    return createHub({
      ...{ owner, folder: join(folder, `hub-${owner}`), database },
      skew: errorOf(clocks, 'hubs', chance),
      ...{ expo: EXPO, time, chance, note: happen },
      connect: (clock, { goOn }) =>
        createModelClient({
          serve: async (asked) => ({
            ...(await serve(asked)),
            date: Math.floor((BEGINNING + time.now() + clocks.platform) / 1_000) * 1_000,
          }),
          ...{ onWhole, clock, goOn, chance, weather: uplink, slots: ownSlots, width: 2 },
          ...{ isCut: () => false, wait: wait(owner) },
          onFlight: (inFlight) => {
            if (inFlight > 2) breach(`docs/laws.md#law-5: a hub had ${inFlight} requests in flight`);
            if (ownSlots.most > 2) breach(`docs/laws.md#law-5: ${ownSlots.most} requests upstream at once`);
          },
        }),
    });
  };
  const hubs = Array.from({ length: database === null ? 1 : 2 }, (_none, place) => addHub(place));
  const serving = (): Hub | undefined => hubs.find((hub) => hub.run() > 0 && !hub.isSuspended());
  const present = (): Hub => serving() ?? chance.pick(hubs);

  const addMember = (place: Place, disk?: string): Member => {
    const owner = members.length + 1;
    const ownSlots = freeSlots();
    const choice = createAddressChoice(hubs.length);
    const member: Member = { ...place, credential: null, device: create() };
    members.push(member);
    return member;

    /** A request to a hub. A suspended one accepts it, and answers after it was resumed. */
    async function serve(hub: Hub, asked: Asked, key: string, signal?: AbortSignal): Promise<Answer> {
      const answering = hub.ask(asked, key);
      if (!hub.isSuspended()) return answering;
      const tooLate = time.sleep(PATIENCE_MS, owner, signal).then((): Answer => {
        throw networkFault('UND_ERR_HEADERS_TIMEOUT', asked.body !== null);
      });
      return Promise.race([answering, tooLate]);
    }
    function create(): Device {
      return createDevice({
        ...{ owner, folder: join(folder, `kiosk-${owner}`) },
        skew: errorOf(clocks, 'devices', chance),
        ...{ expo: EXPO, time, chance, badges, contents: ['c0', 'c1', 'c2'], breach },
        ...(disk === undefined ? {} : { disk }),
        stand: { ...asksEverything, touchpoint: place.touchpoint },
        key: () => member.credential?.key ?? 'none',
        wasTaken: platform.everAccepted,
        atHub: { open: () => null, belongs: () => true, reload: () => undefined },
        connect: ({ key }, clock) => {
          const portsTo = (hub: Hub): NetworkPorts => ({
            ...{ chance, clock, weather: hall, slots: ownSlots, wait: wait(owner), run: hub.run },
            isCut: () => member.device.cut,
            serve: async (asked, signal) => {
              const answer = await serve(hub, asked, key, signal);
              note(owner, `${asked.path} ${answer.status}`);
              return answer;
            },
            onFlight: (inFlight) => {
              if (inFlight > 1)
                breach(`docs/laws.md#law-5: kiosk ${owner} had ${inFlight} requests in flight`);
            },
          });
          const ways = hubs.map((hub) => createWay(portsTo(hub)));
          return createModelClient(portsTo(present()), createSeveralWays(ways, choice));
        },
      });
    }
  };

  let servedAt = 0;
  /** A standby takes over from a hub that was stopped, killed or suspended. */
  const checkHubs = (): void => {
    const couldServe = database !== null && hubs.some((hub) => hub.isUp() && !hub.isSuspended());
    if (!couldServe || serving() !== undefined) servedAt = time.now();
    if (time.now() - servedAt > LONGEST_GAP_MS) breach(`no hub served for ${time.now() - servedAt} ms`);
  };
  const check = (owner: number): void => {
    steps += 1;
    note(owner, '');
    for (const what of members[owner - 1]?.device.breaches() ?? []) breach(`kiosk ${owner}: ${what}`);
    checkHubs();
  };

  /** A new set-up file for a device: the hub accepts it again, and it starts with its new key. */
  const setUp = async (member: Member): Promise<void> => {
    member.credential = await present().addDevice(member.touchpoint, member.partner);
    await member.device.stop();
    member.device.start();
  };

  const deeds = deedsOf({
    ...{ chance, hall, uplink, vices, platform, hubs, serving },
    ...{ clocks, time, members, addMember, setUp },
  });

  const act = async (): Promise<void> => {
    const { device } = chance.pick(members);
    const what = chance.fraction();
    if (what < 0.5) device.tap();
    else if (what < 0.58) await device.add();
    else if (what < 0.64) await device.undo();
    else if (what < 0.74) change(platform, chance, badges, PLACES);
    else {
      const [name, deed] = chance.pick(deeds);
      if (await deed()) happen(name);
    }
  };

  /** Runs laps until `isReached`. Staff triggers early polls. */
  const lapsUntil = async (
    isReached: () => Promise<boolean> | boolean,
    hurry: (lap: number) => Promise<void> | void,
  ): Promise<void> => {
    for (let lap = 0; lap < MOST_LAPS && !(await isReached()); lap += 1) {
      await hurry(lap);
      await time.pass(LAP_MS, check);
    }
  };

  const calm = async (): Promise<void> => {
    Object.assign(hall, quietWeather());
    Object.assign(uplink, quietWeather());
    platform.commitEverything();
    for (const hub of hubs) {
      hub.resume();
      await hub.start();
    }
    await lapsUntil(
      () => serving() !== undefined,
      () => undefined,
    );
    for (const member of members) {
      member.device.cut = false;
      if (member.credential === null) await setUp(member);
      else if (member.device.kiosk() === null) member.device.start();
    }
  };

  const isDelivered = async (): Promise<boolean> => {
    const hub = serving();
    if (hub === undefined || members.some(({ device }) => device.isBusy())) return false;
    const { due, in_flight, uncertain, sent } = await hub.counts();
    return due + in_flight + uncertain + sent === 0;
  };

  /**
   * A change without a notification (an older state, a missing record) appears only in a comparison. Staff approve
   * removals.
   */
  const compareHub = async (hub: Hub): Promise<void> => {
    if (database === null && chance.hits(0.5)) {
      await hub.stop();
      await hub.start();
    }
    for (let round = 0; round < 3 && [...hubCopyBreaches({ hub, platform })].length > 0; round += 1) {
      for (const { name } of HUB_RESOURCES)
        if (hub.mirror().progress(name).asks > 0) hub.mirror().approveSweep(name);
      hub.nextDay();
      const isEqual = (): boolean => [...hubCopyBreaches({ hub, platform })].length === 0;
      for (let lap = 0; lap < 5 && !isEqual(); lap += 1) await time.pass(LAP_MS, check);
    }
  };

  const found = (): readonly string[] => {
    const hub = serving();
    return hub === undefined ? ['no hub serves'] : inspectFleet({ members, hub, platform });
  };

  return {
    run: async (): Promise<FleetReport> => {
      for (const hub of hubs) await hub.start();
      await time.pass(2_000, check);
      const count = chance.pick([2, 2, 2, 3, 3, 4]);
      for (let index = 0; index < count; index += 1) await setUp(addMember(chance.pick(PLACES)));
      while (time.now() < BUSY_MS) {
        await time.pass(chance.between(50, 800), check);
        await act();
        await time.settle();
      }
      await calm();
      await lapsUntil(isDelivered, async () => serving()?.wake());
      await compareHub(present());
      for (const { device } of members) await device.reconcile();
      await lapsUntil(
        async () => {
          for (const { device } of members) {
            await device.approve();
            await device.retryUndos();
          }
          return found().length === 0;
        },
        (lap) => {
          // The next comparison finds what was reset since the last one.
          if (lap % 6 === 5) serving()?.nextDay();
          for (const { device } of members) device.kiosk()?.lookAgain();
        },
      );
      for (const what of [...found(), ...platform.repeats.breaches]) breach(what);
      for (const { device } of members)
        for (const what of device.errors) breach(`kiosk ${device.owner} logged an error: ${what}`);
      for (const hub of hubs) for (const what of hub.errors) breach(`a hub logged an error: ${what}`);
      const { honoursIds } = vices;
      const facts = platform.accepted().size;
      const { repeats } = platform;
      const counted = {
        now: time.now(),
        seed,
        steps,
        facts,
        devices: members.length,
        honoursIds,
        repeats,
        happened,
      };
      // A copy, because the answer to a repeated request may still be noted.
      return { ...counted, trace: trace.copy().digest('hex'), breaches };
    },
    stop: async (): Promise<void> => {
      for (const { device } of members) await device.stop();
      for (const hub of hubs) await hub.losePower();
      await database?.store.close();
    },
  };
};
