/**
 * Chinese characters for what was typed in pinyin, syllable by syllable. Pure.
 *
 * Invariant: characters come in the order of how common they are; what was typed beyond a syllable is kept for the next one.
 */
/// <reference path="./pinyin-dictionary.d.ts" />
import { dict } from 'pinyin-match/src/simplified_dict.js';

export type Candidates = {
  readonly characters: readonly string[];
  /** What is left of the letters once one of the characters is taken. */
  readonly rest: string;
};

/** The dictionary begins yi with 祎, which is rare, and has 一 after it. */
const charactersOf: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...dict, yi: `一${dict.yi?.replace('一', '') ?? ''}` }),
);
const syllables = [...charactersOf.keys()].toSorted();

/** Of each syllable that only begins so, this many characters are offered. */
const fewOfEach = 6;

/** The characters `letters` (a to z, ü as v) may begin with; none where nothing begins so. */
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
