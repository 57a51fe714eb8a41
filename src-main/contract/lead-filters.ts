/** Words in a filter of leads, for both sides of the contract, without the schema library. */

/** The value of `met` for visits without a signed-in member of staff. */
export const NOBODY = '-';

/** Separates question and option in `answer`. */
export const ANSWER_SEPARATOR = '\t';
