/**
 * Exchanges with a card: a generator yields a command and receives the response. Pure; never throws on any answer of a
 * card. Commands are strictly sequential.
 *
 * Invariants:
 * - Every exchange ends: the card states the size of its message first, and each command reads the next part of it.
 * - No command reads beyond the size in the card's capability container, because that blocks some readers.
 */
import type { NdefReading } from '../../core/foundations/badge/nfc-card.ts';
import type { CardResponse } from './apdu.ts';

/** An exchange: yields commands, receives raw responses, returns `T`. */
export type Exchange<T> = Generator<Uint8Array, T, Uint8Array>;

/**
 * The read strategies, by the amount of data per command.
 *
 * - `small`: what every card and every reader supports.
 * - `bulk`: the card's maximum. Not every reader supports it.
 * - `through`: the tag's own bulk command, wrapped for readers that support it (`apdu.ts`).
 */
export type ReadStrategy = 'small' | 'bulk' | 'through';

/**
 * The result of reading a message. `bulk`: whether a bulk read was refused, or whether the card stopped answering
 * after it (`lost`).
 */
export type MessageReading = {
  readonly ndef: NdefReading;
  readonly bulk: 'fine' | 'refused' | 'lost';
};

/** A failed reading with this `reason`. */
export function failed(reason: string): NdefReading {
  return { state: 'failed', reason };
}

/** A card without the application, file or command has no NDEF message. Everything else is a failure. */
export function ndefRefused(response: Extract<CardResponse, { kind: 'refused' }>): NdefReading {
  return response.why === 'missing' || response.why === 'unsupported'
    ? { state: 'none' }
    : failed(response.why);
}
