/**
 * Derives records from facts: the connection of a visitor and a partner, and the attendance summary of a visitor. Pure.
 *
 * Invariants
 * - The same facts give the same result in any order of arrival, because they are folded by their time.
 * - An undone fact has no effect.
 * - A visitor who was turned away at a door attended the event, but is not a contact of any partner.
 * - Fields are merged one by one: an absent field never erases, null does.
 */
import { correctable, mergedByName, mergedFields } from '../resources/lead-fields.ts';
import type { Doc } from '../store/records.ts';
import { isInteraction } from './item.ts';

export type Fact = {
  readonly id: string;
  readonly kind: string;
  readonly at: string;
  readonly seq: bigint;
  readonly partnerId: string | null;
  readonly contentId: string | null;
  readonly activityId: string | null;
  readonly touchpointId: string | null;
  readonly staff: string | null;
  readonly fields: Doc | null;
};

function isContact({ kind, fields }: Fact): boolean {
  return isInteraction(kind) && fields?.turnedAway === undefined;
}

function inOrder(facts: readonly Fact[]): readonly Fact[] {
  return facts.toSorted((a, b) => {
    if (a.at !== b.at) return a.at < b.at ? -1 : 1;
    if (a.seq !== b.seq) return a.seq < b.seq ? -1 : 1;
    return a.id < b.id ? -1 : 1;
  });
}

function mergeFields(facts: readonly Fact[]): Record<string, unknown> {
  const merged: Record<string, unknown> = {};
  for (const fact of facts) {
    const given = fact.fields ?? {};
    for (const name of mergedFields) {
      if (given[name] === undefined) continue;
      if (given[name] === null) delete merged[name];
      else merged[name] = mergedByName.has(name) ? byName(merged[name], given[name]) : given[name];
    }
    // If a consent fact has no field `consent`, its fields are the consent.
    if (fact.kind === 'consent' && given.consent === undefined) merged.consent = fact.fields ?? true;
  }
  return merged;
}

function byName(now: unknown, given: unknown): unknown {
  const all = Object.entries({ ...Object(now), ...Object(given) });
  return Object.fromEntries(all.filter(([, value]) => value !== null));
}

/** The team's corrections of the person, by field. Null removes a correction. */
function foldCorrections(facts: readonly Fact[]): { readonly corrected?: Record<string, string> } {
  const corrected: Record<string, string> = {};
  for (const { fields } of facts.filter(({ kind }) => kind === 'correct')) {
    for (const name of correctable) {
      const value = fields?.[name];
      if (value === null) delete corrected[name];
      else if (typeof value === 'string') corrected[name] = value;
    }
  }
  return Object.keys(corrected).length === 0 ? {} : { corrected };
}

const saidKinds: readonly string[] = ['qualify', 'note', 'correct'];
/**
 * Limits of a connection, because every device of the partner fetches it: the latest statements, and the beginning of
 * a long note.
 */
const mostHistory = 100;
const longestText = 500;

/** The statements about a lead with author and time, so that devices of one partner fold them in the same way. */
function historyOf(facts: readonly Fact[]): { readonly history?: readonly Doc[] } {
  const said = facts.filter(({ kind }) => saidKinds.includes(kind)).slice(-mostHistory);
  if (said.length === 0) return {};
  return {
    history: said.map(({ id, kind, at, seq, touchpointId, staff, fields }) => {
      const notes = fields?.notes;
      const isLong = typeof notes === 'string' && notes.length > longestText;
      return {
        clientID: id,
        kind,
        at,
        seq: Number(seq),
        ...(touchpointId === null ? {} : { touchpointID: touchpointId }),
        ...(staff === null ? {} : { staff }),
        fields: isLong ? { ...fields, notes: notes.slice(0, longestText).toWellFormed() } : (fields ?? {}),
        ...(isLong ? { cut: true } : {}),
      };
    }),
  };
}

function summary(facts: readonly Fact[]) {
  return {
    first: facts[0]?.at,
    last: facts.at(-1)?.at,
    count: facts.length,
    contents: [...new Set(facts.flatMap((fact) => (fact.contentId === null ? [] : [fact.contentId])))],
  };
}

/**
 * The two sides of a connection. `partner`: the exhibitor's lead, which any interaction creates. `visitor`: the
 * contents that the visitor collected. Null if that side has nothing (any more).
 */
export function deriveConnection(facts: readonly Fact[]): {
  readonly partner: Doc | null;
  readonly visitor: Doc | null;
} {
  const ordered = inOrder(facts);
  const interactions = ordered.filter(isContact);
  const collected = interactions.filter((fact) => fact.kind === 'collect');
  return {
    partner:
      interactions.length === 0
        ? null
        : {
            ...summary(interactions),
            labels: [],
            ...mergeFields(ordered),
            ...foldCorrections(ordered),
            ...historyOf(ordered),
          },
    visitor: collected.length === 0 ? null : { ...summary(collected), labels: [] },
  };
}

type Visit = { readonly activityID: string; readonly entered: string; left?: string };

function deriveVisits(checkins: readonly Fact[]): readonly Visit[] {
  const visits: Visit[] = [];
  for (const fact of checkins) {
    if (fact.activityId === null) continue;
    const open = visits.find((visit) => visit.activityID === fact.activityId && visit.left === undefined);
    if (fact.fields?.direction === 'out') {
      if (open) open.left = fact.at;
    } else if (!open) visits.push({ activityID: fact.activityId, entered: fact.at });
  }
  return visits;
}

/** The attendance summary from all facts of one visitor. */
export function deriveParticipant(facts: readonly Fact[]): Doc {
  const interactions = inOrder(facts).filter(({ kind }) => isInteraction(kind));
  const { first, last } = summary(interactions);
  const partners = new Set(
    interactions.filter(isContact).flatMap(({ partnerId }) => (partnerId === null ? [] : [partnerId])),
  );
  return {
    ...(first ? { firstSeen: first } : {}),
    ...(last ? { lastSeen: last } : {}),
    present: interactions.length > 0,
    activities: deriveVisits(interactions.filter((fact) => fact.kind === 'checkin')),
    actions: interactions.length,
    connections: partners.size,
  };
}
