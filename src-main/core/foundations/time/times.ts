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

/** Every retry, of the sender and of the puller: up to a second after the first failure, up to 15 in the end. */
export const RETRY: Backoff = { baseMs: SECOND / 2, capMs: 15 * SECOND };

/** The sender's loop polls this often when nothing wakes it. */
export const DELIVERY_EVERY_MS = 30 * SECOND;
/** A sent fact that does not show yet is read back this long after the last read-back, ... */
export const LOOK_AFTER_MS = 1.5 * SECOND;
/** ... and less and less often: that much later. */
export const LOOK_LATER: Backoff = { baseMs: SECOND, capMs: MINUTE };

/** Contact details that the hub did not give are asked for again. */
export const DETAILS_AGAIN: Backoff = { baseMs: 4 * SECOND, capMs: 10 * MINUTE };

/** A round of the puller begins about this often (a fifth more or less, so that devices spread). */
export const ROUND_EVERY_MS = 10 * SECOND;
/** Everything is compared with the platform, record by record, at least this often. */
export const PASS_EVERY_MS = 24 * HOUR;
/** Late revisions: this far back is read again ... */
export const RE_READ_WINDOW_MS = 10 * MINUTE;
/** ... but not more often than this. */
export const RE_READ_EVERY_MS = MINUTE;

/** The first backup after a start. */
export const FIRST_BACKUP_MS = MINUTE;
/** The next backup: after so many facts that no backup has, ... */
export const BACKUP_AFTER_FACTS = 100;
/** ... but so long after the last one ended (each backup is verified) ... */
export const BACKUP_GAP_MS = 15 * SECOND;
/** ... and this long after the last one where there are fewer. */
export const BACKUP_AFTER_MS = 5 * MINUTE;
/** The next backup where none were: deliveries change the journal, too. */
export const BACKUP_EVERY_MS = HOUR;
/** Time limit of the backup at an orderly end, which has two seconds in all. */
export const LAST_BACKUP_MS = SECOND;
/** The next try of a backup that failed, and of other maintenance that met a fault. */
export const MAINTENANCE_AGAIN_MS = MINUTE;
export const MAINTENANCE_RETRY_MS = 6 * SECOND;

/** Sleep of the machine: how often both clocks are compared, and what is a jump or a sleep. */
export const WAKE_CHECK_EVERY_MS = 5 * SECOND;
export const CLOCK_JUMP_MS = 2 * SECOND;
export const LATE_WAKE_MS = 15 * SECOND;

/** Notifications of the platform: between two polls of one resource, and until a poll must have ended. */
export const POLL_SPACING_MS = 5 * SECOND;
export const POLL_LIMIT_MS = 25 * SECOND;

/** A device reports to its hub this often, ... */
export const REPORT_EVERY_MS = 30 * SECOND;
/** ... and when a person should know of a change, but not more often than this. */
export const REPORT_GAP_MS = SECOND;

/** Event stream of a hub. A lost one returns after a random part of this, so that the devices of a hub spread. */
export const STREAM_RETRY: Backoff = { baseMs: 5 * SECOND, capMs: 2 * MINUTE };
/** The hub writes a comment every ten seconds. A stream without any is dead, or a proxy holds it back. */
export const STREAM_SILENCE_MS = 25 * SECOND;
/** While there is no hub, or one without streams: the next try. */
export const STREAM_NONE_MS = 10 * MINUTE;
/** With a stream, receipts are requested this often at most: one may have been lost. */
export const RECEIPTS_EVERY_MS = 30 * SECOND;

/** How often the device's health is written down, and how old the writing may be while the app runs. */
export const HEARTBEAT_EVERY_MS = 10 * SECOND;
export const HEARTBEAT_STALE_MS = 35 * SECOND;
/** How soon after the start, and how often then, leads past their retention are erased. */
export const RETENTION_FIRST_MS = MINUTE;
export const RETENTION_EVERY_MS = HOUR;
