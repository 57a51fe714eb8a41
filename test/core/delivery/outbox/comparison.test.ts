/**
 * The effect that a comparison of the mirror has on confirmed facts, at a platform where every write has a new
 * effect. Only facts that are known to be lost are sent again.
 */
import { expect, it } from 'vitest';
import { scaledClock } from '../../../chaos/scaled-clock.ts';
import { until } from '../../fixture.ts';
import { capturedOf, openStandKiosk } from '../../stand/visit/stand-kiosk.ts';
import { startSmallPlatform } from './unkind-platform.ts';

const FASTER = 20;
const UIDS = ['04AA00000000A1', '04AA00000000A2', '04AA00000000A3'];

/** A device with three confirmed taps, and a technician who starts a comparison. */
const openConfirmed = async (tells: 'id' | 'item' | 'nothing') => {
  const platform = await startSmallPlatform({ tells });
  const kiosk = openStandKiosk({
    platform: { baseUrl: platform.baseUrl, key: 'k', password: '', expoId: 'E1' },
    clock: scaledClock(FASTER),
    technician: true,
  });
  await until('the kiosk knows its touchpoint', () => kiosk.kiosk.state().deviceName === 'Left');
  const ids: string[] = [];
  for (const uid of UIDS) ids.push(capturedOf(await kiosk.tap(uid)).factId);
  const areConfirmed = () => kiosk.lines().every(({ delivery }) => delivery?.state === 'confirmed');
  await until('every fact is confirmed', areConfirmed);
  // The first round also compares. The test must not mistake its end for the end of the requested comparison.
  await until('the first round has ended', () => kiosk.kiosk.state().mirror.lastPassAt !== null);
  const comparisons = () =>
    kiosk.log.said.filter(
      ({ what }) => what === 'confirmed facts are read back again after a full comparison',
    ).length;
  const staff = await kiosk.staff();
  return {
    platform,
    effects: () => ids.map(platform.effects),
    compare: async (): Promise<void> => {
      const before = comparisons();
      await staff.mirror.reconcile();
      await until('the mirror was compared', () => comparisons() > before);
      await until('every fact is confirmed again', areConfirmed);
    },
  };
};

it.each(['id', 'item', 'nothing'] as const)(
  'sends nothing again after a comparison if an action shows this of its fact: %s',
  async (tells) => {
    const { compare, effects } = await openConfirmed(tells);
    const before = effects();
    for (let time = 0; time < 3; time += 1) await compare();
    expect(effects()).toEqual(before);
  },
);

it.each(['id', 'item', 'nothing'] as const)(
  'sends lost facts again after the platform was reset if an action shows this of its fact: %s',
  async (tells) => {
    const { platform, compare, effects } = await openConfirmed(tells);
    const before = effects();
    platform.goBack();
    await compare();
    expect(effects()).toEqual(before.map((times) => times + 1));
    expect(platform.taken()).toHaveLength(before.length);
    await compare();
    expect(platform.taken()).toHaveLength(before.length);
  },
);
