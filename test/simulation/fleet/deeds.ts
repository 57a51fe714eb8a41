/**
 * Events of a fleet besides taps: network conditions on both sides of the hub, and actions and accidents of people
 * with devices and with the hub.
 *
 * Invariant: everything can be repaired in the quiet phase that follows.
 */
import { join } from 'node:path';
import { readFactLines } from '../../../src-main/core/journal/facts/fact-lines.ts';
import type { Chance } from '../chance.ts';
import type { Device } from '../device.ts';
import type { Weather } from '../model-network.ts';
import type { ModelPlatform, Vices } from '../model-platform.ts';
import type { VirtualTime } from '../virtual-time.ts';
import type { Hub } from './hub.ts';

/** A device with its place and its credential at the hub. No credential: it was revoked, or the hub lost it. */
export type Member = {
  readonly device: Device;
  readonly touchpoint: string;
  readonly partner: string;
  credential: { readonly id: string; readonly key: string } | null;
};

/** The places of devices. */
export const PLACES = [
  { touchpoint: 'tp1', partner: 'p1' },
  { touchpoint: 'tp2', partner: 'p1' },
  { touchpoint: 'tp3', partner: 'p2' },
] as const;

export type Place = (typeof PLACES)[number];

const MOST_DEVICES = 5;

/**
 * The clocks of a world. The clocks of one kind (devices, hubs or platform) may be wrong by years, and jump. The
 * others are wrong by minutes, because no machine could find the right time if two kinds were wrong by years.
 */
export type Clocks = {
  readonly wrong: 'none' | 'devices' | 'hubs' | 'platform';
  /** How far the date of the platform's answers is ahead, in milliseconds. */
  platform: number;
};

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** How far a clock is ahead. The fair lasts three days. */
const NEAR_MS = [0, 0, 3_000, -3_000, 5 * MINUTE_MS, -5 * MINUTE_MS] as const;
const FAR_MS = [0, 40 * DAY_MS, -40 * DAY_MS, 900 * DAY_MS, -20_000 * DAY_MS] as const;

/** A possible error of a clock in this world, in milliseconds. */
export const errorOf = ({ wrong }: Clocks, whose: Clocks['wrong'], chance: Chance): number => {
  if (wrong === 'none') return 0;
  return chance.pick(wrong === whose ? FAR_MS : NEAR_MS);
};

export type DeedParts = {
  readonly chance: Chance;
  readonly hall: Weather;
  readonly uplink: Weather;
  readonly vices: Vices;
  readonly platform: ModelPlatform;
  /** Several hubs share one database. */
  readonly hubs: readonly Hub[];
  /** The hub that serves, if one does. */
  readonly serving: () => Hub | undefined;
  readonly clocks: Clocks;
  readonly time: Pick<VirtualTime, 'sleep'>;
  readonly members: readonly Member[];
  readonly addMember: (place: Place, disk?: string) => Member;
  readonly setUp: (member: Member) => Promise<void>;
};

/** Events of a fleet besides taps, by name. They return false when not possible now. */
export const deedsOf = (parts: DeedParts): readonly (readonly [string, () => Promise<boolean>])[] => [
  ...weatherDeeds(parts),
  ...deviceDeeds(parts),
  ...hubDeeds(parts),
  ...(parts.clocks.wrong === 'none' ? [] : clockDeeds(parts)),
];

const weatherDeeds = ({ chance, hall, uplink, vices, platform }: DeedParts) => {
  const always =
    (change: () => void): (() => Promise<boolean>) =>
    async () => {
      change();
      return true;
    };
  const moods: readonly Weather['mood'][] = ['down', 'down', 'keyRefused', 'noEvent', 'forbidden'];
  const silences: readonly Weather['mood'][] = ['takesInSilence', 'takesNothing'];
  const worse = (weather: Weather) => () => {
    weather.lostAfter = chance.pick([0, 0.1, 0.3]);
    weather.lostBefore = chance.pick([0, 0.1, 0.3]);
    weather.broken = chance.pick([0, 0.05, 0.2]);
    weather.garbage = chance.pick([0, 0.05]);
    weather.portal = chance.pick([0, 0.1]);
    weather.slow = chance.pick([0, 0.3]);
  };
  return [
    ['the hall network changes', always(worse(hall))],
    ['the hall network repeats', always(() => (hall.repeated = chance.pick([0, 0.2, 0.5])))],
    ['the uplink changes', always(worse(uplink))],
    [
      'the uplink repeats',
      // No client can avoid this at a platform that ignores ids.
      always(() => (uplink.repeated = vices.honoursIds ? chance.pick([0, 0.2]) : 0)),
    ],
    ['upstream refuses', always(() => (uplink.mood = chance.pick(moods)))],
    ['upstream is silent', always(() => (uplink.mood = chance.pick(silences)))],
    ['upstream is itself', always(() => (uplink.mood = 'fine'))],
    ['upstream is itself', always(() => (uplink.mood = 'fine'))],
    ['upstream is backed up', always(platform.takeSnapshot)],
    ['upstream is restored', async () => platform.restore()],
  ] as const;
};

