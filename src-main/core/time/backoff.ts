/**
 * How long to wait before trying again. Pure but for the random number it is given.
 *
 * Invariant: full jitter, so that forty devices that lost the network together do not come back together.
 */

const BASE_MS = 1_000;
const CAP_MS = 60_000;

/** Milliseconds before try `failures + 1`: uniform in [0, min(cap, base · 2^failures)). */
export function backoffMs(failures: number, fraction: number): number {
  return Math.floor(fraction * Math.min(CAP_MS, BASE_MS * 2 ** Math.min(failures, 20)));
}
