/**
 * When an update may be installed. Pure.
 *
 * Invariant: never around a fair, never after a tap of the last hours, never while a fact waits to be delivered.
 */

const HOUR = 3_600_000;

/** No update from this long before the first day of a fair until this long after its last. */
export const FAIR_MARGIN_MS = 12 * HOUR;
/** A stand with a tap in this time may be open, whatever the days of the fair are. */
export const QUIET_MS = 12 * HOUR;

/** What the core knows of now. Times in epoch milliseconds. */
export type Moment = {
  /** Null: this device is set up for no fair yet. */
  readonly fair: { readonly start: number; readonly end: number } | 'unknown' | null;
  readonly lastFactAt: number | null;
  /** Facts that are being written or wait to be delivered. */
  readonly waiting: number;
};

export type Wait = 'fair' | 'fairUnknown' | 'taps' | 'waiting';

/** Why an update waits; null: it may be installed now. */
export function waitOf({ fair, lastFactAt, waiting }: Moment, now: number): Wait | null {
  if (fair === 'unknown') return 'fairUnknown';
  if (fair !== null && now > fair.start - FAIR_MARGIN_MS && now < fair.end + FAIR_MARGIN_MS) return 'fair';
  // A time ahead of the clock proves nothing, so it counts as just now.
  if (lastFactAt !== null && now - lastFactAt < QUIET_MS) return 'taps';
  return waiting > 0 ? 'waiting' : null;
}
