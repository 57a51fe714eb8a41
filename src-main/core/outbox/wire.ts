/**
 * A fact as the write extension takes it (api-silences, "Writing a scan: our extension"). Pure.
 *
 * Invariants: absent stays absent (an absent field never erases on the platform); only this file knows the item's
 * shape on the wire.
 */
import type { Fact, FactPayload } from '../journal/fact.ts';

/** Most items one request may carry. */
export const BATCH_LIMIT = 100;

/** The JSON text of one item. `touchpoint` and `partner` stand in where the fact was made before they were known. */
export const wireOfFact = (
  fact: Fact,
  fallback: { readonly touchpoint: string | null; readonly partner: string | null },
): string => {
  const payload: FactPayload = fact.payload ?? {};
  return JSON.stringify({
    id: fact.id,
    kind: fact.kind,
    at: new Date(fact.at).toISOString(),
    seq: fact.seq,
    touchpointID: fact.touchpoint ?? fallback.touchpoint ?? undefined,
    partnerID: fact.partner ?? fallback.partner ?? undefined,
    badge: payload.badge,
    visitorID: payload.visitor,
    contentID: payload.content,
    activityID: payload.activity,
    source: fact.source ?? undefined,
    staff: fact.staff ?? undefined,
    fields: payload.fields,
    undoes: payload.undoes,
  });
};
