/**
 * Updates of an AppImage: when to check, what to accept, and the restart. electron-updater downloads and installs.
 *
 * ```
 *   quiet? ─► newer? signed? ─► download ─► backup ─► still quiet? ─► install ─► restart
 * ```
 *
 * Invariants:
 * - nothing is downloaded or installed around a fair, after a tap of the last hours, or while a fact waits for delivery;
 * - only updates that the key of this build signed are downloaded;
 * - a backup of the journal precedes the installation;
 * - a failure is logged, and the app continues with its version.
 */
import type { Clock } from '../../core/foundations/ports.ts';
import { isSigned } from './update-signature.ts';

const FIRST_CHECK_MS = 5 * 60_000;
const CHECK_EVERY_MS = 3_600_000;

const HOUR = 3_600_000;

/** No update from this long before the first day of a fair until this long after its last day. */
const FAIR_MARGIN_MS = 12 * HOUR;
/** If there was a tap within this period, the stand may be open, even outside the days of the fair. */
const QUIET_MS = 12 * HOUR;

/** The state of the stand that decides about an update. Times in epoch milliseconds. */
export type Moment = {
  /** Null while this device has no event. */
  readonly fair: { readonly start: number; readonly end: number } | 'unknown' | null;
  readonly lastFactAt: number | null;
  /** Facts that are not delivered yet. */
  readonly waiting: number;
};

export type Wait = 'fair' | 'fairUnknown' | 'taps' | 'waiting';

/** Why an update waits; null if it may be installed now. */
function waitOf({ fair, lastFactAt, waiting }: Moment, now: number): Wait | null {
  if (fair === 'unknown') return 'fairUnknown';
  if (fair !== null && now > fair.start - FAIR_MARGIN_MS && now < fair.end + FAIR_MARGIN_MS) return 'fair';
  // A time in the future is treated as now, because it proves nothing.
  if (lastFactAt !== null && now - lastFactAt < QUIET_MS) return 'taps';
  return waiting > 0 ? 'waiting' : null;
}

/** Finds, downloads and installs updates. */
export type Updater = {
  /** The newer version that the feed has for this device, or null. @throws when the feed cannot be read */
  readonly check: () => Promise<{ readonly version: string } | null>;
  /** Downloads the version found last. @throws when the download fails or its checksum is wrong */
  readonly download: () => Promise<void>;
  /** Replaces the program with the downloaded one; returns its path. @throws when that fails */
  readonly install: () => string;
};

/** What the updater needs from the core. */
export type UpdateCore = {
  /** Null if the core does not answer. */
  readonly moment: () => Promise<Moment | null>;
  /** Makes a backup of the journal. Returns false if there is none. */
  readonly backUp: () => Promise<boolean>;
};

export type UpdateOutcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'waits'; readonly why: Wait | 'core' }
  | { readonly kind: 'refused'; readonly why: 'unsigned' | 'noBackup'; readonly version: string }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'installed'; readonly version: string; readonly program: string };

/** Checks for an update once, and installs it if it may be installed now. Never rejects. */
export async function checkForUpdate({
  updater,
  core,
  now,
  key,
}: {
  readonly updater: Updater;
  readonly core: UpdateCore;
  readonly now: () => number;
  /** The public key of this build as PEM. */
  readonly key: string;
}): Promise<UpdateOutcome> {
  const waitNow = async (): Promise<Wait | 'core' | null> => {
    const moment = await core.moment();
    return moment === null ? 'core' : waitOf(moment, now());
  };
  try {
    const before = await waitNow();
    if (before !== null) return { kind: 'waits', why: before };
    const found = await updater.check();
    if (found === null) return { kind: 'none' };
    const { version } = found;
    if (!isSigned(found, key)) return { kind: 'refused', why: 'unsigned', version };
    await updater.download();
    if (!(await core.backUp())) return { kind: 'refused', why: 'noBackup', version };
    const after = await waitNow();
    if (after !== null) return { kind: 'waits', why: after };
    return { kind: 'installed', version, program: updater.install() };
  } catch (error) {
    return { kind: 'failed', why: error instanceof Error ? error.message.slice(0, 300) : 'unknown' };
  }
}

const refusals: Readonly<Record<Extract<UpdateOutcome, { kind: 'refused' }>['why'], string>> = {
  unsigned: 'it is not signed with the key of this build',
  noBackup: 'no backup could be made before',
};

const waits: Readonly<Record<Wait | 'core', string>> = {
  fair: 'the fair is on, or near',
  fairUnknown: 'the dates of the fair are unknown',
  taps: 'badges were captured in the last hours',
  waiting: 'facts wait for delivery',
  core: 'the core does not answer',
};

/** The outcome as a sentence for the log. */
function updateSentence(outcome: UpdateOutcome): string {
  switch (outcome.kind) {
    case 'none':
      return 'There is no update.';
    case 'waits':
      return `Updates wait: ${waits[outcome.why]}.`;
    case 'refused':
      return `The update to ${outcome.version} was not installed: ${refusals[outcome.why]}.`;
    case 'failed':
      return `An update failed: ${outcome.why}`;
    case 'installed':
      return `Version ${outcome.version} is installed; the app restarts.`;
  }
}

/** Checks repeatedly until `signal` aborts or an update is installed. Logs an outcome once until it changes. */
export async function keepUpdated({
  updater,
  core,
  key,
  clock,
  signal,
  say,
  restart,
}: {
  readonly updater: Updater;
  readonly core: UpdateCore;
  /** The public key of this build as PEM. */
  readonly key: string;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly signal: AbortSignal;
  readonly say: (level: 'info' | 'warn', what: string) => void;
  /** Starts the app again, from the program at this path. */
  readonly restart: (program: string) => void;
}): Promise<void> {
  let said = '';
  await clock.sleep(FIRST_CHECK_MS, signal);
  while (!signal.aborted) {
    const outcome = await checkForUpdate({ updater, core, key, now: clock.now });
    const sentence = updateSentence(outcome);
    const isFault = outcome.kind === 'failed' || outcome.kind === 'refused';
    if (sentence !== said) say(isFault ? 'warn' : 'info', sentence);
    said = sentence;
    if (outcome.kind === 'installed') return restart(outcome.program);
    await clock.sleep(CHECK_EVERY_MS, signal);
  }
}
