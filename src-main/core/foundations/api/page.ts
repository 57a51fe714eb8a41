/**
 * Converts a list answer to records: the boundary between the platform's JSON and ours. Pure.
 *
 * Invariants:
 * - Never throws.
 * - Unknown fields stay.
 * - An unusable record is skipped and counted. It does not invalidate its page.
 * - A page that is not a list is `malformed` and does not move the cursor.
 */
import { parseJson } from './json.ts';

/** The largest revision whose successor still fits a 64-bit column. */
const MAX_REVISION = 2n ** 63n - 2n;

/** One record of a list. `body` is the complete record as received. */
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
      /** The index of each record among the entries of the list. */
      readonly places: readonly number[];
      /** Number of entries of the list, including unusable ones. */
      readonly length: number;
      /** Entries without a usable id or revision. */
      readonly skipped: number;
    }
  | { readonly kind: 'malformed'; readonly reason: string };

/** Reads a list whose records have their id in `idField`. */
export function readPage(text: string, idField: string): Page {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    // It is not an answer of the platform: docs/laws.md#law-6 makes a non-JSON answer a network fault.
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

/** A revision as bigint. Null when it is invalid (negative, fractional, beyond 64 bits, not a number). */
export function revisionOf(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value >= 0n && value <= MAX_REVISION ? value : null;
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null;
  return null;
}
