/**
 * The delay before the next attempt after wrong PINs. Pure.
 *
 * Invariants:
 * - The first two wrong PINs cost no delay. It then grows up to 15 minutes, so that 10,000 attempts take months.
 * - The wall clock is not used (see `staff.ts`), so changing it has no effect.
 */
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const WAITS = [
  ...[0, 0, 0, 5 * SECOND, 15 * SECOND, 30 * SECOND],
  ...[MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE],
];
const LONGEST = 15 * MINUTE;

/** Milliseconds between the latest of `failures` wrong PINs in a row and the next try. */
export function waitAfter(failures: number): number {
  return WAITS[failures] ?? LONGEST;
}
