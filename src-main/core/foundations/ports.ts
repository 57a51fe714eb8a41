/**
 * The core's interface to its environment.
 *
 * Invariants:
 * - Core code gets time, sleep, randomness, log and readers from here, so that a test can control them. Exceptions are
 *   the time limits of requests, and worker threads.
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
 * Requests an early poll. Every source of a change uses it (a webhook, a machine that wakes up, a user, an event
 * stream), on a device and at the hub. Resolves when a poll that started after the call has ended. `failed` also when
 * `signal` aborts first. Never rejects. `list` names the changed list if the source knows it. Then at least that list
 * is read.
 */
export type PollNow = (signal?: AbortSignal, list?: string) => Promise<PollOutcome>;

/** How the message on a card was lost. */
export type LostNdef = 'timeout' | 'failed';

/**
 * The result of decoding a card or a text: a badge with its codes, or the reason why it is not a badge.
 *
 * Invariants:
 * - A card's number is upper-case hex without separators.
 * - `codes` is never empty and holds no duplicates.
 */
export type BadgeReading =
  | {
      readonly kind: 'badge';
      /** Most trusted first. The mirror is searched for each in turn. */
      readonly codes: readonly [string, ...string[]];
      /** The card may hold more data, which was read too late or not at all. */
      readonly lostNdef?: LostNdef;
    }
  | { readonly kind: 'phone' }
  /** A card that is not a phone, but has a different number at every tap. */
  | { readonly kind: 'randomUid'; readonly lostNdef?: LostNdef }
  | { readonly kind: 'notABadge'; readonly reason: string };

/** A driver's reading of a card: its number (empty when it has none), and the decoded badge. */
export type CardReading = { readonly uid: string; readonly badge: BadgeReading };

/**
 * Why an insertion ended without a reading: the badge left too early, was missed between two polls, or did not answer,
 * or another program used the reader.
 */
export type UnreadReason = 'pulled' | 'missed' | 'mute' | 'busy';

/**
 * State of the service that a driver's readers need (for cards: pcscd, SCardSvr). A driver without a service reports
 * nothing.
 */
export type ReaderServiceState = 'starting' | 'up' | 'absent' | 'silent' | 'failing';

/**
 * All events of a reader driver.
 *
 * Invariants:
 * - Every `inserted` is followed by exactly one outcome (`card`, `text` or `unread`) with the same reader and insertion
 *   number.
 * - Between them there is at most one `uid`. Then the outcome is a `card` with that UID, even if nothing more could
 *   be read.
 * - The insertion numbers of one reader strictly increase while the app runs.
 */
export type ReaderEvent =
  | { readonly kind: 'service'; readonly state: ReaderServiceState }
  | { readonly kind: 'attached'; readonly reader: string }
  | { readonly kind: 'detached'; readonly reader: string }
  /** The reader's polling interval at its start and now. Only for readers that report it. */
  | {
      readonly kind: 'interval';
      readonly reader: string;
      readonly foundMs: number;
      readonly everyMs: number;
    }
  | { readonly kind: 'inserted'; readonly reader: string; readonly insertion: number }
  /** The card's first answer, before its memory is read. */
  | { readonly kind: 'uid'; readonly reader: string; readonly insertion: number; readonly card: CardReading }
  | { readonly kind: 'card'; readonly reader: string; readonly insertion: number; readonly card: CardReading }
  /** Text from a scanner, without its end mark. */
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

/** A driver of badge readers. Every driver passes the same test suite. */
export type ReaderDriver = {
  /** Starts the driver. `handle` is called for every event, never re-entrantly. */
  readonly start: (handle: (event: ReaderEvent) => void) => void;
  /** Best effort; never throws, never waits. */
  readonly feedback: (reader: string, what: ReaderFeedback) => void;
  /** Stops the driver and everything it started, within one second. */
  readonly stop: () => Promise<void>;
};

/** Measurements of the machine. Null if it does not report them. */
export type MachineReading = {
  /** Free space of the disk that holds the leads. */
  readonly freeBytes: number | null;
  /** Encryption of the same disk. */
  readonly encryption: DiskEncryption;
  readonly power: { readonly charge: number; readonly plugged: boolean } | null;
};
