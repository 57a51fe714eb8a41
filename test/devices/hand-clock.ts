/**
 * A clock that the test controls.
 *
 * Invariant: time moves only with `pass` and `jump`. `pass` ends the sleeps in the order of their times, and the
 * effects of one run before the next one ends.
 */
import type { Clock } from '../../src-main/core/foundations/ports.ts';

export type HandClock = Clock & {
  /** Advances time by `ms` and ends the sleeps that fall into it. */
  readonly pass: (ms: number) => Promise<void>;
  /** Advances time without running anything, as when the thread is blocked. */
  readonly jump: (ms: number) => void;
};

export function createHandClock(): HandClock {
  let time = 0;
  const sleeps = new Set<{ readonly until: number; readonly wake: () => void }>();
  const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    now: () => time,
    monotonic: () => time,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const sleep = { until: time + ms, wake: resolve };
        sleeps.add(sleep);
        signal?.addEventListener('abort', () => {
          sleeps.delete(sleep);
          resolve();
        });
      }),
    jump: (ms) => {
      time += ms;
    },
    pass: async (ms) => {
      const end = time + ms;
      await breathe();
      for (;;) {
        const due = [...sleeps].filter(({ until }) => until <= end).sort((a, b) => a.until - b.until)[0];
        if (due === undefined) break;
        sleeps.delete(due);
        time = Math.max(time, due.until);
        due.wake();
        await breathe();
      }
      time = end;
      await breathe();
    },
  };
}
