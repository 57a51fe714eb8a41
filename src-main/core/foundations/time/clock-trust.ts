/**
 * Whether our clock and the platform's can be trusted.
 *
 * Invariants:
 * - A raw time is never rewritten. A suspicious clock is shown and keeps capturing.
 * - An offset counts only if it is small, or close to one that counted before, or does not lead more than a day further from the
 *   event than our own clock. Otherwise the one that counted before counts, or our own clock.
 * - What counted before says nothing any more once our clock was set.
 * - An event that names no dates contradicts no offset. Before the event is known, only a small offset counts.
 */
import type { Clock } from '../ports.ts';

/** A larger offset from the platform's clock is reported. */
const TOLERATED_MS = 120_000;
const DAY_MS = 24 * 3_600_000;
/** A step of our wall clock against the monotonic one: what was agreed before it says nothing any more. */
const STEP_MS = 2_000;

/** The event's time as the platform reports it, in Unix milliseconds. Null where it does not. */
export type EventTime = { readonly start: number | null; readonly end: number | null };

/** Suspect: far off the platform's clock, or (while that is unknown) more than a day outside the event. */
export function isClockSuspect(now: number, offsetMs: number | null, event: EventTime): boolean {
  if (offsetMs !== null) return Math.abs(offsetMs) > TOLERATED_MS;
  return distance(now, event) > DAY_MS;
}

/** How far a time is from the event; 0 within it, and where it names no dates. */
function distance(time: number, { start, end }: EventTime): number {
  return Math.max(0, start === null ? 0 : start - time, end === null ? 0 : time - end);
}

export type TrustedOffset = {
  /** Platform time minus ours in milliseconds, as far as it can be believed; null while it is unknown. */
  readonly clockOffset: () => number | null;
  /** Whether what the platform says cannot be right. */
  readonly isDoubted: () => boolean;
};

/** The offset that `measured` gives, judged by `event` (null while it is unknown). */
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
