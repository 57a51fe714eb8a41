/**
 * Recognises a keyboard scanner anywhere on the page, without a focused field. A code is a text that arrives faster
 * than any person types, or a text that looks like a code and arrives at the speed of a slow scanner. A final Enter
 * is optional.
 *
 *   idle ─key─► burst ─key─► ... ─3rd gap too short for a hand─► scanning ─Enter or silence─► a code
 *     ▲           │                                                                      │
 *     │           └─Enter or silence, and form and pace of a code─────────────────────────┤
 *     │           └─silence: a hand typed; discarded                                      │
 *     └───────────────────────────────────────────────────────────────────────────────────┘
 *
 * A focused text field may be used by a fast typist, or by an on-screen keyboard that inserts whole words. So keys in
 * a field are not held back, and the end decides: an Enter that comes as fast as the keys before it, or a text that
 * can only be a code. The caller then removes the text from the field.
 *
 * A slow scanner (Bluetooth sends a key every 30 to 80 ms) is not faster than a person, so the form of the text
 * decides: letters with digits, many digits, or capitals; no spaces; an even pace; a pause before and after.
 *
 * A scanner that ends one code with Enter ends all codes with it. After the first such code, a code may contain a
 * longer pause, because a busy machine delays its keys.
 *
 * Invariants:
 * - Pure, time is an input.
 * - Memory is bounded: a burst is cut at `longestCode`.
 * - Each key costs constant time.
 * - Typed text is never taken from a field or a button.
 */
import { scannerTimes } from '../../times.ts';

/** The characters of one burst; times in milliseconds. */
export type Wedge = {
  readonly text: readonly string[];
  readonly firstAt: number;
  readonly lastAt: number;
  /** The longest gap between two characters. */
  readonly longest: number;
  /** Number of characters received, stored or not. */
  readonly count: number;
  /** How many characters arrived faster than a person types. */
  readonly quick: number;
  /** Whether there is white space among the characters. */
  readonly spaced: boolean;
  /** Whether there is a digit among the characters. */
  readonly digit: boolean;
  /** Whether a text field had the focus during all of them. */
  readonly inField: boolean;
  /** Whether the last code ended with Enter. */
  readonly enters: boolean;
};

export type WedgeStep = {
  readonly wedge: Wedge;
  /** A scanner is active: the key must not reach anything else. */
  readonly swallow: boolean;
  /** A complete code. */
  readonly code: string | null;
};

/** From this number on, gaps that are too short for a person mean that a scanner types. */
const scannerFrom = 3;
/** Minimum length of a code without Enter, in a field, or from a slow scanner. */
const shortestByForm = 6;
/** Minimum length of a code in a field that has only digits. */
const shortestNumber = 8;
/** Mean gap between digits in a field, in milliseconds: an on-screen keyboard is faster, and a scanner slower. */
const insertedWithin = 3;
/** With a slow scanner, no gap is longer than this many mean gaps. A person types less evenly. */
const unevenness = 2;
/** No person types such a code as fast as a delayed scanner. */
const strictForm = /^(?=.*[A-Z])(?=(?:.*\d){4})[0-9A-Z:/.-]{10,}$/;
/** Codes are cut at this length (the contract's limit). */
export const longestCode = 4096;

