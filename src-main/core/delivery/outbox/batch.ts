/**
 * Outgoing batches: made from due facts, marked in flight, and checked again before they are sent.
 *
 * Invariants:
 * - An item is marked in flight before it is sent (docs/laws.md#law-3), and its state is checked again at the send.
 *   The items of an erased visitor are not sent.
 * - An item whose fact is damaged is parked, unless its frozen text is sound.
 */

import type { Clock, Log } from '../../foundations/ports.ts';
import type { Journal } from '../../journal/facts/journal.ts';
import type { OutboxItem } from '../../journal/facts/outbox.ts';
import type { Outgoing } from '../../journal/facts/outbox-changes.ts';
import { type MeasuredClock, type Prepared, prepare } from './wire.ts';

/** Touchpoint and partner of this device. */
export type FactOwner = { readonly touchpoint: string | null; readonly partner: string | null };

/** A batch in flight. `taken`: the number of items from which it was made. */
export type Batch = {
  readonly taken: number;
  readonly outgoing: readonly (Outgoing & Pick<OutboxItem, 'id' | 'wasOut'>)[];
};

export const EMPTY_BATCH: Batch = { taken: 0, outgoing: [] };

export type BatchPorts = {
  readonly client: { readonly clockOffset: () => number | null };
  readonly journal: Journal;
  readonly clock: Clock;
  readonly log: Log;
  /** This fact and later ones must not be sent yet. Null if nothing is held. */
  readonly heldFrom?: () => number | null;
};

/**
 * Marks up to `limit` due items as in flight, oldest first. Items that cannot be sent are parked. If more items are
 * due, the `skip` oldest are skipped.
 */
export function takeBatch(
  { client, journal, clock, log, heldFrom }: BatchPorts,
  owner: FactOwner,
  { limit, skip }: { readonly limit: number; readonly skip: number },
): Batch {
  const { outbox } = journal;
  const held = heldFrom?.() ?? Number.POSITIVE_INFINITY;
  const due = outbox.items('due', limit + skip).filter((item) => item.seq < held);
  const items = due.slice(skip % Math.max(1, due.length)).slice(0, limit);
  outbox.dropBody(items.filter((item) => item.wire !== null && !item.wireIsSound).map((item) => item.seq));
  const measured: MeasuredClock = {
    boot: journal.boot,
    now: clock.now(),
    mono: clock.monotonic(),
    offsetMs: client.clockOffset(),
  };
  const prepared = firstOf(
    items.map((item) => prepare(item, () => journal.soundFact(item.id), owner, measured)),
  );
  const unfit = prepared.filter((entry) => entry.kind === 'unfit');
  if (unfit.length > 0) {
    log.error('interactions failed their checksum; they are parked', { parked: unfit.length });
    for (const { seq, reason } of unfit) outbox.park([seq], reason, clock.now());
  }
  const outgoing = prepared.filter((entry) => entry.kind === 'outgoing');
  if (outgoing.length > 0) outbox.markInFlight(outgoing, outbox.highestRevision(), clock.now());
  return { taken: prepared.length, outgoing };
}

/** Maximum characters of one request with several items, because long notes could exceed the platform's limit. */
const MOST_TEXT = 300_000;

function firstOf(prepared: readonly Prepared[]): readonly Prepared[] {
  let text = 0;
  const end = prepared.findIndex((entry) => {
    text += entry.kind === 'outgoing' ? entry.wire.length : 0;
    return text > MOST_TEXT;
  });
  return end < 0 ? prepared : prepared.slice(0, Math.max(1, end));
}

/** The items of a batch that may still be sent. The items of an erased visitor are parked already. */
export function stillInFlight({ outbox }: Journal, { taken, outgoing }: Batch): Batch {
  return { taken, outgoing: outgoing.filter(({ seq }) => outbox.of(seq)?.state === 'in_flight') };
}
