/**
 * Finds people of the event whose names are in the lines of a picture. Pure.
 *
 * Invariants:
 * - A person is a candidate only if at least 55 % of the name is in one line, or in up to three consecutive ones. If
 *   the company was also read, 45 % is enough.
 * - A page of text has no candidates, because with enough words every short name matches.
 * - Company and position also affect the order of candidates. Without a name they never make a person a candidate.
 */
import { foldForSearch, hiraganaOf } from '../../foundations/text/fold.ts';
import type { ReadLine } from './read-line.ts';

/** A person to compare with. */
export type KnownPerson = {
  readonly name: string;
  readonly company: string | null;
  readonly jobTitle: string | null;
};

/**
 * `score`: 0 to 1, how much of the name was read. `beside`: how much of company and position was read. `company`:
 * whether the company was read.
 */
export type NameMatch = { readonly score: number; readonly beside: number; readonly company: boolean };

/** More letters than on any badge or card. */
const PAGE_LETTERS = 900;
const LEAST_SCORE = 0.55;
const LEAST_WITH_COMPANY = 0.45;
const COMPANY_SCORE = 0.7;
/** Weights of company and position in `beside`. */
const WEIGHT = { company: 0.4, jobTitle: 0.1 } as const;

/** Letters of scripts without spaces in names. */
const EAST_ASIAN = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}\p{sc=Hangul}]/gu;
const ARABIC = /\p{sc=Arabic}/gu;
/** Arabic letters that differ only in dots, which recognition confuses. An upright stroke is a misread alef. */
const SAME_SHAPE = ['ا|', 'بتثني\u0649', 'جحخ', 'دذ', 'رز', 'سش', 'صض', 'طظ', 'عغ', 'فق', 'هة'] as const;
/**
 * Cyrillic letters, and the Latin ones that recognition reads there: the app has no data of a language with
 * Cyrillic letters.
 */
const CYRILLIC = 'абвгґдеєжзиіклмнопрстуфхцчшщьыъэюя46';
const READ_AS = 'abbrrgeex3niknmhonpctyoxuywwbbb3iayb';
const SHAPES: ReadonlyMap<string, string> = new Map([
  ...SAME_SHAPE.flatMap((letters) => [...letters].map((letter) => [letter, letters[0] ?? letter] as const)),
  ...[...CYRILLIC].map((letter, at) => [letter, READ_AS[at] ?? letter] as const),
]);
const shapeOf = (text: string): string => Array.from(text, (letter) => SHAPES.get(letter) ?? letter).join('');
const CYRILLIC_OR_DIGIT = /[\u0400-\u04ff46]/u;
const ASCII = /^[ -~]*$/;
const BEYOND_LATIN = /[\u0590-\uffff]|[\u{10000}-\u{10ffff}]/u;

/** Names prepared for the comparison with several pictures. They are numbered from 0 in the order of `add`. */
export type NameIndex = {
  readonly add: (name: string) => void;
  /** The numbers of the names that can match the lines. */
  readonly likely: (lines: readonly ReadLine[]) => readonly number[];
};

/**
 * Parts of a text. `marks`: its short runs of letters (`partsOf`). `order`: runs that also show the order of letters; for
 * most scripts the same set as `marks`.
 */
type Parts = { readonly marks: ReadonlySet<string>; readonly order: ReadonlySet<string> };

/** An empty index. It stores a number for each mark, so the marks of 100,000 names take a few megabytes. */
export function createNameIndex(): NameIndex {
  const numbers = new Map<string, number>();
  /** The numbers of the marks of all names, one name after the other. */
  let marks = new Uint32Array(1_024);
  /** For each name, where its marks end. */
  const ends: number[] = [];
  let filled = 0;
  return {
    add: (name) => {
      for (const mark of partsOf(plain(name)).marks) {
        const number = numbers.get(mark) ?? numbers.size;
        numbers.set(mark, number);
        if (filled === marks.length) marks = new Uint32Array(marks.buffer.transfer(2 * marks.byteLength));
        marks[filled] = number;
        filled += 1;
      }
      ends.push(filled);
    },
    likely: (lines) => {
      const isRead = new Uint8Array(numbers.size);
      for (const mark of marksOf(placesIn(lines))) {
        const number = numbers.get(mark);
        if (number !== undefined) isRead[number] = 1;
      }
      const likely: number[] = [];
      let start = 0;
      for (const [at, end] of ends.entries()) {
        let shared = 0;
        for (let mark = start; mark < end; mark += 1) shared += isRead[marks[mark] ?? 0] ?? 0;
        if (end > start && shared / (end - start) >= LEAST_WITH_COMPANY) likely.push(at);
        start = end;
      }
      return likely;
    },
  };
}

