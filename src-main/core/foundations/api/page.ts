/**
 * A list answer as records: the border at which the platform's JSON becomes ours. Pure.
 *
 * Invariants: never throws; unknown fields are kept; a record we cannot use is skipped and counted, and never spoils
 * its page; a page that is no list at all is `malformed` and moves no cursor.
 */
import { parseJson } from './json.ts';

/** The largest revision a 64-bit column holds. */
const MAX_REVISION = 2n ** 63n - 1n;

/** One record of a list. `body` is the whole record as it came. */
export type WireRecord = {
  readonly id: string;
  readonly revision: bigint;
  readonly deleted: boolean;
  readonly body: Readonly<Record<string, unknown>>;
};

export type Page =
  | {
      readonly kind: 'page';
      readonly records: readonly WireRecord[];
      /** For each record its place among the entries of the list. */
      readonly places: readonly number[];
      /** How many entries the list had, unusable ones included. */
      readonly length: number;
      /** Entries without a usable id or revision. */
      readonly skipped: number;
    }
  | { readonly kind: 'malformed'; readonly reason: string };

/** Reads a list whose records are named by `idField`. */
export function readPage(text: string, idField: string): Page {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    // Not our defect and not the platform's word: docs/laws.md#law-6 makes a non-JSON answer a network fault.
    return { kind: 'malformed', reason: 'the answer is not JSON' };
  }
  if (!Array.isArray(value)) return { kind: 'malformed', reason: 'the answer is not a list' };
  const records: WireRecord[] = [];
  const places: number[] = [];
  for (const [place, entry] of value.entries()) {
    const record = readRecord(entry, idField);
    if (record === null) continue;
    records.push(record);
    places.push(place);
  }
  return { kind: 'page', records, places, length: value.length, skipped: value.length - records.length };
}

/** One record, or null when it has no usable id or revision. */
export function readRecord(entry: unknown, idField: string): WireRecord | null {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return null;
  const body = entry as Record<string, unknown>;
  const id = body[idField];
  const revision = revisionOf(body.revision);
  if (typeof id !== 'string' || id === '' || id.length > 200 || revision === null) return null;
  return { id, revision, deleted: body.deleted === true, body };
}

/** A revision as bigint, or null when it is none (negative, fractional, beyond 64 bits, not a number). */
export function revisionOf(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value >= 0n && value <= MAX_REVISION ? value : null;
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null;
  return null;
}
