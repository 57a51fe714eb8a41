/**
 * The interface of a card for the reading code, and the meaning of PC/SC errors for reading.
 *
 * Invariant: every error of a card port is classified by its PC/SC name. An error without a name is `other`, never
 * ignored.
 */

/** One reader's connection to the card on it. All calls may reject. None throws synchronously. */
export type CardPort = {
  /** Connects and shares the card with other programs. Resolves with the card's answer to reset, upper-case hex. */
  readonly connect: () => Promise<string>;
  readonly transmit: (command: Uint8Array) => Promise<Uint8Array>;
  /**
   * Ends the connection. `reset` switches the card's field off and on, which ends the state in which it answers 63
   * 00. Never rejects.
   */
  readonly disconnect: (how: 'leave' | 'reset') => Promise<void>;
  /** Sends a command to the reader itself, with or without a card. Drivers may refuse it. */
  readonly control: (command: Uint8Array) => Promise<Uint8Array>;
};

/** The meaning of a PC/SC error for reading a card. */
export type CardFault = 'gone' | 'mute' | 'shared' | 'denied' | 'service' | 'other';

/** The names are those of pcsc-mini. Each is a code of PC/SC (pcsc-lite, pcsclite.h.in; Windows, winerror.h). */
const faultByName: ReadonlyMap<string, CardFault> = new Map([
  ['NoSmartCard', 'gone'],
  ['RemovedCard', 'gone'],
  ['UnknownReader', 'gone'],
  ['ReaderUnavailable', 'gone'],
  ['UnresponsiveCard', 'mute'],
  ['UnpoweredCard', 'mute'],
  ['ProtoMismatch', 'mute'],
  ['SharingViolation', 'shared'],
  ['SecurityViolation', 'denied'], // polkit refuses
  ['CommError', 'service'],
  ['NoService', 'service'],
  ['ServiceStopped', 'service'],
  ['Shutdown', 'service'],
  ['InvalidHandle', 'service'], // The handle belongs to the previous service.
]);

/** Classifies an error of nfc-pcsc or of the native reader. */
export function faultOf(error: unknown): CardFault {
  return faultByName.get(pcscNameOf(error) ?? '') ?? 'other';
}

/** The PC/SC name of an error or of the one it wraps. Null if there is none. */
function pcscNameOf(error: unknown): string | null {
  const inner = causeOf(error);
  if (inner !== undefined) return pcscNameOf(inner);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** All messages of an error and of those it wraps, with the PC/SC name. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = causeOf(error);
  if (inner !== undefined) return `${error.message} ${messageOf(inner)}`;
  const name = pcscNameOf(error);
  return name === null ? error.message : `${error.message} (${name})`;
}

/** nfc-pcsc stores a cause as `previous`. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && 'previous' in error ? (error.previous ?? undefined) : undefined;
}
