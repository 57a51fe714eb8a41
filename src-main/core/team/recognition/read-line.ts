/** Text that was read in a picture. */

/** One line. `sure`: 0 to 1. `height` of its letters in pixels. */
export type ReadLine = { readonly text: string; readonly sure: number; readonly height: number };

/** Scripts that the app can read. `han`: Chinese, `kana`: Japanese with its Chinese characters. */
export type TextScript = 'latin' | 'arabic' | 'kana' | 'han';

/**
 * Reads the lines of a picture, from top to bottom, in this script. `unavailable`: this device has no text
 * recognition. Never rejects.
 */
export type ReadText = (
  picture: Uint8Array,
  script: TextScript,
) => Promise<readonly ReadLine[] | 'unavailable'>;
