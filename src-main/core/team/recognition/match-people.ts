/**
 * Finds people of the event whose names are in the lines of a picture. Pure.
 *
 * Invariants:
 * - A person is a candidate only if most of the name is in one line, or in two consecutive ones.
 * - A page of text has no candidates, because with enough words every short name matches.
 * - The company only affects the order of candidates. It never makes a person a candidate.
 */
import { foldForSearch, hiraganaOf, isEastAsian } from '../../foundations/text/fold.ts';
import type { ReadLine } from './read-line.ts';

/** A person to compare with. */
export type KnownPerson = { readonly name: string; readonly company: string | null };

/** `score`: 0 to 1, how much of the name was read. */
export type NameMatch = { readonly score: number; readonly company: boolean };

/** More letters than on any badge or card. */
const PAGE_LETTERS = 900;
const LEAST_SCORE = 0.55;
const COMPANY_SCORE = 0.7;
/** Below this length a line is noise, or text in another script. */
const LEAST_SURE = 0.3;

/** Compares people with the lines of one picture. */
export function createNameMatcher(lines: readonly ReadLine[]): (person: KnownPerson) => NameMatch | null {
  const texts = lines
    .filter(({ sure }) => sure >= LEAST_SURE)
    .map(({ text }) => plain(text))
    .filter((text) => text !== '');
  if (texts.reduce((sum, text) => sum + text.length, 0) > PAGE_LETTERS) return () => null;
  // A name may stand in two lines: the first name large, the last name below.
  const pairs = texts.slice(1).map((text, at) => partsOfPair(texts[at] ?? '', text));
  const places = [...texts.map(partsOf), ...pairs];
  const all = new Set(places.flatMap((parts) => [...parts]));
  return ({ name, company }) => {
    const wanted = partsOf(plain(name));
    if (wanted.size === 0 || shareIn(wanted, all) < LEAST_SCORE) return null;
    const score = Math.max(0, ...places.map((place) => likeness(wanted, place)));
    if (score < LEAST_SCORE) return null;
    const firm = company === null ? new Set<string>() : partsOf(plain(company));
    return { score, company: firm.size > 0 && shareIn(firm, all) >= COMPANY_SCORE };
  };
}

/** Order of two matches: the company counts as a tenth of the name. */
export function betterMatch(one: NameMatch, other: NameMatch): number {
  return rank(other) - rank(one);
}

function rank({ score, company }: NameMatch): number {
  return score + (company ? 0.1 : 0);
}

/** Lower case without diacritics and punctuation, and without spaces where recognition inserts some. */
function plain(text: string): string {
  const folded = hiraganaOf(foldForSearch(text))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return isRun(folded) ? folded.replaceAll(' ', '') : folded;
}

/** Scripts in which recognition inserts spaces within words. */
function isRun(text: string): boolean {
  return isEastAsian(text) || /\p{sc=Arabic}/u.test(text);
}

/** Pairs of adjacent letters within words, including the edges of the words. */
function partsOf(text: string): Set<string> {
  const parts = new Set<string>();
  if (isRun(text)) {
    for (let at = 0; at + 1 < text.length; at += 1) parts.add(text.slice(at, at + 2));
    return parts;
  }
  for (const word of text.split(' ')) {
    const edged = ` ${word} `;
    for (let at = 0; at + 3 <= edged.length; at += 1) parts.add(edged.slice(at, at + 3));
  }
  return parts;
}

/** Pairs for two lines. On a badge the last name may be above or below, which gives other pairs. */
function partsOfPair(above: string, below: string): Set<string> {
  if (!isRun(above) || !isRun(below)) return partsOf(`${above} ${below}`);
  return new Set([...partsOf(above + below), ...partsOf(below + above)]);
}

/** The share of the pairs in `wanted` that are in `found`. */
function shareIn(wanted: ReadonlySet<string>, found: ReadonlySet<string>): number {
  let shared = 0;
  for (const part of wanted) if (found.has(part)) shared += 1;
  return shared / wanted.size;
}

/** The share of the name that was read, slightly reduced by further text in the line, which orders similar names. */
function likeness(wanted: ReadonlySet<string>, place: ReadonlySet<string>): number {
  const share = shareIn(wanted, place);
  return share * 0.9 + 0.1 * ((2 * share * wanted.size) / (wanted.size + place.size));
}
