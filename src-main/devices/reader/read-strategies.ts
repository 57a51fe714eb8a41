/**
 * The read strategy of one reader: tries bulk reads, and disables those that fail.
 *
 * Invariants:
 * - The strategy is stored per tag type while the reader is attached.
 * - A disabled strategy is not tried again.
 */
import { knowsHandThrough } from '../card/apdu.ts';
import type { ReadStrategy } from '../card/exchange.ts';
import type { TagType } from '../card/read-card.ts';

export type ReadStrategies = {
  /** The strategy for this type of tag. */
  readonly of: (tag: TagType) => ReadStrategy;
  /** Call it after a bulk read of such a tag was refused, or after the tag stopped answering. */
  readonly giveUp: (tag: TagType) => void;
};

/** The initial strategies of a reader with this name. */
export function createReadStrategies(reader: string): ReadStrategies {
  const givenUp = new Set<TagType>();
  return {
    of: (tag) => {
      if (givenUp.has(tag)) return 'small';
      return tag === 'type2' && knowsHandThrough(reader) ? 'through' : 'bulk';
    },
    giveUp: (tag) => void givenUp.add(tag),
  };
}
