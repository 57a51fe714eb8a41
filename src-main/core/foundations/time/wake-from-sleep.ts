/**
 * Notices that the machine slept, or that its clock was set.
 *
 * Invariants: back-off runs on monotonic time, which may stand still in sleep; so a jump of the wall clock against it
 * (or a sleep of ours that took far too long) makes both loops look again at once.
 */
import type { Clock } from '../ports.ts';
import { CLOCK_JUMP_MS, LATE_WAKE_MS, WAKE_CHECK_EVERY_MS } from './times.ts';

/** Watches until `signal` aborts; calls `onWake` after each jump. */
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
