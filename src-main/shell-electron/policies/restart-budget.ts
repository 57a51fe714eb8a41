/**
 * Limits restarts of a page or process that crashed. Pure.
 *
 * Invariant: at most three restarts within a minute. After that, a page is replaced by the safe page, and the core
 * waits until the minute is over.
 */
const MOST = 3;
const WITHIN_MS = 60_000;

export type RestartBudget = {
  /** Uses one restart; false when none is left. */
  readonly spend: () => boolean;
  /** Milliseconds until a restart is available; 0: now. */
  readonly waitMs: () => number;
};

/** The budget of one page or process. `monotonic` in milliseconds. */
export function createRestartBudget(monotonic: () => number): RestartBudget {
  let spent: readonly number[] = [];
  const recent = () => spent.filter((at) => monotonic() - at < WITHIN_MS);
  return {
    spend: () => {
      spent = recent();
      if (spent.length >= MOST) return false;
      spent = [...spent, monotonic()];
      return true;
    },
    waitMs: () => {
      const [oldest, ...others] = recent();
      return oldest === undefined || others.length < MOST - 1 ? 0 : oldest + WITHIN_MS - monotonic();
    },
  };
}
