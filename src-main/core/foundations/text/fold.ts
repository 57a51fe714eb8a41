/**
 * Text folded for search, and the scripts that need another search. Pure.
 *
 * Invariant: a text and its spelling without diacritics fold to the same result (NFKD, marks removed, lower case).
 */

const EAST_ASIAN = /\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{sc=Bopomofo}|\p{sc=Hangul}/u;

/** Whether something in a text is written in a Chinese, Japanese or Korean script, where names go without blanks. */
export function isEastAsian(text: string): boolean {
  return EAST_ASIAN.test(text);
}

/** Text with katakana as hiragana, so that one is found by the other; for what is folded already. */
export function hiraganaOf(text: string): string {
  return text.replace(/[ァ-ヶ]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x60));
}

/** Lower-case text without diacritics that a search is matched against. */
export function foldForSearch(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
