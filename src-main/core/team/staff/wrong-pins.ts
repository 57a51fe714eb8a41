/**
 * How long the next try has to wait after wrong PINs. Pure.
 *
 * Invariants: two may be mistyped; from the third it grows up to a quarter of an hour, so that 10,000 tries take months; no
 * wall clock is in it (see `staff.ts`), so setting the clock back or forward changes nothing.
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
