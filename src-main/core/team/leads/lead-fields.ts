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
  type FormAnswer,
  formAnswerSchema,
  LEAD_FIELD_NAMES,
  LEAD_FIELDS,
  type LeadEdit,
  type LeadField,
  type LeadValues,
} from '../../../contract/lead-fields.ts';
import type { LeadWords } from '../../../contract/leads.ts';
import { cleanLine, cleanNote } from '../../foundations/text/typed-text.ts';
import type { Attachment } from '../../journal/facts/fact.ts';

/** A search covers this many characters of a note. */
const NOTE_SEARCHED = 20_000;

/** `changed`: the part of an edit that a fact stores, if it does not store the whole value. Null if nothing changed. */
type FieldRules<Value, Given = Value> = {
  readonly read: (said: unknown) => Value;
  readonly clean: (given: Given) => Given;
  readonly changed?: (now: Value, given: Given) => Given | null;
  readonly searched: (value: Value, words: Pick<LeadWords, 'labels'>) => readonly (string | null)[];
};

const RULES: {
  readonly [Field in LeadField]: FieldRules<
    LeadValues[Field],
    NonNullable<LeadEdit[Field]> | LeadValues[Field]
  >;
} = {
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
  followUpTime: { read: (said) => readAs('followUpTime', said), clean: (given) => given, searched: () => [] },
  followUpKind: { read: (said) => readAs('followUpKind', said), clean: (given) => given, searched: () => [] },
  companyGroup: {
    read: textOf,
    clean: (given) => (given === null ? null : cleanLine(given)),
    searched: (group) => [group],
  },
  form: {
    read: readForm,
    clean: (given) =>
      Object.fromEntries(Object.entries(given).map(([question, answer]) => [question, cleanAnswer(answer)])),
    changed: (now, given) => {
      const changed = Object.entries(given).filter(
        ([question, answer]) => JSON.stringify(answer) !== JSON.stringify(now[question] ?? null),
      );
      return changed.length === 0 ? null : Object.fromEntries(changed);
    },
    // Answers are searched as the lead's answers, with the words of their options.
    searched: () => [],
  },
};

/** A value of a field. Null if it is missing, or if another version or device set a value that is invalid here. */
function readAs<Field extends 'followUpTime' | 'followUpKind'>(
  field: Field,
  said: unknown,
): LeadValues[Field] {
  if (said === undefined) return null;
  const read = LEAD_FIELDS[field].shown.safeParse(said);
  return (read.success ? read.data : null) as LeadValues[Field];
}

function cleanAnswer(answer: FormAnswer | null): FormAnswer | null {
  if (typeof answer === 'string') return cleanLine(answer);
  return Array.isArray(answer) ? [...new Set(answer)] : answer;
}

/** The valid answers of a form. A removed one is null. */
function readForm(said: unknown): LeadValues['form'] {
  return Object.fromEntries(
    Object.entries(isObject(said) ? said : {}).flatMap(([question, answer]) => {
      const read = formAnswerSchema.safeParse(answer);
      return read.success ? [[question, read.data]] : [];
    }),
  );
}

/** The form after a fact with `given`: its answers replace those to the same questions; null removes all answers. */
export function mergedForm(now: unknown, given: unknown): unknown {
  return isObject(given) ? { ...(isObject(now) ? now : {}), ...given } : given;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The values after facts with these `fields`, by their names in facts. */
export function readValues(fields: Readonly<Record<string, unknown>>): LeadValues {
  return byField<LeadField, unknown>(LEAD_FIELD_NAMES, (field) =>
    RULES[field].read(fields[LEAD_FIELDS[field].fact]),
  ) as LeadValues;
}

/** The fields of an edit that change something, as a fact's payload, or null. */
export function changedValues(now: LeadValues, wanted: LeadEdit): FactValues | null {
  const changed = LEAD_FIELD_NAMES.flatMap((field) => changeIn(field, now, wanted));
  return changed.length === 0 ? null : Object.fromEntries(changed);
}

function changeIn<Field extends LeadField>(
  field: Field,
  now: LeadValues,
  wanted: LeadEdit,
): readonly (readonly [string, unknown])[] {
  const given = wanted[field];
  if (given === undefined) return [];
  const { clean, changed } = RULES[field];
  const value = clean(given as NonNullable<LeadEdit[Field]> | LeadValues[Field]);
  if (changed !== undefined) {
    const said = changed(now[field], value);
    return said === null ? [] : [[LEAD_FIELDS[field].fact, said]];
  }
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

/** The photo or voice note in a fact's fields, or null. */
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
