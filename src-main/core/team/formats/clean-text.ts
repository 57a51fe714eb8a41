/**
 * Cleans texts of people for a file: removes or replaces characters that no format can hold. Pure.
 *
 * Invariants:
 * - Line breaks, quotes and emoji stay.
 * - No surrogate pair is split.
 * - Never throws.
 */

/** Maximum length of an Excel cell in UTF-16 units. */
export const MOST_IN_A_CELL = 32_767;

// Control characters except TAB, LF and CR. XML and most receivers refuse them. U+FFFE and U+FFFF are not characters.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/gu;

/** Removes control characters and replaces unpaired surrogates with U+FFFD. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(CONTROLS, '');
}

/**
 * Like `cleanText`, and removes the two marks that override the text direction, because they can disguise the content
 * of a cell.
 */
export function cleanCell(text: string): string {
  return cleanText(text).replace(/[\u202d\u202e]/gu, '');
}

/** At most `most` UTF-16 units of complete characters. A truncated text ends with a note of its original length. */
export function cutText(text: string, most: number): { readonly text: string; readonly isCut: boolean } {
  if (text.length <= most) return { text, isCut: false };
  const said = ` […] (${text.length} characters, cut here)`;
  return {
    text:
      text
        .slice(0, most - said.length)
        .toWellFormed()
        .replace(/\ufffd$/u, '') + said,
    isCut: true,
  };
}
