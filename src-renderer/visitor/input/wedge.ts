/**
 * A keyboard scanner without focus: characters that come as fast as no hand types are collected wherever they
 * land on the page, with or without Enter at the end.
 *
 *   idle ─key─► maybe ─key─► ... ─3rd gap too short for a hand─► scanning ─Enter or silence─► a code
 *     ▲           └─silence: somebody typed; forgotten                                 │
 *     └───────────────────────────────────────────────────────────────────────────────┘
 *
 * Where a text field has the focus somebody may be typing into it, and a quick hand, or a keyboard on the screen that
 * writes a whole word at once, is as fast as a scanner. There no key is held back until the end tells which it was: an
 * Enter as fast as the keys before it, or a text that can only be a code. What came is then the caller's to take out.
 *
 * Invariants: pure, time comes in; memory is bounded whatever comes (a 2 MB burst is cut and gone after it);
 * each key costs constant time; what a hand types is never taken away from a field or a button.
 */
import { scannerTimes } from '../../times.ts';

/** What is collected so far; times in milliseconds. */
export type Wedge = {
  readonly text: readonly string[];
  readonly lastAt: number;
  /** How many characters came, kept or not. */
  readonly count: number;
  /** How many of them came faster than a hand types. */
  readonly quick: number;
  /** A text field had the focus all the while. */
  readonly inField: boolean;
};

export type WedgeStep = {
  readonly wedge: Wedge;
  /** The scanner is at work: this key must not reach anything else. */
  readonly swallow: boolean;
  /** A finished code. */
  readonly code: string | null;
};

/** After so many gaps that are too short for a hand it is a scanner. */
const scannerFrom = 3;
/** Without Enter, or in a field, a code must be at least this long. */
const shortestWithoutEnter = 6;
/** Codes are cut here (the contract's limit). */
export const longestCode = 4096;

export const emptyWedge: Wedge = {
  text: [],
  lastAt: Number.NEGATIVE_INFINITY,
  count: 0,
  quick: 0,
  inField: false,
};

/**
 * A key went down at `now`. `key` as in KeyboardEvent: one character, `Enter`, or the name of another key; `inField`
 * where a text field has the focus.
 */
export function wedgeKey(wedge: Wedge, key: string, now: number, inField = false): WedgeStep {
  // A scanner may stumble as a busy machine makes it, also before it is known for one: what came first is not forgotten.
  const known = isKnown(wedge);
  const fast = now - wedge.lastAt <= longestGap(wedge.inField);
  if (key === 'Enter' || key === 'Tab') {
    return fast && known
      ? { wedge: emptyWedge, swallow: true, code: codeOf(wedge) }
      : { wedge: emptyWedge, swallow: false, code: null };
  }
  // Shift and the like come between a scanner's characters and mean nothing.
  if (key.length > 2 || [...key].length !== 1) return { wedge, swallow: false, code: null };
  if (!fast)
    return {
      wedge: { text: [key], lastAt: now, count: 1, quick: 0, inField },
      swallow: false,
      code: silent(wedge, now),
    };
  const next = {
    text: push(wedge, key),
    lastAt: now,
    count: wedge.count + 1,
    quick: wedge.quick + (now - wedge.lastAt <= scannerTimes.gap ? 1 : 0),
    inField: wedge.inField && inField,
  };
  return { wedge: next, swallow: !next.inField && isKnown(next), code: null };
}

/** Whether it is a scanner that is at work. */
function isKnown({ inField, count, quick }: Wedge): boolean {
  return inField ? count >= shortestWithoutEnter : quick >= scannerFrom;
}

/** In a field every key, Enter too, must come faster than any hand can keep up; elsewhere only silence ends a code. */
function longestGap(inField: boolean): number {
  return inField ? scannerTimes.gapInField : scannerTimes.silence - 1;
}

/** Nothing came until `now`. */
export function wedgeQuiet(wedge: Wedge, now: number): WedgeStep {
  if (now - wedge.lastAt < scannerTimes.silence) return { wedge, swallow: false, code: null };
  return { wedge: emptyWedge, swallow: false, code: silent(wedge, now) };
}

function silent(wedge: Wedge, now: number): string | null {
  const over = now - wedge.lastAt >= scannerTimes.silence;
  if (!over || wedge.count < shortestWithoutEnter || !isKnown(wedge)) return null;
  const code = codeOf(wedge);
  return wedge.inField && !onlyACode(code) ? null : code;
}

/** Neither a word nor a number, which keyboards on the screen write at once. */
function onlyACode(text: string): boolean {
  return /\d/.test(text) && /\p{L}/u.test(text) && !/\s/.test(text);
}

/** Grows in place: a copy for every key would make a long burst quadratic. The older value is never read again. */
function push(wedge: Wedge, key: string): readonly string[] {
  if (wedge.count < longestCode) (wedge.text as string[]).push(key);
  return wedge.text;
}

function codeOf(wedge: Wedge): string {
  return wedge.text.join('');
}
