/**
 * How often something that died is started again. Pure.
 *
 * Invariant: at most three times within a minute, so that what cannot live does not flicker: a page gives way to the
 * safe page then, the core waits until the minute is over.
 */
const MOST = 3;
const WITHIN_MS = 60_000;

export type RestartBudget = {
  /** Takes one restart; false when there is none left. */
  readonly spend: () => boolean;
  /** Milliseconds until there is one again; 0 while there is. */
  readonly waitMs: () => number;
};

/** A budget of its own for each page and process. `monotonic` in milliseconds. */
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
