/**
 * Messages between the reader process and the supervisor. JSON only, so that any channel can carry them.
 *
 * Invariants:
 * - Every received field is validated. A message with an invalid field is dropped; of `start`, only an invalid status.
 * - Bytes are sent as hex.
 * - `insertion` numbers the insertions of one reader within one process. `counter` is the reader's own count.
 */
import type { CardIdentity, NdefReading, NfcCard } from '../../core/foundations/badge/nfc-card.ts';
import type { ReaderFeedback, UnreadReason } from '../../core/foundations/ports.ts';

/** The status of a reader at the end of a process. The next process compares with it. */
export type KnownStatus = { readonly reader: string; readonly present: boolean; readonly counter: number };

/** Supervisor to reader process. The process does nothing before `start`. */
export type ToReader =
  | { readonly kind: 'start'; readonly statuses: readonly KnownStatus[] }
  | { readonly kind: 'feedback'; readonly reader: string; readonly what: ReaderFeedback };

/** A state of the card service, and the reason when it cannot be used. */
type ServiceReport =
  | { readonly state: 'up' | 'absent' | 'silent' }
  | { readonly state: 'failing'; readonly why: string };

type OfInsertion = { readonly reader: string; readonly insertion: number };

/** Reader process to supervisor. */
export type FromReader =
  | { readonly kind: 'heartbeat' }
  | ({ readonly kind: 'service' } & ServiceReport)
  | { readonly kind: 'attached'; readonly reader: string }
  | { readonly kind: 'detached'; readonly reader: string }
  /** The reader is empty at its first status. */
  | { readonly kind: 'empty'; readonly reader: string; readonly counter: number }
  | ({ readonly kind: 'inserted'; readonly counter: number } & OfInsertion)
  /** The card's first answer. Its outcome follows and is a `card`. */
  | ({ readonly kind: 'uid' } & CardIdentity & OfInsertion)
  | ({ readonly kind: 'card'; readonly card: NfcCard } & OfInsertion)
  | ({ readonly kind: 'unread'; readonly reason: UnreadReason } & OfInsertion)
  | ({ readonly kind: 'removed'; readonly counter: number } & OfInsertion)
  /** `count` insertions came and went undetected. `counter` is the count after them. */
  | { readonly kind: 'missed'; readonly reader: string; readonly count: number; readonly counter: number }
  /** The process exits now, so that a new one can start. */
  | { readonly kind: 'exiting'; readonly why: string }
  /** The polling interval of the reader when it was attached, and at present. */
  | {
      readonly kind: 'polling';
      readonly reader: string;
      readonly foundMs: number;
      readonly everyMs: number;
    }
  | { readonly kind: 'warning'; readonly what: string; readonly why: string };

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 512;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isHex(value: unknown, maxDigits: number): value is string {
  return typeof value === 'string' && value.length <= maxDigits && /^(?:[0-9A-F]{2})*$/.test(value);
}

const unreadReasons: readonly UnreadReason[] = ['pulled', 'missed', 'mute', 'busy'];

/** A message in its wire form: bytes become hex. */
export function toWire(message: FromReader | ToReader): unknown {
  return message.kind === 'card' && message.card.ndef.state === 'read'
    ? {
        ...message,
        card: {
          ...message.card,
          ndef: { state: 'read', bytes: Buffer.from(message.card.ndef.bytes).toString('hex').toUpperCase() },
        },
      }
    : message;
}

/** Validates a message of the supervisor. Null when it is invalid. */
export function parseToReader(value: unknown): ToReader | null {
  if (!isFields(value)) return null;
  if (value.kind === 'feedback' && isShort(value.reader)) {
    return value.what === 'captured' || value.what === 'refused'
      ? { kind: 'feedback', reader: value.reader, what: value.what }
      : null;
  }
  if (value.kind !== 'start' || !Array.isArray(value.statuses)) return null;
  const statuses = value.statuses.filter(
    (status: unknown): status is KnownStatus =>
      isFields(status) &&
      isShort(status.reader) &&
      typeof status.present === 'boolean' &&
      isCount(status.counter),
  );
  return { kind: 'start', statuses };
}

/** Validates a message of the reader process. Null when it is invalid. */
export function parseFromReader(value: unknown): FromReader | null {
  if (!isFields(value)) return null;
  switch (value.kind) {
    case 'heartbeat':
      return { kind: 'heartbeat' };
    case 'service':
      return parseService(value);
    case 'exiting':
      return isShort(value.why) ? { kind: 'exiting', why: value.why } : null;
    case 'warning':
      return isShort(value.what) && isShort(value.why)
        ? { kind: 'warning', what: value.what, why: value.why }
        : null;
    default:
      return isShort(value.reader) ? parseReaderMessage(value, value.reader) : null;
  }
}

const plainStates = ['up', 'absent', 'silent'] as const;

function parseService(value: Fields): FromReader | null {
  const state = plainStates.find((known) => known === value.state);
  if (state !== undefined) return { kind: 'service', state };
  return value.state === 'failing' && isShort(value.why)
    ? { kind: 'service', state: 'failing', why: value.why }
    : null;
}

function parseReaderMessage(value: Fields, reader: string): FromReader | null {
  const { kind, insertion, counter } = value;
  if (kind === 'attached' || kind === 'detached') return { kind, reader };
  if (kind === 'empty') return isCount(counter) ? { kind, reader, counter } : null;
  if (kind === 'missed') {
    return isCount(value.count) && isCount(counter) ? { kind, reader, count: value.count, counter } : null;
  }
  if (kind === 'polling') {
    const { foundMs, everyMs } = value;
    return isCount(foundMs) && isCount(everyMs) ? { kind, reader, foundMs, everyMs } : null;
  }
  if (!isCount(insertion)) return null;
  if (kind === 'inserted' || kind === 'removed') {
    return isCount(counter) ? { kind, reader, insertion, counter } : null;
  }
  if (kind === 'unread') {
    const reason = unreadReasons.find((known) => known === value.reason);
    return reason === undefined ? null : { kind, reader, insertion, reason };
  }
  if (kind === 'uid') {
    const identity = parseIdentity(value);
    return identity === null ? null : { kind, reader, insertion, ...identity };
  }
  const card = kind === 'card' ? parseCard(value.card) : null;
  return card === null ? null : { kind: 'card', reader, insertion, card };
}

function parseIdentity({ uid, atr }: Fields): CardIdentity | null {
  return isHex(uid, 32) && isHex(atr, 72) ? { uid, atr } : null;
}

function parseCard(value: unknown): NfcCard | null {
  if (!isFields(value)) return null;
  const [identity, ndef] = [parseIdentity(value), parseNdef(value.ndef)];
  return identity === null || ndef === null ? null : { ...identity, ndef };
}

function parseNdef(value: unknown): NdefReading | null {
  if (!isFields(value)) return null;
  if (value.state === 'none' || value.state === 'timeout') return { state: value.state };
  if (value.state === 'failed')
    return isShort(value.reason) ? { state: 'failed', reason: value.reason } : null;
  if (value.state !== 'read' || !isHex(value.bytes, 4096)) return null;
  return { state: 'read', bytes: new Uint8Array(Buffer.from(value.bytes, 'hex')) };
}
