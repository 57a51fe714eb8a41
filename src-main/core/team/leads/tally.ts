/**
 * Counts of the leads in the index. They are updated with each lead, so that no statistic reads all leads.
 *
 * Invariant: the counts equal those of the tables `item` and `tag` of the index.
 */
import type { Tag, TagKind } from './tags.ts';

/** Takes the place of a missing name or company. Sorts after all others. */
export const NAMELESS = '\u{10ffff}';

/** The counted columns of a lead in the index. */
export type CountedItem = {
  readonly cooler: number;
  readonly rating: number | null;
  /** The company as it is sorted, or `NAMELESS`. */
  readonly company: string;
  readonly unknown: number;
  readonly taps: number;
  readonly facts: number;
  readonly agreed: number | null;
  readonly undone: number;
  readonly visits: number;
};

/** Sums over all leads. `present`: those that are not undone. */
type Sums = {
  all: number;
  taps: number;
  facts: number;
  hot: number;
  undone: number;
  present: number;
  presentHot: number;
  presentUnknown: number;
  presentUnrated: number;
  presentAgreed: number;
  byHand: number;
  again: number;
};

/** The kinds whose values are counted: the tags of the leads, and two columns of `item`. */
export type CountedKind = TagKind | 'rating' | 'company';

type Count = { people: number; taps: number; hot: number };

/** One value of a kind of tag, with the people who have it. */
export type Counted = Readonly<Count> & { readonly value: string };

export type Tally = {
  /** Adds a lead with its tags (`sign` 1), or removes it (-1). */
  readonly count: (item: CountedItem, tags: readonly Tag[], sign: 1 | -1) => void;
  readonly sums: Readonly<Sums>;
  /** The values of a kind, in alphabetical order. */
  readonly ofKind: (kind: CountedKind) => readonly Counted[];
  /** The values of a kind, those with the most people first; at most `most`. */
  readonly byPeople: (kind: CountedKind, most?: number) => readonly Counted[];
};

/** Counts of an empty index. */
export function createTally(): Tally {
  const sums: Sums = {
    all: 0,
    taps: 0,
    facts: 0,
    hot: 0,
    undone: 0,
    present: 0,
    presentHot: 0,
    presentUnknown: 0,
    presentUnrated: 0,
    presentAgreed: 0,
    byHand: 0,
    again: 0,
  };
  const kinds = new Map<CountedKind, Map<string, Count>>();

  const countValue = (kind: CountedKind, value: string, taps: number, isHot: boolean, sign: 1 | -1): void => {
    const values = kinds.get(kind) ?? new Map<string, Count>();
    kinds.set(kind, values);
    const count = values.get(value) ?? { people: 0, taps: 0, hot: 0 };
    values.set(value, count);
    count.people += sign;
    count.taps += sign * taps;
    if (isHot) count.hot += sign;
    if (count.people === 0) values.delete(value);
  };
  const listed = (kind: CountedKind): Counted[] =>
    [...(kinds.get(kind) ?? [])].map(([value, { people, taps, hot }]) => ({ value, people, taps, hot }));

  return {
    sums,
    count: (item, tags, sign) => {
      const isHot = item.cooler === 0;
      const isPresent = item.undone === 0;
      const add = (name: keyof Sums, holds: boolean): void => {
        if (holds) sums[name] += sign;
      };
      sums.taps += sign * item.taps;
      sums.facts += sign * item.facts;
      add('all', true);
      add('hot', isHot);
      add('undone', !isPresent);
      add('present', isPresent);
      add('presentHot', isPresent && isHot);
      add('presentUnknown', isPresent && item.unknown === 1);
      add('presentUnrated', isPresent && item.rating === null);
      add('presentAgreed', isPresent && item.agreed === 1);
      add('byHand', isPresent && item.taps === 0);
      add('again', item.visits > 1);
      for (const { kind, value, taps } of tags) countValue(kind, value, taps, isHot, sign);
      if (!isPresent) return;
      if (item.rating !== null) countValue('rating', String(item.rating), 0, isHot, sign);
      if (item.company !== NAMELESS) countValue('company', item.company, 0, isHot, sign);
    },
    ofKind: (kind) => listed(kind).toSorted((one, other) => compare(one.value, other.value)),
    byPeople: (kind, most = Number.POSITIVE_INFINITY) => {
      const all = listed(kind);
      // Thousands of companies have one visitor each, so only the requested number is sorted.
      const least = all.length > most ? leastOf(all, most) : 0;
      return all
        .filter(({ people }) => people >= least)
        .toSorted((one, other) => other.people - one.people || compare(one.value, other.value))
        .slice(0, most);
    },
  };
}

/** The smallest number of people among the `most` values with the most people. */
function leastOf(all: readonly Counted[], most: number): number {
  const sizes = Int32Array.from(all, ({ people }) => people).sort();
  return sizes[sizes.length - most] ?? 0;
}

/** Compares as SQLite does: by code points up to U+FFFF. */
function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
