/**
 * The wait before a retry: the one policy of the core's loops. Pure.
 *
 * Invariant: full jitter. The random value is drawn last and not clamped afterwards. So forty devices that lost the
 * network at the same time do not reconnect at the same time, even after a long outage.
 */

/** The longest wait: `baseMs` doubled with each failure, up to `capMs`. Values in `times.ts`. */
export type Backoff = { readonly baseMs: number; readonly capMs: number };

/** Milliseconds before the next try after `failures` in a row: uniform in [0, min(cap, base · 2^failures)). */
export function backoffMs({ baseMs, capMs }: Backoff, failures: number, fraction: number): number {
  return Math.floor(fraction * Math.min(capMs, baseMs * 2 ** Math.min(failures, 30)));
}
