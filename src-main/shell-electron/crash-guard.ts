/**
 * What becomes of a page whose process is gone. Pure.
 *
 * Invariant: at most three reloads within a minute, then the safe page, so that a page that cannot live does not flicker.
 */
const MOST_RELOADS = 3;
const WITHIN_MS = 60_000;

/** A guard of one window; `gone` says what to show now. `monotonic` in milliseconds. */
export function createCrashGuard(monotonic: () => number): { readonly gone: () => 'reload' | 'safe page' } {
  let reloads: readonly number[] = [];
  return {
    gone: () => {
      const now = monotonic();
      reloads = reloads.filter((at) => now - at < WITHIN_MS);
      if (reloads.length >= MOST_RELOADS) return 'safe page';
      reloads = [...reloads, now];
      return 'reload';
    },
  };
}
