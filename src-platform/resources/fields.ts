/**
 * Field types of records and queries.
 *
 * Invariants
 * - No text contains a NUL character: PostgreSQL cannot store one.
 * - Dates with any offset are returned as ISO 8601 in UTC with milliseconds.
 * - A revision is a 64-bit integer; in JSON it is written in full.
 */
import { z } from 'zod';

const firstTime = Date.parse('0001-01-01T00:00:00Z');
const lastTime = Date.parse('9999-12-31T23:59:59.999Z');

export const largestRevision = 9_223_372_036_854_775_807n;

const nul = '\u0000';
function hasNoNul(value: string): boolean {
  return !value.includes(nul);
}

/** A text of 1 to `longest` characters. */
export function text(longest = 200) {
  return z.string().min(1).max(longest).refine(hasNoNul, 'must not contain a NUL character');
}

/** Maximum number of characters of a note of a stand team. */
export const longestNote = 200_000;

/** A text of up to `longest` characters that may be empty. */
export function longText(longest = 10_000) {
  return z.string().max(longest).refine(hasNoNul, 'must not contain a NUL character');
}

/** Fewer than 100 characters (docs/interface/limits.md), counted in code points. */
export function shortText() {
  return z
    .string()
    .refine(hasNoNul, 'must not contain a NUL character')
    .refine((value) => [...value].length < 100, 'must have fewer than 100 characters')
    .meta({ maxLength: 99 });
}

/** An identifier (docs/interface/resources.md#common-rules: alphanumeric). */
export function id() {
  return z.string().regex(/^[A-Za-z0-9]{1,64}$/, 'must be alphanumeric');
}

/** Whether a point in time has a year from 1 to 9999 in UTC, so that every calendar and database can represent it. */
function isWithinYears(value: string): boolean {
  const time = Date.parse(value);
  return Number.isNaN(time) || (time >= firstTime && time <= lastTime);
}

/** A point in time. */
export function instant() {
  return z.iso
    .datetime({ offset: true })
    .refine(isWithinYears, { message: 'must have a year from 1 to 9999', params: { outsideYears: true } })
    .overwrite((value) => {
      const date = new Date(value);
      return Number.isNaN(date.getTime()) ? value : date.toISOString();
    });
}

/** Contact details of a visitor or partner, as some clients of this API send them; other fields are kept. */
export function contact() {
  return z.looseObject({
    name: text().optional(),
    email: z.email().max(254).optional(),
    phone: text(50).optional(),
  });
}

/** The revision as records store it. */
export function revision() {
  return z
    .union([z.int(), z.bigint()])
    .meta({ type: 'integer', format: 'int64', anyOf: undefined, description: 'Change-tracking number' });
}

/** An id as a query parameter: any text, even if no record can have it. */
export function queryText() {
  return z.string().min(1).max(200).refine(hasNoNul, 'must not contain a NUL character');
}

/** `fromRevision`: whole number from 0 to 2^63 - 1. */
export function queryRevision() {
  return z
    .string()
    .regex(/^\d{1,19}$/, 'must be a whole number')
    .transform((value) => BigInt(value))
    .refine((value) => value <= largestRevision, 'must fit into 64 bits')
    .meta({ type: 'integer', format: 'int64', minimum: 0, pattern: undefined });
}

/** `limit`: from 1 to the list's maximum. */
export function queryLimit(most: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= 1 && value <= most, `must be from 1 to ${most}`)
    .meta({ type: 'integer', minimum: 1, maximum: most, default: most, pattern: undefined });
}

/** A boolean in a query: `true` or `false`. */
export function querySwitch() {
  return z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .meta({ type: 'boolean', default: false, enum: undefined });
}

/** The description of a list describes its members, so a limit on the length of the whole text is left out. */
const noTextLimits = { minLength: undefined, maxLength: undefined };

/** A comma-separated list; with `allowed` every member must be one of these values. */
export function queryList(allowed?: readonly string[]) {
  return z
    .string()
    .min(1)
    .max(2000)
    .refine(hasNoNul, 'must not contain a NUL character')
    .transform((value) => value.split(',').map((part) => part.trim()))
    .refine(
      (parts) => allowed === undefined || parts.every((part) => allowed.includes(part)),
      `must be a comma-separated list of: ${allowed?.join(', ') ?? 'values'}`,
    )
    .meta({
      type: 'array',
      items: { type: 'string', ...(allowed ? { enum: [...allowed] } : {}) },
      ...noTextLimits,
    });
}

/** Marks fields that the interface does not publish (docs/interface/undocumented.md), for the description. */
export function undocumented<T extends z.ZodType>(schema: T): T {
  return schema.meta({ 'x-documented': false }) as T;
}
