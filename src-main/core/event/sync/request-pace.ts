/**
 * Bounds the requests for each list, whatever the platform answers.
 *
 * Invariants:
 * - A list is asked for at most `BURST` times, and twice for each page the mirror holds of it, without a wait; after that once
 *   in `EVERY_MS`.
 * - A page of new records costs nothing, so a first sync of any size runs without a wait. Answers cannot bring new records for
 *   ever without an event that grows for ever.
 */
import type { Clock } from '../../foundations/ports.ts';
import type { Resource } from '../mirror/resources.ts';

const BURST = 100;
const EVERY_MS = 1_250;

export type RequestPace = {
  /** Counts one request; how many milliseconds it has to wait. `held`: how many records the mirror holds of the list. */
  readonly spend: (resource: Resource, held: number) => number;
  /** The answer brought so many records that the mirror never had. */
  readonly earn: (resource: Resource, added: number) => void;
};

/** The pace of one event. */
export function createRequestPace(clock: Pick<Clock, 'monotonic'>): RequestPace {
  /** For each list the time up to which its requests are paid for, in monotonic milliseconds. */
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
