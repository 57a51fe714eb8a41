/** A clock for notifications that only the test moves. Sleepers wake up in order when their time has come. */
import type { Clock } from '../../../src-platform/notifications/clock.ts';

export type ManualClock = Clock & { readonly pass: (ms: number) => void };

/** A clock set to the opening of the demo event. */
export const createManualClock = (start = Date.UTC(2026, 10, 21, 9)): ManualClock => {
  let time = start;
  let waiting: { readonly due: number; readonly wake: () => void }[] = [];
  const wakeNext = (end: number): boolean => {
    const next = waiting.toSorted((a, b) => a.due - b.due)[0];
    if (!next || next.due > end) return false;
    waiting = waiting.filter((entry) => entry !== next);
    time = Math.max(time, next.due);
    next.wake();
    return true;
  };
  return {
    now: () => time,
    after: (ms, wake) => {
      const entry = { due: time + ms, wake };
      waiting.push(entry);
      return () => {
        waiting = waiting.filter((other) => other !== entry);
      };
    },
    pass: (ms) => {
      const end = time + ms;
      while (wakeNext(end));
      time = end;
    },
  };
};
