/**
 * Decides whether our clock and the platform's can be trusted.
 *
 * Invariants:
 * - A recorded time is never rewritten. With a suspicious clock the device shows a warning and continues to capture.
 * - An offset is accepted only if it is small, or close to the last accepted offset, or if the corrected time is at
 *   most a day further from the event than our own clock. Otherwise the last accepted offset applies, or our own
 *   clock if there is none.
 * - The last accepted offset is discarded when our clock is set.
 * - If the event has no dates, any offset is plausible. Before the event is known, only a small offset is accepted.
 */
import type { Clock } from '../ports.ts';

/** A larger offset from the platform's clock is reported. */
const TOLERATED_MS = 120_000;
const DAY_MS = 24 * 3_600_000;
/** A larger step of our wall clock against the monotonic one discards the accepted offset. Milliseconds. */
const STEP_MS = 2_000;

/** The event's time as the platform reports it, in Unix milliseconds. Null if it reports none. */
export type EventTime = { readonly start: number | null; readonly end: number | null };

/**
 * Suspect: far from the platform's clock, or (while the platform's clock is unknown) more than a day outside the
 * event.
 */
export function isClockSuspect(now: number, offsetMs: number | null, event: EventTime): boolean {
  if (offsetMs !== null) return Math.abs(offsetMs) > TOLERATED_MS;
  return distance(now, event) > DAY_MS;
}

/** Distance of a time from the event in milliseconds; 0 within it, and for an event without dates. */
function distance(time: number, { start, end }: EventTime): number {
  return Math.max(0, start === null ? 0 : start - time, end === null ? 0 : time - end);
}

export type TrustedOffset = {
  /** The accepted offset: platform time minus ours in milliseconds; null while there is none. */
  readonly clockOffset: () => number | null;
  /** Whether the platform's time was rejected. */
  readonly isDoubted: () => boolean;
};

/** Judges the `measured` offset by the dates of the event (null while they are unknown). */
export function createTrustedOffset(
  clock: Pick<Clock, 'now' | 'monotonic'>,
  measured: () => number | null,
  event: () => EventTime | null,
): TrustedOffset {
  let agreed: { readonly offsetMs: number; readonly base: number } | null = null;
  const judge = (): { readonly offsetMs: number | null; readonly doubted: boolean } => {
    const offsetMs = measured();
    if (offsetMs === null) return { offsetMs, doubted: false };
    const base = clock.now() - clock.monotonic();
    if (agreed !== null && Math.abs(agreed.base - base) > STEP_MS) agreed = null;
    const isNear = (other: number): boolean => Math.abs(offsetMs - other) <= TOLERATED_MS;
    if (!isNear(agreed?.offsetMs ?? 0) && !isNear(0)) {
      const dates = event();
      if (dates === null) return { offsetMs: agreed?.offsetMs ?? null, doubted: false };
      const [own, theirs] = [distance(clock.now(), dates), distance(clock.now() + offsetMs, dates)];
      if (theirs > own + DAY_MS) return { offsetMs: agreed?.offsetMs ?? 0, doubted: true };
    }
    agreed = { offsetMs, base };
    return { offsetMs, doubted: false };
  };
  return { clockOffset: () => judge().offsetMs, isDoubted: () => judge().doubted };
}
