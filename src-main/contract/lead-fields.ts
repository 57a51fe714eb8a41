/**
 * The fields that a stand team edits on a lead or corrects on a person: the two tables from which the contract,
 * facts, edits, search, lists and exports derive.
 *
 * Invariants:
 * - A field is one row here. For a new field the compiler reports every table that needs a row.
 * - `fact` is the name in facts and at the platform. It never changes, because facts are never updated.
 * - The platform has its own table (`src-platform/resources/lead-fields.ts`). A test compares both over HTTP.
 */
import { z } from 'zod';

const name = z.string().max(200);

export const daySchema = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

/**
 * The team's answer to a question of its form: option ids for `choice` and `several`, a number for `number` and
 * `scale`, a text for `text`, a day for `date`.
 */
export const formAnswerSchema = z.union([
  z.array(z.string().max(60)).min(1).max(8),
  z.number(),
  z.string().min(1).max(500),
]);

/** A time of day in the event's time zone, `HH:MM`. */
export const timeOfDaySchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

const stepSchema = z.enum(['call', 'meeting']);

const questionId = z.string().max(60);

/**
 * `set`: valid values of an edit. `shown`: possible values of a lead, including values from other devices and the
 * platform.
 */
export const LEAD_FIELDS = {
  /** 1 to 5; null if not rated. */
  rating: {
    fact: 'rating',
    set: z.number().int().min(1).max(5).nullable(),
    shown: z.number().int().nullable(),
  },
  /** By id if the platform has the label, else by its text. */
  labels: { fact: 'labels', set: z.array(name).max(50), shown: z.array(name) },
  note: { fact: 'notes', set: z.string().max(200_000).nullable(), shown: z.string().nullable() },
  /** Day of the follow-up. */
  followUpOn: { fact: 'followUpOn', set: z.iso.date().nullable(), shown: daySchema.nullable() },
  /** Member of staff who follows up. */
  followUpBy: { fact: 'followUpBy', set: name.nullable(), shown: name.nullable() },
  /** Time of the follow-up, in the event's time zone. It has a meaning only with a day. */
  followUpTime: { fact: 'followUpTime', set: timeOfDaySchema.nullable(), shown: timeOfDaySchema.nullable() },
  /** The kind of the follow-up. Null means any. */
  followUpKind: { fact: 'followUpKind', set: stepSchema.nullable(), shown: stepSchema.nullable() },
  /**
   * The company under which the team files the person. Null means the company that follows from the rule for
   * spellings.
   */
  companyGroup: { fact: 'companyGroup', set: name.nullable(), shown: name.nullable() },
  /**
   * The team's answers by question of its form. Each answer merges separately: an edit names only the changed ones, and
   * null removes one.
   */
  form: {
    fact: 'form',
    set: z.record(questionId, formAnswerSchema.nullable()),
    shown: z.record(questionId, formAnswerSchema),
  },
} as const;

type Table = typeof LEAD_FIELDS;

export type LeadField = keyof Table;

export const LEAD_FIELD_NAMES = Object.keys(LEAD_FIELDS) as readonly LeadField[];

function columnOf<Name extends 'set' | 'shown'>(column: Name) {
  return Object.fromEntries(LEAD_FIELD_NAMES.map((field) => [field, LEAD_FIELDS[field][column]])) as {
    [Field in LeadField]: Table[Field][Name];
  };
}

/** The fields of a lead. */
export const leadValuesSchema = z.object(columnOf('shown'));

/** The changes of an edit. An absent field is unchanged, null removes a value. Each field merges separately. */
export const leadEditSchema = z.object(columnOf('set')).partial();

export type LeadValues = z.infer<typeof leadValuesSchema>;
export type LeadEdit = z.infer<typeof leadEditSchema>;

/** The fields of `lead`, without its other properties. */
export function valuesOf(lead: LeadValues): LeadValues {
  return byField<LeadField, unknown>(LEAD_FIELD_NAMES, (field) => lead[field]) as LeadValues;
}

export type FormAnswer = z.infer<typeof formAnswerSchema>;

/** The fields of a `qualify` fact: only those that changed. */
export type FactValues = {
  readonly [Field in LeadField as Table[Field]['fact']]?: Readonly<
    NonNullable<LeadEdit[Field]> | LeadValues[Field]
  >;
};

/** Fields of a person that the stand team can correct. Facts use the same names. */
export const PERSON_FIELDS = ['firstName', 'lastName', 'company', 'jobTitle', 'email', 'phone'] as const;

export type PersonField = (typeof PERSON_FIELDS)[number];

/** Fields of a person that a list shows beside the full name. */
export type ShownPersonField = Exclude<PersonField, 'firstName' | 'lastName'>;

export const SHOWN_PERSON_FIELDS = PERSON_FIELDS.filter(
  (field): field is ShownPersonField => field !== 'firstName' && field !== 'lastName',
);

/** A value for each of `fields`. */
export function byField<Field extends string, Value>(
  fields: readonly Field[],
  of: (field: Field) => Value,
): Record<Field, Value> {
  const values = {} as Record<Field, Value>;
  for (const field of fields) values[field] = of(field);
  return values;
}
