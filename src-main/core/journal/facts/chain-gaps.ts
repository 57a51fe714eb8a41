/**
 * Chain gaps: places where the hash chain starts again because the facts before them could not be read. Facts
 * recovered from a damaged journal keep their numbers and hashes. Facts recorded after the damage belong to a new
 * journal epoch. The numbers of the epoch start so high that they never collide with older numbers.
 *
 * Invariants:
 * - A gap is written before its fact or in the same transaction. It is never changed or removed.
 * - Only a gap excuses a break in the chain.
 * - The table keeps the names of its first version (`seam`, `opens_book`).
 */
import type { Database } from '../../foundations/store/database.ts';

/** `seq` is the first fact after the break. `previousHash` is the predecessor hash that this fact carries. */
export type ChainGap = {
  readonly seq: number;
  readonly previousHash: string;
  /** Name of the quarantine folder that holds the facts before the gap. */
  readonly quarantine: string;
  /** True if a new journal epoch starts here. False if the fact was recovered and its predecessor was not. */
  readonly opensEpoch: boolean;
};

/** Numbers per journal epoch: more than a device can record. */
const EPOCH = 1_000_000;

/**
 * First number of the journal epoch after one whose highest number is `highest`, with `epochs` quarantined journals
 * so far.
 */
export function firstOfNextEpoch(highest: number, epochs: number): number {
  return Math.max(Math.ceil(highest / EPOCH), epochs, 1) * EPOCH + 1;
}

/** The number before the first number of the journal epoch of `seq`. */
export function epochOf(seq: number): number {
  return Math.floor((seq - 1) / EPOCH) * EPOCH;
}

/** All gaps, ordered by `seq`. */
export function readChainGaps(database: Database): readonly ChainGap[] {
  return database
    .prepare<[], { seq: number; previous_hash: string; quarantine: string; opens_book: number }>(
      'SELECT * FROM seam ORDER BY seq',
    )
    .all()
    .map((row) => ({
      seq: row.seq,
      previousHash: row.previous_hash,
      quarantine: row.quarantine,
      opensEpoch: row.opens_book === 1,
    }));
}

/** Writes a gap. An existing gap is kept. */
export function writeChainGap(database: Database, gap: ChainGap): void {
  database
    .prepare('INSERT OR IGNORE INTO seam (seq, previous_hash, quarantine, opens_book) VALUES (?, ?, ?, ?)')
    .run(gap.seq, gap.previousHash, gap.quarantine, gap.opensEpoch ? 1 : 0);
}
