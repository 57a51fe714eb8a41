/**
 * A contactless card as a reader gives it, before anybody judges whether it is a badge.
 *
 * Invariant: UID and ATR are upper-case hex without separators.
 */

/** How the NDEF part of a card came out. `bytes` is the NDEF message, not the tag's memory. */
export type NdefReading =
  | { readonly state: 'read'; readonly bytes: Uint8Array }
  | { readonly state: 'none' }
  | { readonly state: 'timeout' }
  | { readonly state: 'failed'; readonly reason: string };

/** What a card reports with its first answer. */
export type CardIdentity = { readonly uid: string; readonly atr: string };

/** What was read of a card before it left. */
export type NfcCard = CardIdentity & { readonly ndef: NdefReading };
