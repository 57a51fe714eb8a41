/**
 * The fields of a lead, with the rules for facts, connections and merging.
 *
 * Invariants:
 * - A field is one row here. An absent field never erases a value, but null does.
 * - No code is shared with the devices. A test compares this table with theirs over HTTP.
 */
import { z } from 'zod';
import { longestNote, longText, text } from './fields.ts';

/** The team's fields, the answers and the consent. Each is a field of a fact and is merged into the connection. */
const leadFields = {
  notes: longText(longestNote),
  rating: z.number().min(0).max(5),
  labels: z.array(text()).max(200),
  /** The day of the follow-up, and the member of staff. */
  followUpOn: z.iso.date(),
  followUpBy: text(),
  /** The time of the follow-up, in the event's time zone, and its kind. */
  followUpTime: z.iso.time({ precision: -1 }),
  followUpKind: z.enum(['call', 'meeting']),
  /** The company under which the team files the person. */
  companyGroup: text(),
  /** The team's answers by question of its form. */
  form: z.record(text(), z.unknown()),
  answers: z.unknown(),
  consent: z.unknown(),
};

type LeadField = keyof typeof leadFields;

/** The names of all fields. */
export const mergedFields = Object.keys(leadFields) as readonly LeadField[];

/**
 * Fields with several values, each merged under its own name: a fact contains only the changed values, and null
 * removes one.
 */
export const mergedByName: ReadonlySet<LeadField> = new Set(['form']);

/** The fields as a fact may set them. */
export const factFields = Object.fromEntries(
  mergedFields.map((name) => [name, leadFields[name].nullable().optional()]),
) as { [Name in LeadField]: z.ZodOptional<z.ZodNullable<(typeof leadFields)[Name]>> };

/** The fields as a connection shows them. */
export const connectionFields = z.object(leadFields).partial().shape;

/** Fields of a person that a `correct` may carry. */
export const correctable = ['firstName', 'lastName', 'company', 'jobTitle', 'email', 'phone'] as const;
