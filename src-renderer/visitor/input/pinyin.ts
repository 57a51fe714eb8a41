/**
 * Chinese characters for typed pinyin, syllable by syllable. Pure.
 *
 * Invariant: characters are sorted by frequency. Letters beyond a syllable are kept for the next one.
 */
/// <reference path="./pinyin-dictionary.d.ts" />
import { dict } from 'pinyin-match/src/simplified_dict.js';

export type Candidates = {
  readonly characters: readonly string[];
  /** The letters that are left after a character is chosen. */
  readonly rest: string;
};

/** For yi the dictionary lists the rare 祎 first. This puts 一 before it. */
const charactersOf: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...dict, yi: `一${dict.yi?.replace('一', '') ?? ''}` }),
);
const syllables = [...charactersOf.keys()].toSorted();

/** Number of candidates for each syllable that only starts with the typed letters. */
const fewOfEach = 6;

/** Candidate characters for `letters` (a to z, ü as v); empty if nothing starts with them. */
export function candidatesFor(letters: string): Candidates {
  for (let length = letters.length; length > 0; length -= 1) {
    const characters = charactersOf.get(letters.slice(0, length));
    if (characters) return { characters: [...characters], rest: letters.slice(length) };
  }
  const begun = letters === '' ? [] : syllables.filter((syllable) => syllable.startsWith(letters));
  return {
    characters: begun.flatMap((syllable) => [...(charactersOf.get(syllable) ?? '')].slice(0, fewOfEach)),
    rest: '',
  };
}
