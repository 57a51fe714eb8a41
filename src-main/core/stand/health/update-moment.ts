/**
 * Whether something goes on at the stand, for whoever would put another version in place.
 *
 * Invariant: read from the databases when it is asked for.
 */

import type { Mirror } from '../../event/mirror/mirror.ts';
import { knownEvent } from '../../event/sync/event.ts';
import type { Journal } from '../../journal/facts/journal.ts';

/** Times in epoch milliseconds; `waiting`: facts that are on their way to the platform. */
export type UpdateMoment = {
  readonly fair: { readonly start: number; readonly end: number } | 'unknown';
  readonly lastFactAt: number | null;
  readonly waiting: number;
};

/** The moment as it is now. */
export function readUpdateMoment(journal: Journal, mirror: Mirror): UpdateMoment {
  const { start = null, end = null } = knownEvent(mirror) ?? {};
  const { due, in_flight, uncertain } = journal.outbox.counts();
  return {
    fair: start === null || end === null ? 'unknown' : { start, end },
    lastFactAt: journal.lastFactAt(),
    waiting: due + in_flight + uncertain,
  };
}
