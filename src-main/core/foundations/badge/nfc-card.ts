/**
 * A contactless card as a reader reports it, before `decode.ts` decides whether it is a badge.
 *
 * Invariant: UID and ATR are upper-case hex without separators.
 */

/** The result of reading a card's NDEF part. `bytes` is the NDEF message, not the tag's memory. */
export type NdefReading =
  | { readonly state: 'read'; readonly bytes: Uint8Array }
  | { readonly state: 'none' }
  | { readonly state: 'timeout' }
  | { readonly state: 'failed'; readonly reason: string };

/** The data of a card's first answer. */
export type CardIdentity = { readonly uid: string; readonly atr: string };

/** The data read from a card before it left. */
export type NfcCard = CardIdentity & { readonly ndef: NdefReading };
