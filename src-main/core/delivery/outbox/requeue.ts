/**
 * Sends dead letters (parked facts) again, unchanged or corrected (`parked.ts`).
 *
 * Invariants:
 * - The recorded fact does not change. Only its wire text is corrected.
 * - A refused item left no trace on the platform, so its id may be sent again with other content.
 */
import type { ParkedFact } from '../../journal/facts/dead-letters.ts';
import type { Fact } from '../../journal/facts/fact.ts';
import type { Journal } from '../../journal/facts/journal.ts';
import { judgeParked, labelsGone, type ParkedSight } from './parked.ts';
import { wireOfFact } from './wire.ts';

/** Which dead letters to send, and whether to correct them where possible. A null `factId` means all that can be sent. */
export type Requeued = { readonly factId: string | null; readonly mended: boolean };

/** Makes dead letters due again. Returns their number. */
export function requeueDeadLetters(
  journal: Journal,
  { factId, mended }: Requeued,
  sight: ParkedSight,
  at: number,
): number {
  const items = journal.deadLetters.retryable(factId).map((parked) => {
    const fact = mended ? journal.soundFact(parked.id) : null;
    return { seq: parked.seq, wire: fact === null ? null : mendedWire(fact, parked, sight) };
  });
  return journal.outbox.requeueParked(items, at);
}

/** The wire text of a corrected fact. Null if unchanged. */
function mendedWire(fact: Fact, parked: ParkedFact, sight: ParkedSight): string | null {
  const nowhere = { touchpoint: null, partner: null };
  switch (judgeParked(parked, sight).mend) {
    case 'thisStand':
      return wireOfFact({ ...fact, ...(sight.here ?? {}) }, nowhere, null);
    case 'withoutLabels':
      return wireOfFact(withoutLabels(fact, labelsGone(parked, sight)), nowhere, null);
    default:
      return null;
  }
}

function withoutLabels(fact: Fact, gone: readonly string[]): Fact {
  if (fact.kind !== 'qualify' || fact.payload === null) return fact;
  const { fields } = fact.payload;
  const labels = (fields.labels ?? []).filter((label) => !gone.includes(label));
  return { ...fact, payload: { ...fact.payload, fields: { ...fields, labels } } };
}
