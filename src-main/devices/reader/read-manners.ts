/**
 * What one reader was found to carry: reading in bulk is tried, and given up for good where it does not work.
 *
 * Invariants: kept for each kind of tag by itself, and for as long as the reader is attached; what was given up is not
 * tried again.
 */
import { knowsHandThrough } from '../card/apdu.ts';
import type { ReadManner } from '../card/exchange.ts';
import type { TagType } from '../card/read-card.ts';

export type ReadManners = {
  /** How a tag of this kind is to be read. */
  readonly of: (tag: TagType) => ReadManner;
  /** Reading such a tag in bulk was refused, or made it fall silent. */
  readonly giveUp: (tag: TagType) => void;
};

/** The manners of a reader of this name, of which nothing is known yet. */
export function createReadManners(reader: string): ReadManners {
  const givenUp = new Set<TagType>();
  return {
    of: (tag) => {
      if (givenUp.has(tag)) return 'small';
      return tag === 'type2' && knowsHandThrough(reader) ? 'through' : 'bulk';
    },
    giveUp: (tag) => void givenUp.add(tag),
  };
}