/** Keys that a person uses to correct a text. No scanner sends them. */
const mending: ReadonlySet<string> = new Set([
  ...['Backspace', 'Delete', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'],
]);

export const emptyWedge: Wedge = {
  text: [],
  firstAt: Number.NEGATIVE_INFINITY,
  lastAt: Number.NEGATIVE_INFINITY,
  longest: 0,
  count: 0,
  quick: 0,
  spaced: false,
  digit: false,
  inField: false,
  enters: false,
};

/**
 * Handles a key pressed at `now`. `key` as in KeyboardEvent: one character, `Enter`, or the name of another key;
 * `inField`: a text field has the focus.
 */
export function wedgeKey(wedge: Wedge, key: string, now: number, inField = false): WedgeStep {
  // A busy machine may delay a scanner's key, even before the scanner is recognised, so earlier characters are kept.
  const gap = now - wedge.lastAt;
  const continues = gap < silenceOf(wedge);
  if (key === 'Enter' || key === 'Tab') {
    const ends = continues && (isKnown(wedge, gap) || hasForm(wedge, true));
    return { wedge: noBurst(ends || wedge.enters), swallow: ends, code: ends ? codeOf(wedge) : null };
  }
  if (mending.has(key) && wedge.inField) return { wedge: noBurst(wedge.enters), swallow: false, code: null };
  // Shift and other modifiers between a scanner's characters mean nothing.
  if (key.length > 2 || [...key].length !== 1) return { wedge, swallow: false, code: null };
  const spaced = /\s/.test(key);
  const digit = /\d/.test(key);
  if (!continues || isOfAHand(wedge, gap)) {
    const code = silent(wedge, now);
    const enters = wedge.enters && code === null;
    return {
      wedge: {
        text: [key],
        firstAt: now,
        lastAt: now,
        longest: 0,
        count: 1,
        quick: 0,
        spaced,
        digit,
        inField,
        enters,
      },
      swallow: false,
      code,
    };
  }
  const next = {
    text: push(wedge, key),
    firstAt: wedge.firstAt,
    lastAt: now,
    longest: Math.max(wedge.longest, gap),
    count: wedge.count + 1,
    quick: wedge.quick + (gap <= scannerTimes.gap ? 1 : 0),
    spaced: wedge.spaced || spaced,
    digit: wedge.digit || digit,
    inField: wedge.inField && inField,
    enters: wedge.enters,
  };
  return { wedge: next, swallow: !next.inField && isKnown(next, gap), code: null };
}

/** Handles that no key has arrived until `now`. */
export function wedgeQuiet(wedge: Wedge, now: number): WedgeStep {
  if (now - wedge.lastAt < silenceOf(wedge)) return { wedge, swallow: false, code: null };
  const code = silent(wedge, now);
  return { wedge: noBurst(wedge.enters && code === null), swallow: false, code };
}

/** No burst. */
function noBurst(enters: boolean): Wedge {
  return { ...emptyWedge, enters };
}

/**
 * The silence that ends this burst. It is longer at the pace of a slow scanner, before the pace is known, and for a
 * scanner that ends its codes with Enter.
 */
export function silenceOf(wedge: Wedge): number {
  if (wedge.enters && mayStall(wedge)) return scannerTimes.enterSilence;
  const isQuick = wedge.count > scannerFrom && meanGap(wedge) <= scannerTimes.gap;
  return isQuick ? scannerTimes.silence : scannerTimes.slowSilence;
}

/**
 * Whether a scanner is active, judged by speed alone. In a field, every key must be faster than a person types,
 * including the last.
 */
function isKnown({ inField, count, quick, longest }: Wedge, gap: number): boolean {
  if (!inField) return quick >= scannerFrom;
  return count >= shortestByForm && Math.max(longest, gap) <= scannerTimes.gapInField;
}

/** A burst that a person typed into a field is separate from keys that follow after a pause. */
function isOfAHand(wedge: Wedge, gap: number): boolean {
  const slowest = wedge.enters && mayStall(wedge) ? scannerTimes.stalledMean : scannerTimes.slowMean;
  if (!wedge.inField || wedge.count < 2 || gap <= slowest) return false;
  return wedge.spaced || meanGap(wedge) > slowest;
}

/** Whether this may be the beginning of a code whose further keys a busy machine delays. */
function mayStall({ count, quick, inField, spaced, digit }: Wedge): boolean {
  if (!inField && quick >= scannerFrom) return true;
  return count > 1 && digit && !spaced;
}

function silent(wedge: Wedge, now: number): string | null {
  if (now - wedge.lastAt < silenceOf(wedge) || wedge.count < shortestByForm) return null;
  const isQuick = !wedge.inField && wedge.quick >= scannerFrom;
  return isQuick || hasForm(wedge, false) ? codeOf(wedge) : null;
}

/**
 * Whether the burst can only be a code: it is neither a word nor a number (which on-screen keyboards insert at once),
 * and its pace is not that of a person.
 */
function hasForm(wedge: Wedge, ended: boolean): boolean {
  const { count, spaced, inField, longest } = wedge;
  const mean = meanGap(wedge);
  if (ended && wedge.enters && mean <= scannerTimes.stalledMean && strictForm.test(codeOf(wedge)))
    return true;
  if (count < shortestByForm || spaced || mean > scannerTimes.slowMean) return false;
  const isFast = mean <= scannerTimes.gap;
  if (!isFast && longest > unevenness * mean) return false;
  const code = codeOf(wedge);
  if (!isFast && code.includes('@')) return false;
  const letters = /\p{L}/u.test(code);
  const digits = /\d/.test(code);
  if (letters && digits) return true;
  if (digits) return !inField || (count >= shortestNumber && isFast && mean >= insertedWithin);
  return ended && isFast && /^[A-Z]+$/.test(code);
}

/** The mean gap between the characters, in milliseconds. */
function meanGap({ firstAt, lastAt, count }: Wedge): number {
  return count < 2 ? 0 : (lastAt - firstAt) / (count - 1);
}

/**
 * The array grows in place, because copying it for every key would make a long burst quadratic. The older value is
 * never read again.
 */
function push(wedge: Wedge, key: string): readonly string[] {
  if (wedge.count < longestCode) (wedge.text as string[]).push(key);
  return wedge.text;
}

function codeOf(wedge: Wedge): string {
  return wedge.text.join('');
}
