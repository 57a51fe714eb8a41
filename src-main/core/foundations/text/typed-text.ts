/**
 * Cleans text that people or scanners enter for a lead, so that it can be stored and sent. Pure.
 *
 * Invariant: the result is well-formed Unicode without control characters, except line ends and tabs in a note.
 */

/** One line: a name, an address, a label; null when nothing is left. */
export function cleanLine(text: string): string | null {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  return line === '' ? null : line;
}

/** A note with its lines; null when nothing is left. */
export function cleanNote(text: string): string | null {
  const note = text
    .toWellFormed()
    .replace(/\r\n?|\u2028|\u2029/gu, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trimEnd();
  return note.trim() === '' ? null : note;
}
