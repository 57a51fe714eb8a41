/**
 * The person of a lead: the platform's record, the team's corrections, and the people merged into it. Pure.
 *
 * Invariants:
 * - Any field may be missing or of another type.
 * - A correction is kept beside the original and never replaces it.
 * - A missing name is null.
 * - A lead keeps its own values. Leads that became part of it only fill gaps.
 */
import {
  byField,
  PERSON_FIELDS,
  type PersonField,
  SHOWN_PERSON_FIELDS,
  type ShownPersonField,
} from '../../../contract/lead-fields.ts';
import type { LeadDetail } from '../../../contract/leads.ts';
import { parseOrUndefined } from '../../foundations/api/json.ts';
import { isEastAsian } from '../../foundations/text/fold.ts';
import type { LeadSource, SourceOther, SourcePerson } from '../../journal/facts/lead-sources.ts';
import { type Entry, entriesOfOther } from './entries.ts';

/** Start of the code that a lead has instead of a badge code if staff entered it by hand. */
export const BY_HAND = 'hand-';

type LeadPerson = LeadDetail['person'];

/** The fields of a visitor's record from the platform. */
export type VisitorRecord = Readonly<Record<string, unknown>>;

/** The team's correction of each field; null without one. */
type Corrections = Readonly<Record<PersonField, string | null>>;

/** No corrections. */
const NO_CORRECTIONS: Corrections = byField(PERSON_FIELDS, () => null);

/** Another person who is part of a lead, or was once. */
export type OtherPerson = LeadDetail['others'][number] & Pick<SourceOther, 'isPart' | 'person'>;

/**
 * Returns the person of the lead `source`, a short text about the person's place, and the other people whom the facts
 * of the lead name. `counting`: the entries that are not undone. `record`: the platform's record of the person.
 */
export function personsOf(
  source: LeadSource,
  counting: readonly Entry[],
  record: VisitorRecord,
): {
  readonly person: LeadPerson;
  readonly place: string | null;
  readonly others: readonly OtherPerson[];
} {
  const others = source.others.map((other) => {
    const entries = entriesOfOther(source, other);
    return { other, entries, said: correctionsIn(entries) };
  });
  const parts = others.filter(({ other }) => other.isPart);
  const ofParts = new Set(parts.flatMap(({ entries }) => entries.map(({ id }) => id)));
  const own = correctionsIn(counting.filter(({ id }) => !ofParts.has(id)));
  const named = parts.find(
    ({ other }) => other.person !== null && other.person.visitor === source.person?.visitor,
  );
  const known = { ...NO_CORRECTIONS, ...named?.said, ...own };
  const told = personOf(source.person, record, known);
  const { person } = told;
  const isGap = (field: PersonField): boolean =>
    field === 'firstName' || field === 'lastName' ? person.name === null : present(person[field]) === null;
  const fill = parts.flatMap(({ said }) =>
    PERSON_FIELDS.flatMap((field) => {
      const text = said[field] ?? null;
      return text !== null && own[field] === undefined && isGap(field) ? [[field, text] as const] : [];
    }),
  );
  return {
    ...(fill.length === 0
      ? told
      : personOf(source.person, record, { ...known, ...Object.fromEntries(fill.toReversed()) })),
    others: others.map(({ other, said }) => otherPerson(other, { ...NO_CORRECTIONS, ...said })),
  };
}

function otherPerson(other: SourceOther, said: Corrections): OtherPerson {
  const { person } = personOf(other.person, recordOf(other.person), said);
  const { id: lead, isPart, badge } = other;
  return {
    ...shownFields(person),
    lead,
    isPart,
    person: other.person,
    name: person.name,
    badgeTail: badgeTailOf(badge),
  };
}

/** Corrections in these entries, oldest first. Null restores the platform's value. */
function correctionsIn(entries: readonly Pick<Entry, 'kind' | 'fields' | 'undone'>[]): Partial<Corrections> {
  const corrections: Partial<Record<PersonField, string | null>> = {};
  for (const { fields } of entries.filter(({ kind, undone }) => kind === 'correct' && !undone))
    for (const field of PERSON_FIELDS)
      if (fields[field] !== undefined) corrections[field] = textOf(fields[field]);
  return corrections;
}

/** The last characters of a badge code. Empty without a tap. */
export function badgeTailOf(badge: string): string {
  return isByHand(badge) ? '' : badge.slice(-4);
}

/** Whether staff entered the person by hand, without a tap. */
export function isByHand(badge: string | null): boolean {
  return badge?.startsWith(BY_HAND) === true;
}

function personOf(
  source: SourcePerson | null,
  record: VisitorRecord,
  corrections: Corrections,
): { readonly person: LeadPerson; readonly place: string | null } {
  const original = (field: PersonField): string | null =>
    field === 'company' || field === 'jobTitle'
      ? (textOf(record[field]) ?? source?.[field] ?? null)
      : textOf(record[field]);
  const fields = byField(PERSON_FIELDS, (field) => ({
    original: original(field),
    corrected: corrections[field],
  }));
  const isNamed = corrections.firstName !== null || corrections.lastName !== null;
  const named = nameOf(present(fields.firstName), present(fields.lastName));
  return {
    person: {
      ...fields,
      name: isNamed ? named : (source?.name ?? named),
      address: addressOf(record),
      country: textOf(record.country),
      language: textOf(record.language),
    },
    place: source?.place ?? null,
  };
}

/** The current value of a field. */
export function present({ original, corrected }: LeadPerson['email']): string | null {
  return corrected ?? original;
}

/** The current values of the fields that a list shows. */
export function shownFields(person: LeadPerson): Record<ShownPersonField, string | null> {
  return byField(SHOWN_PERSON_FIELDS, (field) => present(person[field]));
}

function nameOf(first: string | null, last: string | null): string | null {
  const isFamilyFirst = isEastAsian(first ?? '') && isEastAsian(last ?? '');
  return (isFamilyFirst ? [last, first] : [first, last]).filter((part) => part !== null).join(' ') || null;
}

/** The record of a person, empty when it cannot be read. Fields of `contact` fill its gaps. */
export function recordOf(person: SourcePerson | null): VisitorRecord {
  const text = person?.record ?? null;
  const record = text === null ? undefined : parseOrUndefined(text);
  if (!isObject(record)) return {};
  return isObject(record.contact) ? { ...record.contact, ...record } : record;
}

function addressOf(record: VisitorRecord): string | null {
  const { address } = record;
  const own = isObject(address) ? Object.values(address).map(textOf) : [textOf(address)];
  const around = [textOf(record.street), [textOf(record.zip), textOf(record.city)].filter(Boolean).join(' ')];
  return [...own, ...around].filter((part) => part !== null && part !== '').join(', ') || null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  return value.trim() === '' ? null : value.trim();
}
