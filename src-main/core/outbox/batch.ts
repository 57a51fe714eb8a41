/**
 * Batches on their way out: made from what is due, marked as in flight, and looked at once more before they leave.
 *
 * Invariants: what goes out was marked before (law 3), and is marked still when it goes: a visitor who was erased in
 * between takes nothing along; an item whose record is damaged is parked, never sent.
 */
import type { Journal } from '../journal/journal.ts';
import type { OutboxItem } from '../journal/outbox.ts';
import type { Outgoing } from '../journal/outbox-changes.ts';
import type { Clock, Log } from '../ports.ts';
import { prepare } from './wire.ts';

/** Which touchpoint and partner this device is. */
export type FactOwner = { readonly touchpoint: string | null; readonly partner: string | null };

/** A batch that is marked as in flight. `lookedAt`: how many items it was made from. */
export type Batch = {
  readonly taken: number;
  readonly items: readonly OutboxItem[];
  readonly outgoing: readonly Outgoing[];
};

export const EMPTY_BATCH: Batch = { taken: 0, items: [], outgoing: [] };

export type BatchPorts = { readonly journal: Journal; readonly clock: Clock; readonly log: Log };

/** Marks up to `limit` of what is due, oldest first, as in flight; what cannot go is parked. */
export function takeBatch({ journal, clock, log }: BatchPorts, post: FactOwner, limit: number): Batch {
  const { outbox } = journal;
  const items = outbox.items('due', limit);
  outbox.dropBody(items.filter((item) => item.wire !== null && !item.wireIsSound).map((item) => item.seq));
  const prepared = items.map((item) => prepare(item, () => journal.soundFact(item.id), post));
  const unfit = prepared.filter((entry) => entry.kind === 'unfit');
  if (unfit.length > 0) {
    log.error('interactions failed their checksum; they are parked', { parked: unfit.length });
    for (const { seq, reason } of unfit) outbox.park([seq], reason, clock.now());
  }
  const outgoing = prepared.filter((entry) => entry.kind === 'outgoing');
  if (outgoing.length > 0) outbox.markInFlight(outgoing, outbox.highestRevision(), clock.now());
  const seqs = new Set(outgoing.map((entry) => entry.seq));
  return { taken: items.length, items: items.filter((item) => seqs.has(item.seq)), outgoing };
}

/** What of a batch may still go: an erased visitor's items were parked since. */
export function stillInFlight({ outbox }: Journal, { taken, items, outgoing }: Batch): Batch {
  const isAway = ({ seq }: { readonly seq: number }): boolean => outbox.of(seq)?.state === 'in_flight';
  return { taken, items: items.filter(isAway), outgoing: outgoing.filter(isAway) };
}