/**
 * Whether a device holds facts that get their time when they are sent. A copy of its disk computes another
 * time, and a hub refuses an id with two contents.
 */
const lacksTimes = (device: Device): boolean =>
  [...(readFactLines(join(device.folder(), 'journal.db')) ?? [])].some(
    ({ clockOffset, delivery }) => clockOffset === null && delivery?.state !== 'confirmed',
  );

const deviceDeeds = ({ chance, serving, members, addMember, setUp }: DeedParts) => {
  const withFile = async (member: Member): Promise<boolean> => {
    if (serving() === undefined) return false;
    await setUp(member);
    return true;
  };
  return [
    [
      'a cable is pulled or put in',
      async () => {
        const { device } = chance.pick(members);
        device.cut = !device.cut;
        return true;
      },
    ],
    [
      'a device is started again',
      async () => {
        const { device } = chance.pick(members);
        await device.stop();
        device.start();
        return true;
      },
    ],
    [
      'a device loses power',
      async () => {
        const { device } = chance.pick(members);
        await device.losePower();
        device.start();
        return true;
      },
    ],
    [
      'a device is revoked',
      async () => {
        const member = chance.pick(members);
        const hub = serving();
        if (hub === undefined || member.credential === null) return false;
        await hub.revoke(member.credential.id);
        member.credential = null;
        return true;
      },
    ],
    [
      'a device is given a new file',
      async () => {
        const member = members.find(({ credential }) => credential === null);
        return member === undefined ? false : withFile(member);
      },
    ],
    [
      'a disk is copied',
      async () => {
        if (members.length >= MOST_DEVICES || serving() === undefined || chance.hits(0.5)) return false;
        const { touchpoint, partner, device } = chance.pick(members);
        if (lacksTimes(device)) return false;
        const place = PLACES.find((one) => one.touchpoint === touchpoint && one.partner === partner);
        return place === undefined ? false : withFile(addMember(place, device.folder()));
      },
    ],
  ] as const;
};

const hubDeeds = ({ chance, hubs, clocks, time, members }: DeedParts) => {
  const isShared = hubs.length > 1;
  const suspend = async (): Promise<boolean> => {
    const hub = chance.pick(hubs);
    if (!isShared || !hub.isUp() || hub.isSuspended()) return false;
    hub.suspend();
    // Shorter than the lease, or long enough for another hub to take over.
    void time.sleep(chance.pick([1_000, 6_000, 10_000]), 0).then(hub.resume);
    return true;
  };
  return [
    [
      'a hub is killed',
      async () => {
        const hub = chance.pick(hubs);
        if (!hub.isUp()) return false;
        await hub.losePower();
        if (chance.hits(0.7)) await hub.start();
        return true;
      },
    ],
    [
      'a hub is stopped or started',
      async () => {
        const hub = chance.pick(hubs);
        await (hub.isUp() ? hub.stop() : hub.start());
        return true;
      },
    ],
    [
      'the disk of the hub is lost',
      async () => {
        const [hub] = hubs;
        // A reset hub uses the times of the facts to find those that the previous hub may have sent.
        if (hub === undefined || isShared || clocks.wrong !== 'none' || chance.hits(0.5)) return false;
        await hub.loseDisk();
        for (const member of members) member.credential = null;
        await hub.start();
        return true;
      },
    ],
    ['a hub is suspended', suspend],
    ['a hub is suspended', suspend],
    [
      'all hubs are there',
      async () => {
        if (hubs.every((hub) => hub.isUp())) return false;
        for (const hub of hubs) await hub.start();
        return true;
      },
    ],
  ] as const;
};

const clockDeeds = ({ chance, hubs, clocks, members }: DeedParts) => {
  const amount = (whose: Clocks['wrong']): number => errorOf(clocks, whose, chance);
  const set = async (): Promise<boolean> => {
    chance.pick(members).device.setClock(amount('devices'));
    return true;
  };
  return [
    ['the clock of a device is set', set],
    ['the clock of a device is set', set],
    [
      'the clock of a hub is set',
      async () => {
        chance.pick(hubs).setClock(amount('hubs'));
        return true;
      },
    ],
    [
      'the clock of the platform is set',
      async () => {
        clocks.platform = amount('platform');
        return true;
      },
    ],
  ] as const;
};
