/** Deterministic random numbers for seeding: the same seed gives the same event on every machine. */
export type Random = {
  /** A number in [0, 1). */
  readonly next: () => number;
  /** An integer in [0, `below`). */
  readonly below: (below: number) => number;
  readonly pick: <T>(list: readonly T[]) => T;
  /** True with the probability `share`. */
  readonly chance: (share: number) => boolean;
  /** `length` upper-case hex digits. */
  readonly hex: (length: number) => string;
};

/** A generator (mulberry32) seeded with `start`. */
export function createRandom(start: number): Random {
  let state = start >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: (list) => {
      const value = list[below(list.length)];
      if (value === undefined) throw new Error('There is nothing to pick from.');
      return value;
    },
    chance: (share) => next() < share,
    hex: (length) => Array.from({ length }, () => below(16).toString(16).toUpperCase()).join(''),
  };
}
