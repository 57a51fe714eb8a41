/**
 * A fact as the write extension takes it (api-silences, "Writing a scan: our extension"). Pure.
 *
 * Invariants: absent stays absent (an absent field never erases on the platform); only this file knows the item's
 * shape on the wire.
 */
import type { AnyPayload, Fact } from '../journal/fact.ts';

/** Most items one request may carry. */
export const BATCH_LIMIT = 100;

/**
 * The JSON text of one item. `fallback` stands in where the fact was made before the device knew what it is; a fact of a
 * known touchpoint without a partner (a door of the organiser) is nobody's, whatever the device is now.
 */
export function wireOfFact(
  fact: Fact,
  fallback: { readonly touchpoint: string | null; readonly partner: string | null },
): string {
  const payload: AnyPayload = fact.payload ?? {};
  const { touchpoint, partner } = fact.touchpoint === null && fact.partner === null ? fallback : fact;
  return JSON.stringify({
    id: fact.id,
    kind: fact.kind,
    at: new Date(fact.at).toISOString(),
    seq: fact.seq,
    touchpointID: touchpoint ?? undefined,
    partnerID: partner ?? undefined,
    badge: payload.badge,
    visitorID: payload.visitor,
    contentID: payload.content,
    activityID: payload.activity,
    source: fact.source ?? undefined,
    staff: fact.staff ?? undefined,
    fields: payload.fields,
    undoes: payload.undoes,
  });
}

/** What an item goes out as, or why it cannot. */
export type Prepared =
  | { readonly kind: 'outgoing'; readonly seq: number; readonly wire: string }
  | { readonly kind: 'unfit'; readonly seq: number; readonly reason: string };

/** The text of an item: the frozen one while it is sound, otherwise made from its fact while that is. */
export function prepare(
  item: { readonly seq: number; readonly wire: string | null; readonly wireIsSound: boolean },
  soundFact: () => Fact | null,
  post: Parameters<typeof wireOfFact>[1],
): Prepared {
  if (item.wire !== null && item.wireIsSound) return { kind: 'outgoing', seq: item.seq, wire: item.wire };
  const fact = soundFact();
  return fact === null
    ? { kind: 'unfit', seq: item.seq, reason: 'its record on this device is damaged or erased' }
    : { kind: 'outgoing', seq: item.seq, wire: wireOfFact(fact, post) };
}
