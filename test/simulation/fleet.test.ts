/**
 * Fleets of real devices at the real hub, alone or with a standby, with right and wrong clocks, in seeded worlds.
 * After a quiet time and a full comparison no mirror diverges, every fact is at the platform once, and the sums
 * agree from every device to the platform. Each commit runs other worlds; the nightly run simulates thousands.
 * `TOUCHPOINT_SEED=1 TOUCHPOINT_WORLDS=2000 npm test -- test/simulation/fleet` runs the worlds 1 to 2000.
 */
import { expect, it } from 'vitest';
import { runSeed, worlds } from '../thoroughness.ts';
import { runFleet } from './fleet/world.ts';

/** Seven consecutive worlds cover every kind of wrong clocks, each with one hub or with two. */
const SEEDS = worlds(7);
const BASE = runSeed();

/** The command that runs the world of one seed alone. */
const alone = (seed: number): string =>
  `TOUCHPOINT_SEED=${seed} TOUCHPOINT_WORLDS=1 npm test -- test/simulation/fleet`;

it('simulates the same world for the same seed, event by event', { timeout: 120_000 }, async () => {
  // The first run loads every module that is loaded on first use: no seed controls how long that takes.
  await runFleet(BASE);
  const [first, second] = [await runFleet(BASE), await runFleet(BASE)];
  expect(second.trace).toBe(first.trace);
  expect(second.steps).toBe(first.steps);
});

it(`holds the laws over ${SEEDS} seeded fleets at a hub`, { timeout: 3_600_000 }, async ({ annotate }) => {
  let [steps, facts, devices] = [0, 0, 0];
  const happened = new Map<string, number>();
  for (let seed = BASE; seed < BASE + SEEDS; seed += 1) {
    const report = await runFleet(seed);
    steps += report.steps;
    facts += report.facts;
    devices += report.devices;
    for (const [what, times] of report.happened) happened.set(what, (happened.get(what) ?? 0) + times);
    expect(report.breaches, `seed ${seed}; again: ${alone(seed)}`).toEqual([]);
  }
  await annotate(
    `${devices} devices, ${facts} facts, ${steps} events; ${[...happened].map(([what, times]) => `${what}: ${times}`).join(', ')}`,
  );
});
