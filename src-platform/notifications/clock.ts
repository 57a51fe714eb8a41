/** Time for notifications. It is injected, so that a test can skip a whole day. */

export type Clock = {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Calls `wake` once after `ms` milliseconds; returns a function that cancels it. */
  readonly after: (ms: number, wake: () => void) => () => void;
};

/** The clock of this machine. A pending wake-up does not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, wake) => {
    const timer = setTimeout(wake, ms).unref();
    return () => clearTimeout(timer);
  },
};
