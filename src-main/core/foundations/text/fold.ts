/**
 * Folds text for search, and detects the scripts that need another search. Pure.
 *
 * Invariant: a text and its spelling without diacritics fold to the same result (NFKD, marks removed, lower case).
 */

const EAST_ASIAN = /\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{sc=Bopomofo}|\p{sc=Hangul}/u;

/** Whether a text contains Chinese, Japanese or Korean characters. Names in them have no spaces. */
export function isEastAsian(text: string): boolean {
  return EAST_ASIAN.test(text);
}

/** Folded text with katakana as hiragana, so that the two match. */
export function hiraganaOf(text: string): string {
  return text.replace(/[ァ-ヶ]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x60));
}

/** Lower-case text without diacritics, the form in which a search compares. */
export function foldForSearch(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
