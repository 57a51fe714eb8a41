/**
 * A clock that runs many times faster than the machine's: a back-off of minutes takes a second, but real I/O takes
 * its real time.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../src-main/core/foundations/ports.ts';

/** A clock `factor` times as fast as the machine's, starting now. */
export const scaledClock = (factor: number): Clock => {
  const start = Date.now();
  const begun = performance.now();
  const passed = (): number => (performance.now() - begun) * factor;
  return {
    now: () => Math.floor(start + passed()),
    monotonic: passed,
    sleep: async (ms, signal) => {
      // A timer rejects only when it is aborted, which the port defines as a normal end.
      await delay(ms / factor, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
    },
  };
};
