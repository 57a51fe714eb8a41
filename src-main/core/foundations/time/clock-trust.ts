/**
 * Whether our clock can be trusted. Pure.
 *
 * Invariants:
 * - A recorded time is never rewritten.
 * - With a suspicious clock the device shows a warning and continues to capture.
 */

/** A larger offset from the platform's clock is reported. */
const TOLERATED_MS = 120_000;
const DAY_MS = 24 * 3_600_000;

/** The event's time as the platform reports it, in Unix milliseconds. Null where it does not. */
export type EventTime = { readonly start: number | null; readonly end: number | null };

/** Suspect: far off the platform's clock, or (while that is unknown) more than a day outside the event. */
export function isClockSuspect(now: number, offsetMs: number | null, event: EventTime): boolean {
  if (offsetMs !== null) return Math.abs(offsetMs) > TOLERATED_MS;
  const { start, end } = event;
  return (start !== null && now < start - DAY_MS) || (end !== null && now > end + DAY_MS);
}
