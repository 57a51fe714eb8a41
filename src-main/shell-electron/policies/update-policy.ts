/**
 * Which update is taken, when it is put in place, and when the one before comes back. Pure.
 *
 * Invariants: nothing is taken that is not newer, not signed by our key, or not meant for this device yet; nothing is put in
 * place around a fair, after a tap of the last hours, or while something waits to be delivered; nothing goes back to a
 * version that could not open the journal any more.
 */

const HOUR = 3_600_000;

/** From so long before the first day until so long after the last one nothing changes on a device. */
export const FAIR_MARGIN_MS = 12 * HOUR;
/** A stand that took a tap within this may be open, whatever is known of the fair. */
export const QUIET_MS = 12 * HOUR;
const MOST_FAILED = 2;

/** A version offered, after its signature was looked at. */
export type Offered = {
  readonly version: string;
  readonly isSigned: boolean;
  /** Share of devices it is meant for by now, 0 to 100. */
  readonly share: number;
};

/** `number`: which of a hundred parts of all devices this one belongs to. `failed`: a version that was tried and went back. */
export type Taker = { readonly version: string; readonly number: number; readonly failed: string | null };

export type TakeRefusal = 'notNewer' | 'unsigned' | 'failedBefore' | 'notYet';

/** Why it is not taken; null: it is. */
export function refusalOf({ version, isSigned, share }: Offered, taker: Taker): TakeRefusal | null {
  if (!isNewer(version, taker.version)) return 'notNewer';
  if (!isSigned) return 'unsigned';
  if (version === taker.failed) return 'failedBefore';
  return taker.number < share ? null : 'notYet';
}

/** Whether a file is the whole one that was signed. */
export function isWhole(
  found: { size: number; sha512: string },
  signed: { size: number; sha512: string },
): boolean {
  return found.size === signed.size && found.sha512 === signed.sha512;
}

/** What the core knows of now. Times in epoch milliseconds. */
export type Moment = {
  /** Null: this device is for no fair yet. */
  readonly fair: { readonly start: number; readonly end: number } | 'unknown' | null;
  readonly lastFactAt: number | null;
  /** Facts that are being written or wait to be delivered. */
  readonly waiting: number;
};

export type Wait = 'fair' | 'fairUnknown' | 'taps' | 'waiting';

/** Why an update waits; null: it may be put in place now. */
export function waitOf({ fair, lastFactAt, waiting }: Moment, now: number): Wait | null {
  if (fair === 'unknown') return 'fairUnknown';
  if (fair !== null && now > fair.start - FAIR_MARGIN_MS && now < fair.end + FAIR_MARGIN_MS) return 'fair';
  // A time that lies ahead of the clock says nothing, so it counts as just now.
  if (lastFactAt !== null && now - lastFactAt < QUIET_MS) return 'taps';
  return waiting > 0 ? 'waiting' : null;
}

/** `schema`: version of the journal's tables; null: not known. */
export type Tried = {
  readonly failed: number;
  readonly schemaBefore: number | null;
  readonly schemaNow: number | null;
};

/** Whether a version that was put in place gives way to the one before; `stuck`: that one could not open the journal. */
export function wayBack({ failed, schemaBefore, schemaNow }: Tried): 'stay' | 'back' | 'stuck' {
  if (failed < MOST_FAILED) return 'stay';
  return schemaBefore !== null && schemaNow !== null && schemaNow > schemaBefore ? 'stuck' : 'back';
}

/** Whether `version` comes after `other`; what is no plain `1.2.3` never does. */
export function isNewer(version: string, other: string): boolean {
  const [one, two] = [partsOf(version), partsOf(other)];
  if (one === null || two === null) return false;
  const at = one.findIndex((part, index) => part !== two[index]);
  return at >= 0 && (one[at] ?? 0) > (two[at] ?? 0);
}

function partsOf(version: string): readonly number[] | null {
  const found = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/.exec(version);
  return found === null ? null : found.slice(1).map(Number);
}
