/**
 * What the reader process and the supervisor say to each other. JSON only, so that any channel carries it.
 *
 * Invariants: everything that comes in is checked field by field; what does not fit is not a message. Bytes travel
 * as hex. `visit` numbers the insertions of one reader within one process, `counter` is the reader's own count.
 */
import type { CardReading, NdefReading, ReaderFeedback, UnreadReason } from '../../core/ports.ts';

/** What a reader looked like when a process ended, for the next one to compare with. */
export type KnownLook = { readonly reader: string; readonly present: boolean; readonly counter: number };

/** Supervisor to reader process. Nothing is touched before `start`. */
export type ToReader =
  | { readonly kind: 'start'; readonly looks: readonly KnownLook[] }
  | { readonly kind: 'feedback'; readonly reader: string; readonly what: ReaderFeedback };

/** A state of the card service that the process knows of, and the reason when it fails. */
type ServiceWord = { readonly state: 'up' | 'absent' } | { readonly state: 'failing'; readonly why: string };

type Visit = { readonly reader: string; readonly visit: number };

/** Reader process to supervisor. */
export type FromReader =
  | { readonly kind: 'alive' }
  | ({ readonly kind: 'service' } & ServiceWord)
  | { readonly kind: 'attached'; readonly reader: string }
  | { readonly kind: 'detached'; readonly reader: string }
  /** The reader is empty at the first look at it. */
  | { readonly kind: 'empty'; readonly reader: string; readonly counter: number }
  | ({ readonly kind: 'inserted'; readonly counter: number } & Visit)
  | ({ readonly kind: 'card'; readonly card: CardReading } & Visit)
  | ({ readonly kind: 'unread'; readonly reason: UnreadReason } & Visit)
  | ({ readonly kind: 'removed'; readonly counter: number } & Visit)
  /** `count` insertions came and went unseen; `counter` is the count after them. */
  | { readonly kind: 'missed'; readonly reader: string; readonly count: number; readonly counter: number }
  /** The process ends itself now, so that a fresh one can begin. */
  | { readonly kind: 'over'; readonly why: string; readonly serviceLost: boolean }
  | { readonly kind: 'trouble'; readonly what: string; readonly why: string };

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

function isHex(value: unknown, mostDigits: number): value is string {
  return typeof value === 'string' && value.length <= mostDigits && /^(?:[0-9A-F]{2})*$/.test(value);
}

const unreadReasons: readonly UnreadReason[] = ['pulled', 'missed', 'mute', 'busy'];

/** A message in the form that travels: bytes become hex. */
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

/** Checks what came from the supervisor; null when it is no message. */
export function readToReader(value: unknown): ToReader | null {
  if (!isFields(value)) return null;
  if (value.kind === 'feedback' && isShort(value.reader)) {
    return value.what === 'captured' || value.what === 'refused'
      ? { kind: 'feedback', reader: value.reader, what: value.what }
      : null;
  }
  if (value.kind !== 'start' || !Array.isArray(value.looks)) return null;
  const looks = value.looks.filter(
    (look: unknown): look is KnownLook =>
      isFields(look) && isShort(look.reader) && typeof look.present === 'boolean' && isCount(look.counter),
  );
  return { kind: 'start', looks };
}

/** Checks what came from the reader process; null when it is no message. */
export function readFromReader(value: unknown): FromReader | null {
  if (!isFields(value)) return null;
  switch (value.kind) {
    case 'alive':
      return { kind: 'alive' };
    case 'service':
      return readService(value);
    case 'over':
      return isShort(value.why) && typeof value.serviceLost === 'boolean'
        ? { kind: 'over', why: value.why, serviceLost: value.serviceLost }
        : null;
    case 'trouble':
      return isShort(value.what) && isShort(value.why)
        ? { kind: 'trouble', what: value.what, why: value.why }
        : null;
    default:
      return isShort(value.reader) ? readReaderMessage(value, value.reader) : null;
  }
}

function readService(value: Fields): FromReader | null {
  if (value.state === 'up' || value.state === 'absent') return { kind: 'service', state: value.state };
  return value.state === 'failing' && isShort(value.why)
    ? { kind: 'service', state: 'failing', why: value.why }
    : null;
}

function readReaderMessage(value: Fields, reader: string): FromReader | null {
  const { kind, visit, counter } = value;
  if (kind === 'attached' || kind === 'detached') return { kind, reader };
  if (kind === 'empty') return isCount(counter) ? { kind, reader, counter } : null;
  if (kind === 'missed') {
    return isCount(value.count) && isCount(counter) ? { kind, reader, count: value.count, counter } : null;
  }
  if (!isCount(visit)) return null;
  if (kind === 'inserted' || kind === 'removed') {
    return isCount(counter) ? { kind, reader, visit, counter } : null;
  }
  if (kind === 'unread') {
    const reason = unreadReasons.find((known) => known === value.reason);
    return reason === undefined ? null : { kind, reader, visit, reason };
  }
  const card = kind === 'card' ? readCard(value.card) : null;
  return card === null ? null : { kind: 'card', reader, visit, card };
}

function readCard(value: unknown): CardReading | null {
  if (!isFields(value) || !isHex(value.uid, 32) || !isHex(value.atr, 72)) return null;
  const ndef = readNdefState(value.ndef);
  return ndef === null ? null : { uid: value.uid, atr: value.atr, ndef };
}

function readNdefState(value: unknown): NdefReading | null {
  if (!isFields(value)) return null;
  if (value.state === 'none' || value.state === 'timeout') return { state: value.state };
  if (value.state === 'failed')
    return isShort(value.reason) ? { state: 'failed', reason: value.reason } : null;
  if (value.state !== 'read' || !isHex(value.bytes, 4096)) return null;
  return { state: 'read', bytes: new Uint8Array(Buffer.from(value.bytes, 'hex')) };
}
