/**
 * Repeatable randomness: everything random in a simulated world comes from its seed.
 *
 * Invariant: the same seed gives the same world, event by event.
 */
import type { Random } from '../../src-main/core/foundations/ports.ts';

export type Chance = Random & {
  /** True with probability `share`. */
  readonly hits: (share: number) => boolean;
  /** An integer in [from, to]. */
  readonly between: (from: number, to: number) => number;
  readonly pick: <T>(from: readonly T[]) => T;
};

/** The randomness of a seed (mulberry32). */
export const createChance = (seed: number): Chance => {
  let state = seed >>> 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (from: number, to: number): number => from + Math.floor(fraction() * (to - from + 1));
  return {
    fraction,
    between,
    hits: (share) => fraction() < share,
    pick: (from) => {
      const picked = from[between(0, from.length - 1)];
      if (picked === undefined) throw new Error('Expected something to pick from');
      return picked;
    },
    bytes: (length) => Uint8Array.from({ length }, () => between(0, 255)),
  };
};
