/**
 * The JSON of bodies.
 *
 * Invariants
 * - Accepted values can be stored and returned unchanged: integers of any size, no number beyond the range of a double,
 *   no lone surrogate.
 * - A body with a `__proto__` key, a `constructor.prototype` key or more than 40 levels is refused, so no later code
 *   needs to check.
 */
import { readJson } from '../store/json.ts';
import { badRequest } from './errors.ts';

const deepest = 40;

/** Counts levels of nesting outside strings, without recursion. */
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

/** Why a member of a body is not acceptable, or null. */
function problemOf(key: string, value: unknown): string | null {
  const reachesPrototype =
    key === '__proto__' ||
    (key === 'constructor' &&
      typeof value === 'object' &&
      value !== null &&
      Object.hasOwn(value, 'prototype'));
  if (reachesPrototype) return 'The body has a key that is not allowed';
  if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) {
    return 'The body has half of a surrogate pair, which is no text';
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return 'The body has a number that is too large';
  return null;
}

/** Parses the JSON text of a body. @throws ApiError (400) that names the fault */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw badRequest(`The JSON body is nested deeper than ${deepest} levels`);
  let problem: string | null = null;
  let value: unknown;
  try {
    value = readJson(text, (key, part) => {
      problem ??= problemOf(key, part);
    });
  } catch {
    throw badRequest('The body is not valid JSON');
  }
  if (problem !== null) throw badRequest(problem);
  return value;
}

/** A text that is already JSON and is sent unchanged. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
