/**
 * Debounce: one badge resting on a reader is one tap.
 *
 *     first time, or longer ago than the window ► through
 *     within the window of its last stored tap  ► resting (the screen shows the stored tap again)
 *
 * Invariants:
 * - A different badge is never held back.
 * - The window starts when the tap was stored, so a tap that could not be stored may be tried again at once.
 * - Entries are removed when their window ends.
 */

import type { TapEvent } from '../../../contract/tap.ts';

/** A stored tap that is still within its window, and the outcome that was published. */
export type Stored = { readonly factId: string; readonly event: TapEvent; readonly mono: number };

export type Debounce = {
  /** The stored tap this badge is still resting from, or null when it may pass. `mono` in milliseconds. */
  readonly resting: (code: string, mono: number) => Stored | null;
  readonly stored: (code: string, tap: Stored) => void;
  /** Lets the badge of a fact through again, after it was taken back. */
  readonly forget: (factId: string) => void;
};

/** A debounce with a window in milliseconds (field practice: 1 to 10 s). */
export function createDebounce(windowMs: number): Debounce {
  const taps = new Map<string, Stored>();
  const forgetOld = (mono: number): void => {
    // In the order they were stored, so the first that is still within its window ends it.
    for (const [code, tap] of taps) {
      if (mono - tap.mono < windowMs) return;
      taps.delete(code);
    }
  };
  return {
    resting: (code, mono) => {
      forgetOld(mono);
      return taps.get(code) ?? null;
    },
    stored: (code, tap) => {
      taps.delete(code);
      taps.set(code, tap);
    },
    forget: (factId) => {
      for (const [code, tap] of taps) if (tap.factId === factId) taps.delete(code);
    },
  };
}
