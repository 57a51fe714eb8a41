/**
 * Seams: the places where the chain of facts begins anew, because what stood before could not be read any more.
 *
 * Facts that are brought back from a damaged journal keep their number and their hashes to the last bit. What is
 * recorded after the damage stands in a new book, whose numbers begin so far up that none can meet an old one.
 *
 * Invariants: a seam is written in the transaction of the fact it belongs to, or before it; never changed or removed;
 * nothing but a seam excuses a break.
 */
import type { Database } from '../store/database.ts';

/** `seq` is the first fact after the break, `previousHash` what it says of its predecessor. */
export type ChainGap = {
  readonly seq: number;
  readonly previousHash: string;
  /** Name of the quarantine folder that holds what stood before. */
  readonly quarantine: string;
  /** A new book begins here; otherwise the fact was brought back and its predecessor was not. */
  readonly opensEpoch: boolean;
};

/** Numbers per book; no kiosk records as many facts in one. */
const BOOK = 1_000_000;

/** First number of the book after one that reached `highest`, when `books` were put aside before. */
export function firstOfNextEpoch(highest: number, books: number): number {
  return Math.max(Math.ceil(highest / BOOK), books, 1) * BOOK + 1;
}

/** The number before the first of the book that `seq` stands in. */
export function epochOf(seq: number): number {
  return Math.floor((seq - 1) / BOOK) * BOOK;
}

/** All seams in order. */
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

/** Writes a seam; one that is there already stays. */
export function writeChainGap(database: Database, seam: ChainGap): void {
  database
    .prepare('INSERT OR IGNORE INTO seam (seq, previous_hash, quarantine, opens_book) VALUES (?, ?, ?, ?)')
    .run(seam.seq, seam.previousHash, seam.quarantine, seam.opensEpoch ? 1 : 0);
}
