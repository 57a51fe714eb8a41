/**
 * The real core in simulated worlds: after quiet and a full comparison nothing diverges, and the laws hold at every
 * step. Each commit runs other worlds, the nightly run thousands. `TOUCHPOINT_SEED=1 TOUCHPOINT_WORLDS=20000 npm test
 * -- test/simulation` runs the worlds 1 to 20000.
 */
import { expect, it } from 'vitest';
import { runSeed, worlds } from '../thoroughness.ts';
import { runWorld } from './world.ts';

const SEEDS = worlds(30);
const BASE = runSeed();

it(`obeys the laws in ${SEEDS} seeded worlds of one to five kiosks`, { timeout: 3_600_000 }, async ({
  annotate,
}) => {
  let steps = 0;
  let facts = 0;
  let unkind = 0;
  const repeats = { forced: 0, asked: 0, overlooked: 0 };
  for (let seed = BASE; seed < BASE + SEEDS; seed += 1) {
    const report = await runWorld(seed);
    steps += report.steps;
    if (!report.honoursIds) unkind += 1;
    facts += report.facts;
    repeats.forced += report.repeats.forced;
    repeats.asked += report.repeats.asked;
    repeats.overlooked += report.repeats.overlooked;
    expect(
      report.breaches,
      `seed ${seed}; again: TOUCHPOINT_SEED=${seed} TOUCHPOINT_WORLDS=1 npm test -- test/simulation/simulation`,
    ).toEqual([]);
  }
  expect(facts).toBeGreaterThan(SEEDS);
  expect(steps).toBeGreaterThan(SEEDS * 100);
  await annotate(
    `${facts} facts; ${unkind} platforms that do not honour ids made effects too many: ${repeats.forced} that no read-back could ` +
      `spare, ${repeats.asked} of facts they had answered, ${repeats.overlooked} that the read-back did not ask for`,
  );
  expect(unkind).toBeGreaterThan(0);
});
