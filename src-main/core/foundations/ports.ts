/**
 * The core's interface to its environment.
 *
 * Invariants:
 * - Core code gets time, sleep, randomness, log and readers from here, so that a test can control them.
 * - Two devices can run in one process.
 */

import type { DiskEncryption } from '../../contract/device.ts';

/** Wall clock, monotonic clock and sleep. */
export type Clock = {
  /** Wall time in Unix milliseconds. It may jump. */
  readonly now: () => number;
  /** Milliseconds from an arbitrary start that never run backwards, for intervals and back-off. */
  readonly monotonic: () => number;
  /** Resolves after `ms` milliseconds, or at once when `signal` aborts (it never rejects). */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
};

/** Randomness. */
export type Random = {
  /** A number in [0, 1). */
  readonly fraction: () => number;
  /** `length` random bytes. */
  readonly bytes: (length: number) => Uint8Array;
};

/**
 * Log with three levels: error = staff should check; warn = useful when something else fails; info = normal events.
 * Never personal data, never a key.
 */
export type Log = {
  readonly error: (what: string, details?: Readonly<Record<string, unknown>>) => void;
  readonly warn: (what: string, details?: Readonly<Record<string, unknown>>) => void;
  readonly info: (what: string, details?: Readonly<Record<string, unknown>>) => void;
};

/** How a poll ended. */
export type PollOutcome = 'done' | 'failed';

/**
 * "Something changed, look now": the one input of every source that learns of a change before the next regular poll
 * (a webhook, a machine that wakes up, a user, later an event stream), on a device and at the hub. Resolves when a
 * poll that started after the call ended. `failed` also when `signal` aborts first. Never rejects. `list` names what
 * changed where the source knows it. The poll may read more.
 */
export type PollNow = (signal?: AbortSignal, list?: string) => Promise<PollOutcome>;

/** How the message on a card was lost. */
export type LostNdef = 'timeout' | 'failed';

/**
 * What a card or a text turned out to be: a badge with its codes, or the reason why it is none.
 *
 * Invariants: a card's number is upper-case hex without separators; `codes` is never empty and holds no duplicates.
 */
export type BadgeReading =
  | {
      readonly kind: 'badge';
      /** Most trusted first; the mirror is asked for each in turn. */
      readonly codes: readonly [string, ...string[]];
      /** There may have been more to read: its message was not read in time, or not at all. */
      readonly lostNdef?: LostNdef;
    }
  | { readonly kind: 'phone' }
  /** A card that is no phone, but shows another number at every tap. */
  | { readonly kind: 'randomUid'; readonly lostNdef?: LostNdef }
  | { readonly kind: 'notABadge'; readonly reason: string };

/** What a driver read of a card: its number (empty when it has none), and what it is as a badge. */
export type CardReading = { readonly uid: string; readonly badge: BadgeReading };

/** Why an insertion ended without a reading: the badge left too early, was missed between two polls, stayed mute. */
export type UnreadReason = 'pulled' | 'missed' | 'mute' | 'busy';

/** State of the service that a driver's readers need (for cards: pcscd, SCardSvr). A driver without one reports none. */
export type ReaderServiceState = 'starting' | 'up' | 'absent' | 'silent' | 'failing';

/**
 * Everything a reader driver reports; nothing in it depends on the kind of reader.
 *
 * Invariants:
 * - Every `inserted` is followed by exactly one outcome (`card`, `text` or `unread`) with the same reader and number.
 * - Between them at most one `uid`, and then the outcome is a `card` with that UID, however little more could be read.
 * - The numbers of one reader strictly increase while the app runs.
 */
export type ReaderEvent =
  | { readonly kind: 'service'; readonly state: ReaderServiceState }
  | { readonly kind: 'attached'; readonly reader: string }
  | { readonly kind: 'detached'; readonly reader: string }
  /** How often the reader looks for a badge: as the driver found it, and as it is now. Only where a reader says so. */
  | {
      readonly kind: 'interval';
      readonly reader: string;
      readonly foundMs: number;
      readonly everyMs: number;
    }
  | { readonly kind: 'inserted'; readonly reader: string; readonly insertion: number }
  /** What is known of the card as soon as it answers, before its memory is read. */
  | { readonly kind: 'uid'; readonly reader: string; readonly insertion: number; readonly card: CardReading }
  | { readonly kind: 'card'; readonly reader: string; readonly insertion: number; readonly card: CardReading }
  /** Text from a scanner, without what ends it. */
  | { readonly kind: 'text'; readonly reader: string; readonly insertion: number; readonly text: string }
  | {
      readonly kind: 'unread';
      readonly reader: string;
      readonly insertion: number;
      readonly reason: UnreadReason;
    }
  | { readonly kind: 'removed'; readonly reader: string };

/** Feedback of a reader with a light or buzzer, best effort and only after the commit. */
export type ReaderFeedback = 'captured' | 'refused';

/** A driver of badge readers. Every driver passes the same suite, whatever is behind it. */
export type ReaderDriver = {
  /** Starts the driver. `handle` is called for every event, never re-entrantly. */
  readonly start: (handle: (event: ReaderEvent) => void) => void;
  /** Best effort; never throws, never waits. */
  readonly feedback: (reader: string, what: ReaderFeedback) => void;
  /** Stops the driver and everything it started, within one second. */
  readonly stop: () => Promise<void>;
};

/** Measurements of the machine. Null where it does not report them. */
export type MachineReading = {
  readonly freeBytes: number | null;
  /** Of the disk that the leads lie on. */
  readonly encryption: DiskEncryption;
  readonly power: { readonly charge: number; readonly plugged: boolean } | null;
};
