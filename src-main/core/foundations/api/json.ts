/**
 * JSON without loss: integers beyond 2^53 are read as bigint and written digit by digit. Pure.
 *
 * Invariant: a text without long numbers takes the fast path and gives the result of `JSON.parse`. Source: ECMA-262
 * `JSON.parse` reviver context and `JSON.rawJSON` (Node 24 has both; older ones are refused).
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
 * Whether the text has that many digits in a row. Every sixteenth character is enough, because any such row covers
 * one.
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

/**
 * Parses JSON; integers that a double cannot hold exactly become bigint.
 *
 * @throws SyntaxError when the text is not JSON
 */
export function parseJson(text: string): unknown {
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
    // No JSON: the caller decides what that means.
    return undefined;
  }
}
