/**
 * The JSON of bodies.
 *
 * Invariants
 * - What is taken can be stored and given back as it came: whole numbers of any size, no number beyond what a double
 *   holds, no half of a surrogate pair.
 * - A body with a `__proto__` key, a `constructor.prototype` key or more than 40 levels is refused, so no later code
 *   needs to think of it.
 */
import { readJson } from '../store/json.ts';
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

/** What makes a member of a body unfit to be taken, or null. */
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

/** Reads the JSON text of a body. @throws ApiError 400 that says what is wrong with it */
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

/** A text that is already JSON and goes out as it stands. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
