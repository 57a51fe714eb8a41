/**
 * Runs a function soon after a trigger, but not too often.
 *
 * Invariants:
 * - The last trigger is always followed by a run, except after `stop`.
 * - An error of a run is caught, because no caller awaits the run. The first of a series is logged. The next trigger runs
 *   the function again.
 */
import type { Clock, Log } from '../ports.ts';
import { whyOf } from '../trace.ts';

const SHORTEST_PAUSE_MS = 100;

type Throttle = { readonly trigger: () => void; readonly stop: () => void };

/** Calls `run` 100 ms after a trigger. Triggers in that time share the call. `stop` cancels a pending call. */
export function createThrottle(clock: Clock, log: Log, run: () => void): Throttle {
  const ended = new AbortController();
  let pending = false;
  let isFaulty = false;
  const attempt = (): void => {
    try {
      run();
      isFaulty = false;
    } catch (error) {
      if (!isFaulty) log.error('a background job failed', { error: whyOf(error) });
      isFaulty = true;
    }
  };
  return {
    trigger: () => {
      if (pending || ended.signal.aborted) return;
      pending = true;
      void clock.sleep(SHORTEST_PAUSE_MS, ended.signal).then(() => {
        pending = false;
        if (!ended.signal.aborted) attempt();
      });
    },
    stop: () => ended.abort(),
  };
}
