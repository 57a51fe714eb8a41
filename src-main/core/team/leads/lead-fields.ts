/**
 * The rules of each field that a team edits on a lead: how facts fold to it, how an edit is cleaned, and its search
 * text. Pure.
 *
 * Invariants:
 * - One row per field.
 * - A value of another type counts as missing.
 */

import { ATTACHMENT_KINDS } from '../../../contract/fact-kinds.ts';
import {
  byField,
  type FactValues,
  LEAD_FIELD_NAMES,
  LEAD_FIELDS,
  type LeadEdit,
  type LeadField,
  type LeadValues,
} from '../../../contract/lead-fields.ts';
import type { LeadWords } from '../../../contract/leads.ts';
import { cleanLine, cleanNote } from '../../foundations/text/typed-text.ts';
import type { Attachment } from '../../journal/facts/fact.ts';

/** Length of a note that is searchable. */
const NOTE_SEARCHED = 20_000;

type FieldRules<Value> = {
  readonly read: (said: unknown) => Value;
  readonly clean: (given: Value) => Value;
  readonly searched: (value: Value, words: Pick<LeadWords, 'labels'>) => readonly (string | null)[];
};

const RULES: { readonly [Field in LeadField]: FieldRules<LeadValues[Field]> } = {
  rating: {
    read: (said) => (typeof said === 'number' && said > 0 ? Math.round(said) : null),
    clean: (given) => given,
    searched: () => [],
  },
  labels: {
    read: (said) =>
      Array.isArray(said) ? [...new Set(said.filter((label) => typeof label === 'string'))] : [],
    clean: (given) => [...new Set(given.map(cleanLine).filter((label) => label !== null))],
    searched: (labels, words) =>
      labels.map((label) => words.labels.find(({ id }) => id === label)?.name ?? label),
  },
  note: {
    read: textOf,
    clean: (given) => (given === null ? null : cleanNote(given)),
    searched: (note) => [note?.slice(0, NOTE_SEARCHED) ?? null],
  },
  followUpOn: { read: textOf, clean: (given) => given, searched: () => [] },
  followUpBy: {
    read: textOf,
    clean: (given) => (given === null ? null : cleanLine(given)),
    searched: () => [],
  },
};

/** The values after facts with these `fields`, by their names in facts. */
export function readValues(fields: Readonly<Record<string, unknown>>): LeadValues {
  return byField<LeadField, unknown>(LEAD_FIELD_NAMES, (field) =>
    RULES[field].read(fields[LEAD_FIELDS[field].fact]),
  ) as LeadValues;
}

/** The fields of an edit that change something, as a fact's payload. Null: none. */
export function changedValues(now: LeadValues, wanted: LeadEdit): FactValues | null {
  const changed = LEAD_FIELD_NAMES.flatMap((field) => changeIn(field, now, wanted));
  return changed.length === 0 ? null : Object.fromEntries(changed);
}

function changeIn<Field extends LeadField>(
  field: Field,
  now: LeadValues,
  wanted: LeadEdit,
): readonly (readonly [string, LeadValues[Field]])[] {
  const given = wanted[field];
  if (given === undefined) return [];
  const value = RULES[field].clean(given as LeadValues[Field]);
  return JSON.stringify(value) === JSON.stringify(now[field]) ? [] : [[LEAD_FIELDS[field].fact, value]];
}

/** The search texts of all fields. */
export function searchedTexts(
  values: LeadValues,
  words: Pick<LeadWords, 'labels'>,
): readonly (string | null)[] {
  const textsOf = <Field extends LeadField>(field: Field) => RULES[field].searched(values[field], words);
  return LEAD_FIELD_NAMES.flatMap(textsOf);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The photo or voice note in a fact's fields. Null: none. */
export function attachmentIn(fields: object | undefined): Attachment | null {
  const said: Partial<Record<keyof Attachment, unknown>> = Object(
    fields !== undefined && 'attachment' in fields ? fields.attachment : null,
  );
  const kind = ATTACHMENT_KINDS.find((known) => known === said.kind);
  const { file, sha256, bytes, ms, agreed } = said;
  if (kind === undefined || typeof file !== 'string' || typeof sha256 !== 'string') return null;
  return {
    ...{ kind, file, sha256, bytes: typeof bytes === 'number' ? bytes : 0 },
    ...(typeof ms === 'number' ? { ms } : {}),
    ...(agreed === true ? { agreed } : {}),
  };
}
