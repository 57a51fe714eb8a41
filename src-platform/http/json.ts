/**
 * JSON in and out without losing a bit.
 *
 * Invariants
 * - Whole numbers beyond 2^53 become `bigint` on the way in and are written in full on the way out.
 * - A body with a `__proto__` key, a `constructor.prototype` key or more than 40 levels is refused, so no later code
 *   needs to think of it.
 */
import { badRequest } from './errors.ts';

const deepest = 40;

/** Levels of nesting outside strings, counted without recursion. */
function isTooDeep(text: string): boolean {
  let level = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 92) index += 1;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 91 || code === 123) {
      level += 1;
      if (level > deepest) return true;
    } else if (code === 93 || code === 125) level -= 1;
  }
  return false;
}

type Reviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown;
const parseWithSource = JSON.parse as (text: string, reviver: Reviver) => unknown;

/** Reads a JSON text; a 400 error names what is wrong with it. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw badRequest(`The JSON body is nested deeper than ${deepest} levels`);
  let forbiddenKey = false;
  let value: unknown;
  try {
    value = parseWithSource(text, (key, part, context) => {
      if (key === '__proto__') forbiddenKey = true;
      if (
        key === 'constructor' &&
        typeof part === 'object' &&
        part !== null &&
        Object.hasOwn(part, 'prototype')
      ) {
        forbiddenKey = true;
      }
      if (typeof part === 'number' && !Number.isSafeInteger(part) && /^-?\d+$/.test(context.source ?? '')) {
        return BigInt(context.source ?? '0');
      }
      return part;
    });
  } catch {
    throw badRequest('The body is not valid JSON');
  }
  if (forbiddenKey) throw badRequest('The body has a key that is not allowed');
  return value;
}

const rawJson = (JSON as unknown as { readonly rawJSON: (text: string) => object }).rawJSON;

/** A JSON text; every `bigint` is written with all its digits. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'bigint' ? rawJson(part.toString()) : part,
  );
}

/** A text that is already JSON and goes out as it stands. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
