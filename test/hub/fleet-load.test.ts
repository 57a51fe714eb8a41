/**
 * The fleet bench in small: modelled devices and a whole one at a real box before the real platform. Every fact is upstream
 * once, never more than two requests are there at once, and every device has the change; no time is asserted.
 */
import { expect, it } from 'vitest';
import { findNatsServer } from '../../src-hub/bell/nats-server.ts';
import { runFleet } from '../bench/fleet/run.ts';
import { ownFolder } from '../core/fixture.ts';
import { notRunUnless } from '../not-run.ts';

/** A small fleet, and what must hold of it. */
const bringsAllOnce = async (rings: boolean): Promise<void> => {
  const found = await runFleet({
    ...{ folder: ownFolder(), visitors: 60, devices: 21, whole: 1, engine: 'sqlite', rings },
    ...{ each: 3, peakMs: 1_000, changes: 1, quietMs: 1_000 },
  });
  expect(found).toMatchObject({ devices: 21, captured: 63, actions: 63, facts: 63, parked: 0, missed: 0 });
  expect(found.toDevices).toHaveLength(21);
  expect(found.hear).toBe(rings ? 20 : 0);
  expect(found.mostAtOnceUpstream).toBeLessThanOrEqual(2);
  expect(found.quiet.busy + found.peak.busy).toBe(0);
};

it(
  'brings every fact of a small fleet upstream once, and a change to all devices',
  () => bringsAllOnce(false),
  300_000,
);

notRunUnless(findNatsServer(null) !== null, 'nats-server is not installed')(
  'does the same where the box rings for its devices',
  () => bringsAllOnce(true),
  300_000,
);
