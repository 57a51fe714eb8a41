/** JSON without loss of digits: an integer that `number` cannot hold exactly is a `bigint` in this process. */

type Reviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown;
const parseWithSource = JSON.parse as (text: string, reviver: Reviver) => unknown;
const rawJson = (JSON as unknown as { readonly rawJSON: (text: string) => object }).rawJSON;

/** Parses a JSON text; `visit` receives every key with its value, and may throw. @throws SyntaxError if it is not JSON */
export function readJson(text: string, visit?: (key: string, value: unknown) => void): unknown {
  return parseWithSource(text, (key, value, { source = '' }) => {
    visit?.(key, value);
    return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
      ? BigInt(source)
      : value;
  });
}

/** Writes `value` as a JSON text; every `bigint` has all its digits. */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // It contains a `bigint`, which only the slower way below writes.
  }
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'bigint' ? rawJson(part.toString()) : part,
  );
}
