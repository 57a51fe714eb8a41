/**
 * The real core in simulated worlds: after quiet and a reconcile nothing diverges, and the laws hold at every step.
 *
 * `SIMULATION_SEEDS=20000 SIMULATION_BASE=1 npm test -- test/simulation` runs more of them.
 */
import { expect, it } from 'vitest';
import { runWorld } from './world.ts';

/** Each of the two files runs every second seed, so that both cores have work. */
const SEEDS = Number(process.env.SIMULATION_SEEDS ?? 2_000);
const BASE = Number(process.env.SIMULATION_BASE ?? 1);

it(`holds the laws in ${SEEDS} seeded worlds of one to five kiosks`, { timeout: 3_600_000 }, async () => {
  let steps = 0;
  let facts = 0;
  for (let seed = BASE; seed < BASE + SEEDS; seed += 1) {
    const report = await runWorld(seed);
    steps += report.steps;
    facts += report.facts;
    expect(report.breaches, `seed ${seed}`).toEqual([]);
  }
  expect(facts).toBeGreaterThan(SEEDS);
  expect(steps).toBeGreaterThan(SEEDS * 100);
});
