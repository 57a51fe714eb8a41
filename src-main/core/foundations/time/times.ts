/**
 * Intervals and limits of the core's loops: the one place to change them.
 *
 * Invariants:
 * - Milliseconds unless a name has another unit.
 * - Times of one screen or one request are in their own files (`USUAL_LIMITS` in `api/exchange.ts`).
 */
import type { Backoff } from './backoff.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Retries of the sender and of the puller: after up to a second at first, and after up to 15 seconds in the end. */
export const RETRY: Backoff = { baseMs: SECOND / 2, capMs: 15 * SECOND };

/** The sender's loop polls this often when nothing wakes it. */
export const DELIVERY_EVERY_MS = 30 * SECOND;
/** The shortest interval between two read-backs of a sent fact that the platform does not show. */
export const LOOK_AFTER_MS = 1.5 * SECOND;
/** The growing delay that is added to `LOOK_AFTER_MS`. */
export const LOOK_LATER: Backoff = { baseMs: SECOND, capMs: MINUTE };

/** Interval of requests for contact details that the hub did not return. */
export const DETAILS_AGAIN: Backoff = { baseMs: 4 * SECOND, capMs: 10 * MINUTE };

/** A round of the puller begins about this often (20 % more or less, so that devices do not poll together). */
export const ROUND_EVERY_MS = 10 * SECOND;
/** The whole mirror is compared with the platform, record by record, at least this often. */
export const PASS_EVERY_MS = 24 * HOUR;
/** The period that is read again, because revisions may appear late. */
export const RE_READ_WINDOW_MS = 10 * MINUTE;
/** The shortest interval between two reads of that period. */
export const RE_READ_EVERY_MS = MINUTE;

/** The first backup is due this long after a start, or at once if facts are in no backup. */
export const FIRST_BACKUP_MS = MINUTE;
/** A backup is due when this many facts are in no backup. */
export const BACKUP_AFTER_FACTS = 100;
/** The shortest time from the end of one backup (which includes its verification) to the next. */
export const BACKUP_GAP_MS = 15 * SECOND;
/** While facts are in no backup, the next one is due this long after the last. */
export const BACKUP_AFTER_MS = 5 * MINUTE;
/** Without new facts, a backup is due this long after the last, because deliveries also change the journal. */
export const BACKUP_EVERY_MS = HOUR;
/** Time limit of the backup during a shutdown, which has two seconds in all. */
export const LAST_BACKUP_MS = SECOND;
/** Retry interval of a failed backup, and the longest wait between two runs of the journal's maintenance. */
export const MAINTENANCE_AGAIN_MS = MINUTE;
/** Wait after maintenance failed. */
export const MAINTENANCE_RETRY_MS = 6 * SECOND;

/**
 * Detection of a machine that slept: the interval of comparing both clocks, and the smallest jump or sleep that
 * counts.
 */
export const WAKE_CHECK_EVERY_MS = 5 * SECOND;
export const CLOCK_JUMP_MS = 2 * SECOND;
export const LATE_WAKE_MS = 15 * SECOND;

/** Notifications of the platform: the interval between two polls of one resource, and the time limit of a poll. */
export const POLL_SPACING_MS = 1.5 * SECOND;
export const POLL_LIMIT_MS = 25 * SECOND;

/** A device reports to its hub this often on average, at random intervals. */
export const REPORT_EVERY_MS = 30 * SECOND;
/** A device also reports soon after a change that a person should see, but not more often than this. */
export const REPORT_GAP_MS = SECOND;

/**
 * Event stream of a hub: the device reconnects after a random part of this, so that devices do not reconnect
 * together.
 */
export const STREAM_RETRY: Backoff = { baseMs: 5 * SECOND, capMs: 2 * MINUTE };
/** The hub writes a comment every ten seconds. A silent stream is dead, or a proxy buffers it. */
export const STREAM_SILENCE_MS = 25 * SECOND;
/** Average interval of attempts while the hub, or the client of this device, offers no streams. */
export const STREAM_NONE_MS = 10 * MINUTE;
/** With a stream, the device requests receipts only this often, in case an event was lost. */
export const RECEIPTS_EVERY_MS = 30 * SECOND;

/** The interval of the heartbeat file, and its greatest age while the app runs. */
export const HEARTBEAT_EVERY_MS = 10 * SECOND;
export const HEARTBEAT_STALE_MS = 35 * SECOND;
/**
 * Erasure of leads past their retention: the delay after the start, and the interval. The same interval for visitors
 * whose erasure was interrupted.
 */
export const RETENTION_FIRST_MS = MINUTE;
export const RETENTION_EVERY_MS = HOUR;
