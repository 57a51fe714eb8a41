/**
 * Chain gaps: the places where the chain of facts begins anew, because what stood before could not be read any more.
 *
 * Facts that are brought back from a damaged journal keep their number and their hashes to the last bit. What is
 * recorded after the damage stands in a new epoch, whose numbers begin so far up that none can meet an old one.
 *
 * Invariants: a gap is written in the transaction of the fact it belongs to, or before it; never changed or removed;
 * nothing but a gap excuses a break; the table's
 * names (`seam`, `opens_book`) are those of its first version.
 */
import type { Database } from '../../foundations/store/database.ts';

/** `seq` is the first fact after the break, `previousHash` what it says of its predecessor. */
export type ChainGap = {
  readonly seq: number;
  readonly previousHash: string;
  /** Name of the quarantine folder that holds what stood before. */
  readonly quarantine: string;
  /** A new epoch begins here; otherwise the fact was brought back and its predecessor was not. */
  readonly opensEpoch: boolean;
};

/** Numbers per epoch; no kiosk records as many facts in one. */
const EPOCH = 1_000_000;

/** First number of the epoch after one that reached `highest`, when `epochs` journals were put aside before. */
export function firstOfNextEpoch(highest: number, epochs: number): number {
  return Math.max(Math.ceil(highest / EPOCH), epochs, 1) * EPOCH + 1;
}

/** The number before the first of the epoch that `seq` stands in. */
export function epochOf(seq: number): number {
  return Math.floor((seq - 1) / EPOCH) * EPOCH;
}

/** All gaps in order. */
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

/** Writes a gap; one that is there already stays. */
export function writeChainGap(database: Database, gap: ChainGap): void {
  database
    .prepare('INSERT OR IGNORE INTO seam (seq, previous_hash, quarantine, opens_book) VALUES (?, ?, ?, ?)')
    .run(gap.seq, gap.previousHash, gap.quarantine, gap.opensEpoch ? 1 : 0);
}
