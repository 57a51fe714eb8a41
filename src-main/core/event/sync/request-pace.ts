/**
 * Limits the requests for each list, whatever the platform answers.
 *
 * Invariants:
 * - Without a wait, a list is requested at most `BURST` times plus twice per page that the mirror holds of
 *   it. After that it is requested once per `EVERY_MS`.
 * - A page with at least half new records is free, so a first sync of any size runs without a wait.
 */
import type { Clock } from '../../foundations/ports.ts';
import type { Resource } from '../mirror/resources.ts';

const BURST = 100;
const EVERY_MS = 1_250;

export type RequestPace = {
  /** Counts one request. Returns how many milliseconds it must wait. `held`: records of the list in the mirror. */
  readonly spend: (resource: Resource, held: number) => number;
  /** Credits an answer with `added` records that the mirror did not have. */
  readonly earn: (resource: Resource, added: number) => void;
};

/** The pace of one event. */
export function createRequestPace(clock: Pick<Clock, 'monotonic'>): RequestPace {
  /** Per list: the monotonic time in milliseconds up to which its requests have used the allowed rate. */
  const paidUntil = new Map<string, number>();
  return {
    spend: ({ name, pageSize }, held) => {
      const now = clock.monotonic();
      const paid = Math.max(paidUntil.get(name) ?? now, now) + EVERY_MS;
      paidUntil.set(name, paid);
      return Math.max(0, paid - now - (BURST + (2 * held) / pageSize) * EVERY_MS);
    },
    earn: ({ name, pageSize }, added) => {
      const paid = paidUntil.get(name);
      if (paid !== undefined && added * 2 >= pageSize) paidUntil.set(name, paid - EVERY_MS);
    },
  };
}
