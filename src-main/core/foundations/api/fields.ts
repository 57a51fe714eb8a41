/**
 * Tolerant readers of fields: the platform's JSON as typed values. Pure.
 *
 * Invariants: a reader never throws; what is missing, null or of the wrong type is absent; words the document does
 * not list pass, because lists of words grow; everything that came stays in the record's `body` untouched.
 */
import { revisionOf } from './page.ts';

/** The value as `T`, or undefined when it is none. */
export type Reader<T> = (value: unknown) => T | undefined;

export type Readers = Readonly<Record<string, Reader<unknown>>>;

/** What a set of readers gives: every field may be absent. */
export type Fields<S extends Readers> = {
  readonly [Name in keyof S]?: S[Name] extends Reader<infer T> ? T : never;
};

export const text: Reader<string> = (value) => (typeof value === 'string' ? value : undefined);

export const flag: Reader<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);

export const number: Reader<number> = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

export const whole: Reader<number> = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;

/** A revision or another 64-bit count. */
export const long: Reader<bigint> = (value) => revisionOf(value) ?? undefined;

/** ISO 8601 date-time as it came (UTC: docs/interface/resources.md#common-rules). */
export const instant: Reader<string> = (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && Number.isFinite(Date.parse(value))
    ? value
    : undefined;

/** Whatever is there. */
export const anything: Reader<unknown> = (value) => value;

/** One of `known` words, or one we do not know yet. */
export function word<const Word extends string>(..._known: readonly Word[]): Reader<Word | (string & {})> {
  return (value) => text(value);
}

/** Members that do not fit are left out. */
export function listOf<T>(reader: Reader<T>): Reader<readonly T[]> {
  return (value) =>
    Array.isArray(value)
      ? value.map((member) => reader(member)).filter((member) => member !== undefined)
      : undefined;
}

/** An object whose fields are read one by one. */
export function shape<S extends Readers>(readers: S): Reader<Fields<S>> {
  return (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? readFields(readers, value as Readonly<Record<string, unknown>>)
      : undefined;
}

/** The fields of `body` that `readers` know and can use. */
export function readFields<S extends Readers>(
  readers: S,
  body: Readonly<Record<string, unknown>>,
): Fields<S> {
  const fields: Record<string, unknown> = {};
  for (const [name, reader] of Object.entries(readers)) {
    const value = Object.hasOwn(body, name) ? reader(body[name]) : undefined;
    if (value !== undefined && value !== null) fields[name] = value;
  }
  return fields as Fields<S>;
}
