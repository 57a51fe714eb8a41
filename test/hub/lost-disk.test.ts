/**
 * The hub loses its disk while real kiosks use it. They submit again what they hold, and each tap has one effect on
 * the platform, even on a platform that ignores ids.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSmallPlatform } from '../core/delivery/outbox/unkind-platform.ts';
import { ownFolder, until } from '../core/fixture.ts';
import { createPlatformHere } from '../core/platform-process.ts';
import { addDevices } from './enrolled-devices.ts';
import { type HubKiosk, startHubKiosk } from './hub-kiosk.ts';
import { createHubProcess } from './hub-process.ts';

const PATIENCE_MS = 60_000;
const KIOSKS = 2;

type Upstream = {
  readonly access: { readonly baseUrl: string; readonly key: string; readonly expoId: string };
  readonly touchpoint: string;
  /** The badge codes in its actions, one for each action. */
  readonly badges: () => Promise<readonly string[]>;
};

/** Our own platform, which honours ids. */
const kind = async (folder: string): Promise<Upstream> => {
  const platform = await createPlatformHere(join(folder, 'platform'));
  await platform.start();
  const { body } = await platform.call('GET', `/touchpoints/${platform.expoId}`);
  const stand = (body as readonly Record<string, string>[]).find(({ purpose }) => purpose === 'lead');
  const badges = async () => (await platform.actions()).map(({ badge }) => String(badge));
  return { access: platform, touchpoint: stand?.id ?? '', badges };
};

/**
 * A platform that ignores ids. It stores the first write and does not answer it. It stores the next write and answers
 * `200 []`.
 */
const unkind = async (): Promise<Upstream> => {
  const platform = await startSmallPlatform();
  platform.manners.push('takeAndHang', 'takeAndSayNothing');
  const badges = async () => platform.taken().map(({ badge }) => String(badge));
  return { access: { baseUrl: platform.baseUrl, key: 'k', expoId: 'E1' }, touchpoint: 'tp1', badges };
};

it.each([
  ['that honours ids', kind],
  ['that ignores ids, does not answer a stored write, and answers another "200 []"', unkind],
] as const)(
  'each tap has one effect at a platform %s',
  async (_which, openUpstream) => {
    const folder = ownFolder();
    const { access, touchpoint, badges } = await openUpstream(folder);
    const hub = await createHubProcess(join(folder, 'hub'), access);
    let kiosks: readonly HubKiosk[] = [];
    /** A hub on an empty disk, and devices that are set up again for it and keep their data. */
    const begin = async (): Promise<void> => {
      await Promise.all(kiosks.map((kiosk) => kiosk.stop()));
      await hub.start();
      const places = Array.from({ length: KIOSKS }, () => touchpoint);
      const devices = await addDevices(hub, ownFolder(), places);
      kiosks = devices.map((device, index) => {
        const platform = { baseUrl: hub.baseUrl, key: device.credential, expoId: access.expoId };
        return startHubKiosk(join(folder, `kiosk${index}`), device, platform);
      });
    };
    let taps = 0;
    const tapAll = (): void => {
      for (const kiosk of kiosks) {
        taps += 1;
        kiosk.tap(`04CC${taps.toString(16).toUpperCase().padStart(10, '0')}`);
      }
    };
    const ours = async (): Promise<readonly string[]> =>
      (await badges()).filter((badge) => badge.startsWith('04CC'));
    const ready = () =>
      until(
        'the devices have mirrored the event',
        () => kiosks.every((kiosk) => kiosk.state().mirror.complete),
        PATIENCE_MS,
      );

    await begin();
    await ready();
    for (let round = 0; round < 5; round += 1) tapAll();
    await until('the platform has some of the taps', async () => (await ours()).length > 0, PATIENCE_MS);
    await hub.kill();
    rmSync(hub.folder, { recursive: true });
    tapAll();
    await begin();
    tapAll();
    await until(
      'every tap is confirmed on every screen',
      () =>
        kiosks.every((kiosk) => {
          const { captured, confirmed } = kiosk.state().delivery;
          return captured === taps / KIOSKS && confirmed === captured;
        }),
      PATIENCE_MS,
    );
    const held = await ours();
    expect(held.toSorted()).toEqual([...new Set(held)].toSorted());
    expect(held).toHaveLength(taps);
    expect(kiosks.flatMap((kiosk) => kiosk.errors())).toEqual([]);
  },
  240_000,
);
