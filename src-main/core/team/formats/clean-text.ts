/**
 * Texts of people made fit for a file: what no format can carry is taken out or replaced. Pure.
 *
 * Invariants: line breaks, quotes and emoji stay; never cuts through a character; never throws.
 */

/** More characters (UTF-16 units) a cell of Excel does not take. */
export const MOST_IN_A_CELL = 32_767;

// Control characters but TAB, LF and CR; XML and most receivers refuse them. U+FFFE and U+FFFF are no characters.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/gu;

/** Without what no receiver takes: control characters go, half of a character becomes U+FFFD. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(CONTROLS, '');
}

/** As `cleanText`, and without the two marks that turn the direction of all that follows, which hide what a cell holds. */
export function cleanCell(text: string): string {
  return cleanText(text).replace(/[\u202d\u202e]/gu, '');
}

/** At most `most` UTF-16 units, whole characters; says at the end that it was cut and how long it was. */
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
