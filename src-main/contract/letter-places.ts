/** Placeholders in the stand's own letters, for both sides of the contract, without the schema library. */
export const LETTER_PLACES = [
  'name',
  'stand',
  'event',
  'member',
  'contents',
  'appointment',
  'signature',
] as const;
