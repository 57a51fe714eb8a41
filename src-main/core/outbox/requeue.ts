/**
 * Sends dead letters (parked facts) again, as they were or as if made at another touchpoint.
 *
 * Invariants: the fact stays as it was recorded; only what goes over the wire is corrected; a refused item left no
 * trace on the platform, so its id may come again with other content.
 */
import type { Journal } from '../journal/journal.ts';
import { wireOfFact } from './wire.ts';

/**
 * Requeues all dead letters that can be sent, or the one of `factId`.
 *
 * @param owner stands in for the touchpoint and partner the facts were refused with; null keeps theirs
 * @returns how many are due again
 */
export function requeueDeadLetters(
  journal: Journal,
  factId: string | null,
  owner: { readonly touchpoint: string | null; readonly partner: string | null } | null,
  at: number,
): number {
  return journal.outbox.requeueParked(
    journal.deadLetters.retryable(factId).map(({ seq, id }) => {
      const fact = owner === null ? null : journal.soundFact(id);
      return {
        seq,
        wire:
          fact === null ? null : wireOfFact({ ...fact, ...owner }, { touchpoint: null, partner: null }, null),
      };
    }),
    at,
  );
}
