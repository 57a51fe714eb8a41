/**
 * Parts of long-running loops: restart after a fault, a sleep that a wake interrupts, detection of a machine that
 * slept, and a pause that lets a request leave.
 *
 * Invariants:
 * - A loop that fails restarts after a while (with full jitter). It never ends the app.
 * - A wake while no loop sleeps is not lost: the next sleep returns at once.
 */
import type { Clock, Random } from '../ports.ts';
import { CLOCK_JUMP_MS, LATE_WAKE_MS, WAKE_CHECK_EVERY_MS } from './times.ts';

const RESTART_MS = 10_000;

/**
 * Runs `loop` until it returns or `signal` aborts. `onFault` receives the error whenever the loop fails. Never
 * rejects.
 */
export async function keepRunning(
  { clock, random }: { readonly clock: Clock; readonly random: Random },
  loop: (signal: AbortSignal) => Promise<void>,
  onFault: (error: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      return await loop(signal);
    } catch (error) {
      if (signal.aborted) return;
      onFault(error);
      await clock.sleep(random.fraction() * RESTART_MS, signal);
    }
  }
}

type WakeableSleep = {
  /** Resolves with false after a wake, or at once if `signal` has already aborted. Otherwise with true. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<boolean>;
  readonly wake: () => void;
};

/** A sleep that `wake` interrupts. */
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

/**
 * Calls `onWake` when the machine slept or its clock was set, until `signal` aborts. Two signs show it: the wall
 * clock jumped against the monotonic one, which may stop during sleep, or a sleep of this loop took far too long.
 */
export async function watchForWake(clock: Clock, onWake: () => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const wall = clock.now();
    const mono = clock.monotonic();
    await clock.sleep(WAKE_CHECK_EVERY_MS, signal);
    const slept = clock.monotonic() - mono;
    const passed = clock.now() - wall;
    if (!signal.aborted && (Math.abs(passed - slept) > CLOCK_JUMP_MS || slept > LATE_WAKE_MS)) onWake();
  }
}

/**
 * Resolves when the new request was sent, as far as the connection allows. Node sends it in the second iteration of
 * the event loop, and immediate work would delay it. The caller that awaits the request handles its errors.
 */
export async function yieldToIo(request: Promise<unknown>): Promise<void> {
  request.catch(() => undefined);
  for (let turn = 0; turn < 2; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}
