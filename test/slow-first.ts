/**
 * The order of test files: the slow ones first, so that no worker is left alone with one of them at the end.
 *
 * Invariant: the order is the only thing it decides; every file runs.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take more than a minute, slowest first. */
const SLOW = [
  'test/simulation/fleet.test.ts',
  'test/simulation/simulation.test.ts',
  'test/platform/postgres/suite.test.ts',
  'test/renderer/screens/screens.test.ts',
  'test/renderer/screens/comfort-screens.test.ts',
  'test/core/journal/recovery/kill-points.test.ts',
  'test/core/journal/recovery/corruption.test.ts',
  'test/hub/fleet-load.test.ts',
  'test/core/stand/taps/crash.test.ts',
  'test/chaos/chaos.test.ts',
];

const rank = ({ moduleId }: TestSpecification): number => {
  const found = SLOW.findIndex((file) => moduleId.endsWith(file));
  return found === -1 ? SLOW.length : found;
};

/** Vitest's own order, with the slow files moved to the front. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
