/**
 * Prepares the mirror's records for writing, without the database. Pure.
 *
 * Invariants:
 * - A record is stored as the bytes that were received, except a deleted visitor.
 * - A deleted visitor leaves no data and no badge.
 */

import { byteRangesOf } from '../../foundations/api/byte-ranges.ts';
import type { WireRecord } from '../../foundations/api/page.ts';
import { badgeCodes } from './badge-codes.ts';
import type { ResourceName } from './resources.ts';

/** One record, ready to be written. */
export type MirrorRow = {
  readonly record: WireRecord;
  /** The record as JSON in UTF-8. */
  readonly json: Uint8Array;
  /** The badges of a living visitor. The visitor's id is not among them, because it is the key of the record. */
  readonly codes: readonly string[];
};

const NO_DATA = Buffer.from('{}');

/** The rows of a list received as `bytes`. `places`: the index of each record in the list. */
export function rowsOf(
  resource: ResourceName,
  bytes: Uint8Array,
  { records, places }: { readonly records: readonly WireRecord[]; readonly places: readonly number[] },
): readonly MirrorRow[] {
  const ranges = byteRangesOf(bytes);
  return records.map((record, row) => {
    const { id, deleted, body } = record;
    if (resource === 'visitors' && deleted) return { record, json: NO_DATA, codes: [] };
    const place = 2 * (places[row] ?? 0);
    const json = bytes.subarray(ranges[place], ranges[place + 1]);
    return {
      record,
      json,
      codes: resource === 'visitors' ? badgeCodes(body).filter((code) => code !== id) : [],
    };
  });
}
