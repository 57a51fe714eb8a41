/**
 * Text folded for search. Pure.
 *
 * Invariant: a text and its spelling without diacritics fold to the same result (NFKD, marks removed, lower case).
 */

/** Lower-case text without diacritics that a search is matched against. */
export const foldForSearch = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
