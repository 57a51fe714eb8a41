/**
 * Events of a fleet besides taps: network conditions on both sides of the hub, and actions and accidents of people
 * with devices and with the hub.
 *
 * Invariant: everything can be repaired in the quiet phase that follows.
 */
import type { Chance } from '../chance.ts';
import type { Device } from '../device.ts';
import type { Weather } from '../model-network.ts';
import type { ModelPlatform, Vices } from '../model-platform.ts';
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

export type DeedParts = {
  readonly chance: Chance;
  readonly hall: Weather;
  readonly uplink: Weather;
  readonly vices: Vices;
  readonly platform: ModelPlatform;
  readonly hub: Hub;
  readonly members: readonly Member[];
  readonly addMember: (place: Place, disk?: string) => Member;
  readonly setUp: (member: Member) => Promise<void>;
};

/** Events of a fleet besides taps, by name. They return false when not possible now. */
export const deedsOf = (parts: DeedParts): readonly (readonly [string, () => Promise<boolean>])[] => [
  ...weatherDeeds(parts),
  ...deviceDeeds(parts),
  ...hubDeeds(parts),
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

const deviceDeeds = ({ chance, hub, members, addMember, setUp }: DeedParts) => {
  const withFile = async (member: Member): Promise<boolean> => {
    if (!hub.isUp()) return false;
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
        if (!hub.isUp() || member.credential === null) return false;
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
        if (members.length >= MOST_DEVICES || !hub.isUp() || chance.hits(0.5)) return false;
        const { touchpoint, partner, device } = chance.pick(members);
        const place = PLACES.find((one) => one.touchpoint === touchpoint && one.partner === partner);
        return place === undefined ? false : withFile(addMember(place, device.folder()));
      },
    ],
  ] as const;
};

const hubDeeds = ({ chance, hub, members }: DeedParts) =>
  [
    [
      'the hub is killed',
      async () => {
        if (!hub.isUp()) return false;
        await hub.losePower();
        if (chance.hits(0.7)) await hub.start();
        return true;
      },
    ],
    [
      'the hub is stopped or started',
      async () => {
        await (hub.isUp() ? hub.stop() : hub.start());
        return true;
      },
    ],
    [
      'the disk of the hub is lost',
      async () => {
        if (chance.hits(0.5)) return false;
        await hub.loseDisk();
        for (const member of members) member.credential = null;
        await hub.start();
        return true;
      },
    ],
    [
      'the hub is there',
      async () => {
        if (hub.isUp()) return false;
        await hub.start();
        return true;
      },
    ],
  ] as const;
