/**
 * Exchanges with a card: a generator yields a command and is given the response. Pure; never throws, whatever a card
 * answers; strictly one command after the other.
 *
 * Invariants: every exchange ends, because each command moves forward inside a stated size; no command asks past the
 * size that the card's capability container names, which wedges some readers.
 */
import type { NdefReading } from '../../core/foundations/badge/nfc-card.ts';
import type { CardResponse } from './apdu.ts';

/** An exchange: yields commands, receives raw responses, ends with `T`. */
export type Exchange<T> = Generator<Uint8Array, T, Uint8Array>;

/**
 * How much a card is asked for at once.
 *
 * - `small`: what every card and every reader answers.
 * - `bulk`: as much as the card can say; not every reader carries it.
 * - `through`: the same by the tag's own command, handed through by readers that know how (`apdu.ts`).
 */
export type ReadManner = 'small' | 'bulk' | 'through';

/** A message; `bulk`: reading in bulk was refused, or made the card fall silent (`lost`). */
export type MessageReading = {
  readonly ndef: NdefReading;
  readonly bulk: 'fine' | 'refused' | 'lost';
};

/** Without a message, because of `reason`. */
export function failed(reason: string): NdefReading {
  return { state: 'failed', reason };
}

/** A card without the application, file or command has no NDEF message; everything else is a failure. */
export function ndefRefused(response: Extract<CardResponse, { kind: 'refused' }>): NdefReading {
  return response.why === 'missing' || response.why === 'unsupported'
    ? { state: 'none' }
    : failed(response.why);
}
