/**
 * A sleep that can be cut short: what both loops wait with.
 *
 * Invariant: a wake that comes while nobody sleeps is not lost; the next sleep returns at once.
 */
import type { Clock } from '../ports.ts';

export type WakeableSleep = {
  /** Whether nobody cut it short. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<boolean>;
  readonly wake: () => void;
};

export function createWakeableSleep(clock: Clock): WakeableSleep {
  let awake = false;
  let current: AbortController | null = null;
  return {
    sleep: async (ms, signal) => {
      if (awake || signal.aborted) {
        awake = false;
        return false;
      }
      const controller = new AbortController();
      current = controller;
      await clock.sleep(ms, AbortSignal.any([signal, controller.signal]));
      current = null;
      awake = false;
      return !controller.signal.aborted;
    },
    wake: () => {
      awake = true;
      current?.abort();
    },
  };
}
