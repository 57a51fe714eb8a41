/**
 * The recorded entries of a lead, from this device and from others of its partner, in order of time. Pure.
 *
 * Invariants:
 * - The order is by the platform's clock, so that two devices and the platform fold the same edits to the same
 *   values.
 * - An entry of this device that the platform also returns occurs once, as an entry of this device.
 * - Unreadable entries are left out.
 */

import { FACT_KINDS } from '../../../contract/fact-kinds.ts';
import { parseOrUndefined } from '../../foundations/api/json.ts';
import type { FactKind } from '../../journal/facts/fact.ts';
import type { LeadSource, SourceFact, SourceOther } from '../../journal/facts/lead-sources.ts';
import type { FactPlace } from '../../journal/facts/outbox.ts';

type Fields = Readonly<Record<string, unknown>>;

/** One recorded entry. `at` is by the platform's clock, if that is known. */
export type Entry = {
  readonly id: string;
  readonly kind: FactKind;
  readonly at: number;
  readonly seq: number;
  readonly touchpoint: string | null;
  readonly staff: string | null;
  readonly source: string | null;
  readonly fields: Fields;
  readonly content: string | null;
  readonly badge: string | null;
  readonly undoes: string | null;
  readonly undone: boolean;
  readonly state: FactPlace | 'elsewhere';
  readonly reason: string | null;
  /** Name of the team's laptop that submitted it over the hub. Null for this device, or if unknown. */
  readonly device: string | null;
};

/** The platform's data of a lead from other devices. */
type Elsewhere = {
  readonly first: number | null;
  readonly last: number | null;
  readonly count: number;
  readonly entries: readonly Entry[];
};

/** All entries of a lead, oldest first. */
export function entriesOf(source: LeadSource): {
  readonly entries: readonly Entry[];
  readonly elsewhere: Elsewhere | null;
} {
  const own = source.facts.map(entryOfFact);
  const told = source.elsewhere.map(readElsewhere).filter((one) => one !== null);
  const ids = new Set(own.map(({ id }) => id));
  const others = told.flatMap(({ entries }) => entries).filter(({ id }) => !ids.has(id));
  const entries = others.length === 0 ? own : [...own, ...others];
  return { entries: entries.toSorted(inOrder), elsewhere: told[0] ?? null };
}

/** All entries of another lead that belongs to the same person, oldest first. */
export function entriesOfOther(source: LeadSource, other: SourceOther): readonly Entry[] {
  const ours = new Set([...source.facts, ...other.facts].map(({ id }) => id));
  const told = other.elsewhere === null ? null : readElsewhere(other.elsewhere);
  const others = told?.entries.filter(({ id }) => !ours.has(id)) ?? [];
  return [...other.facts.map(entryOfFact), ...others].toSorted(inOrder);
}

function inOrder(one: Entry, other: Entry): number {
  if (one.at !== other.at) return one.at - other.at;
  if (one.seq !== other.seq) return one.seq - other.seq;
  return one.id < other.id ? -1 : 1;
}

/** The entry of a fact of this device. */
function entryOfFact(fact: SourceFact): Entry {
  const { payload } = fact;
  return {
    id: fact.id,
    kind: fact.kind,
    at: fact.at + fact.offset,
    seq: fact.seq,
    touchpoint: fact.touchpoint,
    staff: fact.staff,
    source: fact.source,
    fields: isFields(payload?.fields) ? payload.fields : {},
    content: payload?.content ?? null,
    badge: payload?.badge ?? null,
    undoes: payload?.undoes ?? null,
    undone: fact.undone,
    state: fact.state,
    reason: fact.reason,
    device: fact.device,
  };
}

/** What `journal.leads.keepElsewhere` stored. Null when the format is unknown. */
function readElsewhere(text: string): Elsewhere | null {
  const told = parseOrUndefined(text);
  if (!isFields(told)) return null;
  const history = Array.isArray(told.history) ? told.history : [];
  return {
    first: timeOf(told.first),
    last: timeOf(told.last),
    count: typeof told.count === 'number' ? told.count : 0,
    entries: history.flatMap((entry) => entryOfHistory(entry, told)),
  };
}

function entryOfHistory(value: unknown, told: Fields): readonly Entry[] {
  if (!isFields(value)) return [];
  const kind = FACT_KINDS.find((known) => known === value.kind);
  const at = timeOf(value.at);
  if (kind === undefined || at === null || typeof value.clientID !== 'string') return [];
  const fields = isFields(value.fields) ? value.fields : {};
  // The history truncates a long note. The field of the record has the complete note.
  const isCut = value.cut === true && typeof told.notes === 'string';
  return [
    {
      id: value.clientID,
      kind,
      at,
      seq: typeof value.seq === 'number' ? value.seq : 0,
      touchpoint: textOf(value.touchpointID),
      staff: textOf(value.staff),
      source: null,
      fields:
        isCut && textOf(fields.notes) !== null
          ? { ...fields, notes: wholeNote(fields.notes, told.notes) }
          : fields,
      content: null,
      badge: null,
      undoes: null,
      undone: false,
      state: 'elsewhere',
      reason: null,
      device: null,
    },
  ];
}

function wholeNote(cut: unknown, whole: unknown): unknown {
  return typeof whole === 'string' && typeof cut === 'string' && whole.startsWith(cut) ? whole : cut;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function timeOf(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}
