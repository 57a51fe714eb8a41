/** Limits of photos and voice notes, for the device and its pages. */

/** The longest voice note in milliseconds. */
export const LONGEST_VOICE_MS = 120_000;
/** The largest file of a voice note: far above two minutes of Opus. */
export const LARGEST_VOICE_BYTES = 1_200_000;
/** The largest picture file that a page may upload. */
export const LARGEST_PHOTO_BYTES = 40_000_000;
