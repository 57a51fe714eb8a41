/** Text that was read in a picture. */

/** One line. `sure`: 0 to 1. `height` of its letters in pixels. */
export type ReadLine = { readonly text: string; readonly sure: number; readonly height: number };

/** Languages whose data the app has. `eng` reads all Latin letters without their diacritics. */
export type TextLanguage = 'eng' | 'ara' | 'jpn' | 'chi_sim';

/**
 * Reads the lines of a picture, from top to bottom, in this language (ISO 639-2, script). `unavailable`: this device has no text
 * recognition. Never rejects.
 */
export type ReadText = (
  picture: Uint8Array,
  language: TextLanguage,
) => Promise<readonly ReadLine[] | 'unavailable'>;
