/** Words in a filter of leads, for both sides of the contract, without the schemas' library. */

/** In `met`: nobody was signed in at the visit. */
export const NOBODY = '-';

/** Separates question and option in `answer`. */
export const ANSWER_SEPARATOR = '\t';
