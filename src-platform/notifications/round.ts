/**
 * One round of notification: an initial call and up to six retries. Pure.
 *
 *                    new or updated data                      2xx within 30 s
 *   ┌────────┐  ───────────────────────────►  ┌──────────┐  ─────────────────►  idle, the mark moves to what was
 *   │  idle  │                                │  called  │                      read; more data: called again
 *   └────────┘  ◄──── PUT state=wait ────┐    └──────────┘
 *                                        │     │      ▲ due: 10 s, 1 min, 5 min, 15 min, 1 h, 1 day
 *                                   ┌─────────┐│      │ after the initial call
 *                                   │  error  ││      │
 *                                   └─────────┘│    ┌─────────┐
 *                                        ▲     └──► │ waiting │  anything but a 2xx
 *                                        └───────── └─────────┘
 *                                     the call after one day failed too
 *
 * Invariants
 * - Times are measured from the initial call, never from the latest one (docs/interface/webhooks.md#retries).
 * - Data that arrives while a round waits starts no other round. The next call of this round reports it.
 */

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** When each retry is due, in milliseconds after the initial call (docs/interface/webhooks.md#retries). */
const retryTimes: readonly number[] = [10 * second, minute, 5 * minute, 15 * minute, hour, 24 * hour];

/** How long a target has to answer, in milliseconds (docs/interface/webhooks.md#delivery). */
export const answerTime = 30 * second;

export type Round = {
  /** Calls of this round that failed. */
  readonly failed: number;
  /** When the initial call was made, in epoch milliseconds. */
  readonly started: number;
};

/** The call that follows a failed one, and its time. Null at the end of the schedule. */
export function afterFailure(round: Round, now: number): { readonly due: number } | null {
  const wait = retryTimes[round.failed];
  return wait === undefined ? null : { due: Math.max(round.started + wait, now) };
}
