/** The request to read the text in a picture, and the result. */
import type { Candidate } from '../../../contract/recognition.ts';

/** One line. `sure`: 0 to 1. `height` of its letters in pixels. */
export type ReadLine = { readonly text: string; readonly sure: number; readonly height: number };

/** Scripts that the app can read. `han`: Chinese, `kana`: Japanese with its Chinese characters. */
export type TextScript = 'latin' | 'arabic' | 'kana' | 'han';

/** The best candidates, the scripts of the event's names, and how many visitors of the mirror have a name. */
export type PeopleMatch = {
  readonly candidates: readonly Candidate[];
  /** Scripts that are read after the Latin one. */
  readonly scripts: readonly Exclude<TextScript, 'latin'>[];
  readonly named: 'all' | 'some' | 'none';
};

/** A picture to read in one script. */
export type PictureToRead = {
  readonly source: Uint8Array;
  readonly script: TextScript;
  /** Lines that were read in another script. They are compared together with the lines of this one. */
  readonly beside: readonly ReadLine[];
  /** Path of the mirror with the people of the event. */
  readonly mirror: string;
};

/** `lines`: from top to bottom. */
export type PictureText = { readonly lines: readonly ReadLine[]; readonly match: PeopleMatch };

/**
 * Reads a picture and compares its lines with the people of the event. `unavailable`: this device has no text
 * recognition. Never rejects.
 */
export type ReadPicture = (picture: PictureToRead) => Promise<PictureText | 'unavailable'>;