/** Compares people with the lines of one picture. */
export function createNameMatcher(lines: readonly ReadLine[]): (person: KnownPerson) => NameMatch | null {
  const places = placesIn(lines);
  const all = marksOf(places);
  // Many people share a name, a company or a position.
  const scoreOf = once((name) => {
    const wanted = partsOf(plain(name));
    if (wanted.marks.size === 0 || shareIn(wanted.marks, all) < LEAST_WITH_COMPANY) return 0;
    return Math.max(0, ...places.map((place) => likeness(wanted, place)));
  });
  const shareRead = once((text) => {
    const { marks } = partsOf(plain(text));
    return marks.size === 0 ? 0 : Math.max(0, ...places.map((place) => shareIn(marks, place.marks)));
  });
  return ({ name, company, jobTitle }) => {
    const score = scoreOf(name);
    if (score < LEAST_WITH_COMPANY) return null;
    const firm = shareRead(company ?? '');
    if (score < LEAST_SCORE && firm < COMPANY_SCORE) return null;
    // Other companies have the same legal form, or half the same name.
    const beside = WEIGHT.company * firm ** 3 + WEIGHT.jobTitle * shareRead(jobTitle ?? '') ** 3;
    return { score, beside, company: firm >= COMPANY_SCORE };
  };
}

/**
 * Where a name may stand: in one line or several, because the first name is large, the last name is above or below,
 * or a long name is broken. None on a page of text.
 */
function placesIn(lines: readonly ReadLine[]): readonly Parts[] {
  // Includes doubtful lines: one misread letter is enough for a doubt.
  const texts = textsOf(lines);
  if (isPage(texts)) return [];
  return texts
    .flatMap((text, at) => {
      const [next, third] = texts.slice(at + 1, at + 3);
      if (next === undefined) return [text];
      return [
        text,
        `${text} ${next}`,
        `${next} ${text}`,
        ...(third === undefined ? [] : [`${text} ${next} ${third}`]),
      ];
    })
    .map(partsOf);
}

function marksOf(places: readonly Parts[]): ReadonlySet<string> {
  return new Set(places.flatMap(({ marks }) => [...marks]));
}

/** Computes the value of each text only once. */
function once(compute: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    const value = known.get(text) ?? compute(text);
    known.set(text, value);
    return value;
  };
}

/** Whether the lines are a page of text, which has no candidates. */
export function isPageOfText(lines: readonly ReadLine[]): boolean {
  return isPage(textsOf(lines));
}

/** Compares two matches for sorting, the better one first. */
export function betterMatch(one: NameMatch, other: NameMatch): number {
  return other.score + other.beside - one.score - one.beside;
}

function isPage(texts: readonly string[]): boolean {
  return texts.reduce((sum, text) => sum + text.length, 0) > PAGE_LETTERS;
}

function textsOf(lines: readonly ReadLine[]): readonly string[] {
  return lines.map(({ text }) => plain(text)).filter((text) => text !== '');
}

/** Lower case without diacritics and punctuation. */
function plain(text: string): string {
  if (ASCII.test(text))
    return text
      .toLowerCase()
      .replace(/[^a-z0-9|]+/g, ' ')
      .trim();
  return hiraganaOf(foldForSearch(text))
    .replace(/[^\p{L}\p{N}|]+|\u0640+/gu, ' ')
    .trim();
}

/**
 * Runs of three letters within words, with the edges of the words. For Arabic: runs of two letters over all words.
 * For East Asian scripts: each letter, and runs of two letters that show the order.
 */
function partsOf(text: string): Parts {
  const marks = new Set<string>();
  if (!BEYOND_LATIN.test(text)) {
    addWords(marks, text);
    return { marks, order: marks };
  }
  const order = new Set<string>();
  const letters = text.match(EAST_ASIAN) ?? [];
  for (const [at, letter] of letters.entries()) {
    addAgain(marks, letter);
    order.add(`${letter}${letters[at + 1] ?? ''}`);
  }
  if (text.match(ARABIC) !== null) {
    const shapes = shapeOf((text.match(/[\p{sc=Arabic}|]/gu) ?? []).join(''));
    for (let at = 0; at + 1 < shapes.length; at += 1) addAgain(marks, shapes.slice(at, at + 2));
  }
  addWords(marks, text.replace(EAST_ASIAN, ' ').replace(ARABIC, ' '));
  for (const mark of marks) order.add(mark);
  return { marks, order };
}

function addWords(marks: Set<string>, text: string): void {
  for (const word of text.split(/[ |]+/u)) {
    if (word === '') continue;
    const edged = ` ${CYRILLIC_OR_DIGIT.test(word) ? shapeOf(word) : word} `;
    for (let at = 0; at + 3 <= edged.length; at += 1) addAgain(marks, edged.slice(at, at + 3));
  }
}

/** Adds each occurrence of a mark separately. Otherwise a name that repeats its letters would match too easily. */
function addAgain(marks: Set<string>, mark: string): void {
  let next = mark;
  while (marks.has(next)) next += '+';
  marks.add(next);
}

/** Share of `wanted` that is in `found`. */
function shareIn(wanted: ReadonlySet<string>, found: ReadonlySet<string>): number {
  let shared = 0;
  for (const part of wanted) if (found.has(part)) shared += 1;
  return shared / wanted.size;
}

/** The share of the name that was read. Another order and further text reduce it slightly, to rank similar names. */
function likeness(wanted: Parts, place: Parts): number {
  const order = shareIn(wanted.order, place.order);
  const dice = (2 * order * wanted.order.size) / (wanted.order.size + place.order.size);
  return shareIn(wanted.marks, place.marks) * 0.9 + 0.1 * dice;
}
