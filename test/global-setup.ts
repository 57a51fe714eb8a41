/**
 * What a run of tests does once, before its workers start.
 *
 * Invariant: all workers of a run share one seed, also when the commit changes meanwhile.
 */
import { runSeed } from './thoroughness.ts';

/** Called by vitest. */
export function setup(): void {
  process.env.TOUCHPOINT_SEED = String(runSeed());
}
