/**
 * The fields that a stand team sets on a lead or corrects of a person: the two tables that the contract, facts, edits,
 * search, lists and exports derive from.
 *
 * Invariants:
 * - A field is one row here. The compiler then names every table that needs a row for it.
 * - `fact` is the name in facts and at the platform. It never changes, because facts are never updated.
 * - The platform has a table of its own (`src-platform/resources/lead-fields.ts`). A test compares both over HTTP.
 */
import { z } from 'zod';

const name = z.string().max(200);

export const daySchema = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

/** `set`: what an edit may set. `shown`: what a lead may have, from other devices and the platform too. */
export const LEAD_FIELDS = {
  /** 1 to 5; null: not rated. */
  rating: {
    fact: 'rating',
    set: z.number().int().min(1).max(5).nullable(),
    shown: z.number().int().nullable(),
  },
  /** By id where the platform has the label, else the label itself. */
  labels: { fact: 'labels', set: z.array(name).max(50), shown: z.array(name) },
  note: { fact: 'notes', set: z.string().max(200_000).nullable(), shown: z.string().nullable() },
  /** Day on which to get back to the person. */
  followUpOn: { fact: 'followUpOn', set: daySchema.nullable(), shown: daySchema.nullable() },
  /** Who gets back to the person. */
  followUpBy: { fact: 'followUpBy', set: name.nullable(), shown: name.nullable() },
} as const;

type Table = typeof LEAD_FIELDS;

export type LeadField = keyof Table;

export const LEAD_FIELD_NAMES = Object.keys(LEAD_FIELDS) as readonly LeadField[];

function columnOf<Name extends 'set' | 'shown'>(column: Name) {
  return Object.fromEntries(LEAD_FIELD_NAMES.map((field) => [field, LEAD_FIELDS[field][column]])) as {
    [Field in LeadField]: Table[Field][Name];
  };
}

/** The fields as a lead has them. */
export const leadValuesSchema = z.object(columnOf('shown'));

/** What an edit changes. An absent field stays, null takes a value away. Each field merges separately. */
export const leadEditSchema = z.object(columnOf('set')).partial();

export type LeadValues = z.infer<typeof leadValuesSchema>;
export type LeadEdit = z.infer<typeof leadEditSchema>;

/** The fields of a lead, without what else it has. */
export function valuesOf(lead: LeadValues): LeadValues {
  return byField<LeadField, unknown>(LEAD_FIELD_NAMES, (field) => lead[field]) as LeadValues;
}

/** The fields as a `qualify` fact has them: only those that changed. */
export type FactValues = {
  readonly [Field in LeadField as Table[Field]['fact']]?: Readonly<LeadValues[Field]>;
};

/** Fields of a person that the stand team can correct; the names are the same in facts. */
export const PERSON_FIELDS = ['firstName', 'lastName', 'company', 'jobTitle', 'email', 'phone'] as const;

export type PersonField = (typeof PERSON_FIELDS)[number];

/** Fields of a person that a list shows beside the whole name. */
export type ShownPersonField = Exclude<PersonField, 'firstName' | 'lastName'>;

export const SHOWN_PERSON_FIELDS = PERSON_FIELDS.filter(
  (field): field is ShownPersonField => field !== 'firstName' && field !== 'lastName',
);

/** A value for each of `fields`. */
export function byField<Field extends string, Value>(
  fields: readonly Field[],
  of: (field: Field) => Value,
): Record<Field, Value> {
  return Object.fromEntries(fields.map((field) => [field, of(field)])) as Record<Field, Value>;
}
