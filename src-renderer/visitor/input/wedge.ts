/**
 * Recognises a keyboard scanner without focus: characters faster than any hand, anywhere on the page, with or without a
 * final Enter.
 *
 *   idle ─key─► maybe ─key─► ... ─3rd gap too short for a hand─► scanning ─Enter or silence─► a code
 *     ▲           └─silence: a hand typed; discarded                                   │
 *     └────────────────────────────────────────────────────────────────────────────────┘
 *
 * A focused text field may belong to a fast typist or to an on-screen keyboard that inserts whole words. There, keys are
 * not held back; the end decides: an Enter as fast as the keys before it, or a text that can only be a code. The caller
 * then removes the text from the field.
 *
 * Invariants: pure, time is an input; memory is bounded (a burst of 2 MB is cut and then discarded); each key costs
 * constant time; typed text is never taken from a field or a button.
 */
import { scannerTimes } from '../../times.ts';

/** The characters so far; times in milliseconds. */
export type Wedge = {
  readonly text: readonly string[];
  readonly lastAt: number;
  /** Number of characters received, stored or not. */
  readonly count: number;
  /** How many of them were faster than a hand. */
  readonly quick: number;
  /** A text field had the focus during all of them. */
  readonly inField: boolean;
};

export type WedgeStep = {
  readonly wedge: Wedge;
  /** A scanner is active: this key must not reach anything else. */
  readonly swallow: boolean;
  /** A complete code. */
  readonly code: string | null;
};

/** This many gaps too short for a hand mean a scanner. */
const scannerFrom = 3;
/** Without Enter, or in a field, a code has at least this length. */
const shortestWithoutEnter = 6;
/** Codes are cut at this length (the contract's limit). */
export const longestCode = 4096;

export const emptyWedge: Wedge = {
  text: [],
  lastAt: Number.NEGATIVE_INFINITY,
  count: 0,
  quick: 0,
  inField: false,
};

/**
 * Handles a key pressed at `now`. `key` as in KeyboardEvent: one character, `Enter`, or the name of another key;
 * `inField`: a text field has the focus.
 */
export function wedgeKey(wedge: Wedge, key: string, now: number, inField = false): WedgeStep {
  // A busy machine may delay a scanner's key, even before it is recognised: earlier characters are kept.
  const known = isKnown(wedge);
  const fast = now - wedge.lastAt <= longestGap(wedge.inField);
  if (key === 'Enter' || key === 'Tab') {
    return fast && known
      ? { wedge: emptyWedge, swallow: true, code: codeOf(wedge) }
      : { wedge: emptyWedge, swallow: false, code: null };
  }
  // Shift and other modifiers between a scanner's characters mean nothing.
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

/** Whether a scanner is active. */
function isKnown({ inField, count, quick }: Wedge): boolean {
  return inField ? count >= shortestWithoutEnter : quick >= scannerFrom;
}

/** In a field every key including Enter must be faster than a hand; elsewhere only silence ends a code. */
function longestGap(inField: boolean): number {
  return inField ? scannerTimes.gapInField : scannerTimes.silence - 1;
}

/** No key arrived until `now`. */
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

/** Neither a word nor a number, which on-screen keyboards insert at once. */
function onlyACode(text: string): boolean {
  return /\d/.test(text) && /\p{L}/u.test(text) && !/\s/.test(text);
}

/** Grows in place: copying for every key would make a long burst quadratic. The older value is never read again. */
function push(wedge: Wedge, key: string): readonly string[] {
  if (wedge.count < longestCode) (wedge.text as string[]).push(key);
  return wedge.text;
}

function codeOf(wedge: Wedge): string {
  return wedge.text.join('');
}
