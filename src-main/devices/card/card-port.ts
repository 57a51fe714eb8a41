/**
 * A card as the reading code needs it, and what the errors of PC/SC mean for reading.
 *
 * Invariant: every error a card port rejects with is classified by its PC/SC code; a message without a code is
 * `other`, never ignored.
 */

/** One reader's connection to the card on it. All calls may reject; none throws at once. */
export type CardPort = {
  /** Connects, sharing the card with other programs. */
  readonly connect: () => Promise<void>;
  readonly transmit: (command: Uint8Array) => Promise<Uint8Array>;
  /** Ends the connection; `reset` powers the card's field anew, which ends a 63 00 state. Never rejects. */
  readonly disconnect: (how: 'leave' | 'reset') => Promise<void>;
  /** A command to the reader itself, card or not. Drivers may refuse it. */
  readonly control: (command: Uint8Array) => Promise<void>;
};

/** What a PC/SC error means for reading a card. */
export type CardFault = 'gone' | 'mute' | 'shared' | 'denied' | 'service' | 'other';

/** pcsc-lite pcsclite.h.in and Windows winerror.h; the codes agree. */
const faultByCode: ReadonlyMap<string, CardFault> = new Map([
  ['8010000c', 'gone'], // SCARD_E_NO_SMARTCARD
  ['80100069', 'gone'], // SCARD_W_REMOVED_CARD
  ['80100009', 'gone'], // SCARD_E_UNKNOWN_READER
  ['80100017', 'gone'], // SCARD_E_READER_UNAVAILABLE
  ['80100066', 'mute'], // SCARD_W_UNRESPONSIVE_CARD
  ['80100067', 'mute'], // SCARD_W_UNPOWERED_CARD
  ['8010000f', 'mute'], // SCARD_E_PROTO_MISMATCH
  ['8010000b', 'shared'], // SCARD_E_SHARING_VIOLATION
  ['8010006a', 'denied'], // SCARD_W_SECURITY_VIOLATION: polkit refuses
  ['80100013', 'service'], // SCARD_F_COMM_ERROR
  ['8010001d', 'service'], // SCARD_E_NO_SERVICE
  ['8010001e', 'service'], // SCARD_E_SERVICE_STOPPED
]);

/** Classifies an error of nfc-pcsc or of the native reader; the code stands in the innermost message. */
export function faultOf(error: unknown): CardFault {
  return faultByCode.get(/0x([0-9a-f]{8})/i.exec(messageOf(error))?.[1]?.toLowerCase() ?? '') ?? 'other';
}

/** All messages of an error and of those it wraps (`previous` is nfc-pcsc's name for a cause). */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = 'previous' in error ? error.previous : undefined;
  return inner === undefined ? error.message : `${error.message} ${messageOf(inner)}`;
}
