/**
 * Runs something soon after it was asked for, but not too often.
 *
 * Invariant: the last trigger is always followed by a run.
 */
import type { Clock } from '../ports.ts';

const SHORTEST_PAUSE_MS = 100;

/** Calls `run` soon after `trigger`, not more often than every 100 ms, and always once after the last trigger. */
export function createThrottle(
  clock: Clock,
  run: () => void,
): { readonly trigger: () => void; readonly stop: () => void } {
  const ended = new AbortController();
  let pending = false;
  return {
    trigger: () => {
      if (pending || ended.signal.aborted) return;
      pending = true;
      void clock.sleep(SHORTEST_PAUSE_MS, ended.signal).then(() => {
        pending = false;
        if (!ended.signal.aborted) run();
      });
    },
    stop: () => ended.abort(),
  };
}
