/**
 * Debounce: repeated readings of one badge within a time window are one tap.
 *
 *     outside the window of its last stored tap ► new tap
 *     within the window of its last stored tap  ► resting (the screen shows the stored tap again)
 *
 * Invariants:
 * - A different badge is never debounced.
 * - The window starts when the tap is stored, so the visitor can repeat a failed tap at once.
 * - Entries are removed when their window ends.
 */

import type { TapEvent } from '../../../contract/tap.ts';

/** A stored tap within its window, and its published outcome. */
type Stored = { readonly factId: string; readonly event: TapEvent; readonly mono: number };

export type Debounce = {
  /** The stored tap of this badge within its window, or null if this is a new tap. `mono` in milliseconds. */
  readonly resting: (code: string, mono: number) => Stored | null;
  readonly stored: (code: string, tap: Stored) => void;
  /** Ends the window of an undone fact's badge. */
  readonly forget: (factId: string) => void;
};

/** A debounce with a window in milliseconds (field practice: 1 to 10 s). */
export function createDebounce(windowMs: number): Debounce {
  const taps = new Map<string, Stored>();
  const forgetOld = (mono: number): void => {
    // Entries are in the order in which they were stored, so the loop ends at the first tap within its window.
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
