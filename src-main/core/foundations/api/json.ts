/**
 * JSON without loss: integers beyond 2^53 are read as bigint and written digit by digit. Pure.
 *
 * Invariants:
 * - A text without long numbers takes the fast path and gives the result of `JSON.parse`.
 * - A large text that is nested deeply is refused before it is parsed: millions of brackets would take hundreds of
 *   megabytes, and block taps for seconds.
 *
 * Source: ECMA-262, the reviver context of `JSON.parse`, and `JSON.rawJSON`. Node 24 has both.
 */

type SourceContext = { readonly source?: string };
type RawJson = { readonly rawJSON: string };
type SourceJson = {
  readonly parse: (
    text: string,
    reviver: (key: string, value: unknown, context: SourceContext) => unknown,
  ) => unknown;
  readonly rawJSON: (text: string) => RawJson;
};

// The types of TypeScript's library lack both members.
const sourceJson = JSON as unknown as SourceJson;

const INTEGER = /^-?\d+$/;

/** An integer with this many digits may exceed a double. */
const LONG = 16;

/**
 * Whether the text has `LONG` digits in a row. Only every sixteenth character is tested first, because any such row
 * contains one of them.
 */
function mayHoldLongNumber(text: string): boolean {
  for (let at = LONG - 1; at < text.length; at += LONG) {
    if (!isDigit(text, at)) continue;
    let from = at;
    let to = at + 1;
    while (isDigit(text, from - 1)) from -= 1;
    while (isDigit(text, to)) to += 1;
    if (to - from >= LONG) return true;
  }
  return false;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** Levels a large text may have; the deepest record of the platform has fewer than ten. */
const MOST_LEVELS = 100;
/** A text up to this length is cheap to parse at any depth. */
const SMALL = 64 * 1024;

/** Whether arrays and objects are nested more deeply than in any answer. Strings are skipped. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      if (at < 0) return false;
    } else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      depth += 1;
      if (depth > MOST_LEVELS) return true;
    } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth -= 1;
  }
  return false;
}

const [QUOTE, BACKSLASH, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [34, 92, 91, 93, 123, 125];

/** The index of the end of the string that begins at `start`. Negative without an end. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = end;
    while (text.charCodeAt(escapes - 1) === BACKSLASH) escapes -= 1;
    if ((end - escapes) % 2 === 0) return end;
  }
  return -1;
}

/**
 * Parses JSON; integers that a double cannot hold exactly become bigint.
 *
 * @throws SyntaxError when the text is not JSON, or is large and nested too deeply
 */
export function parseJson(text: string): unknown {
  if (text.length > SMALL && isTooDeep(text)) throw new SyntaxError('nested too deeply');
  if (!mayHoldLongNumber(text)) return JSON.parse(text);
  return sourceJson.parse(text, (_key, value, context) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
    const source = context.source ?? '';
    return INTEGER.test(source) ? BigInt(source) : value;
  });
}

/** The JSON text of a value; bigint is written as a number. */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // The value holds a bigint. Checking every member first would take several times as long.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, (_key, member: unknown) =>
      typeof member === 'bigint' ? sourceJson.rawJSON(member.toString()) : member,
    );
  }
}

/** The value of a JSON text. Undefined when it is invalid. Never throws. */
export function parseOrUndefined(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    // The text is not JSON. The caller handles it.
    return undefined;
  }
}
