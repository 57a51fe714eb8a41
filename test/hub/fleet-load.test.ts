/**
 * A small run of the fleet bench: modelled devices and a real one at a real hub in front of the real platform. Every
 * fact reaches the platform once, there are never more than two concurrent requests, and every device gets the
 * change. The test asserts no times.
 */
import { expect, it } from 'vitest';
import { PHASES, runFleet } from '../bench/fleet/run.ts';
import { ownFolder } from '../core/fixture.ts';

it('a hub delivers every fact of a small fleet to the platform once, and a change to all devices', async () => {
  const found = await runFleet({
    folder: ownFolder(),
    visitors: 60,
    devices: 21,
    whole: 1,
    engine: 'sqlite',
    processes: 1,
    phases: PHASES,
    isNotified: false,
    each: 3,
    peakMs: 1_000,
    changes: 1,
    quietMs: 1_000,
    floods: 0,
  });
  expect(found.peak).toMatchObject({ captured: 63, actions: 63, facts: 63, parked: 0 });
  expect(found.changes?.toDevices).toHaveLength(21);
  expect(found.mostAtOnceUpstream).toBeLessThanOrEqual(2);
  expect(found.quiet.busy + (found.peak?.cost.busy ?? 0)).toBe(0);
}, 300_000);
