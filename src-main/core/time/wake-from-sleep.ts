/**
 * Notices that the machine slept, or that its clock was set.
 *
 * Invariants: back-off runs on monotonic time, which may stand still in sleep; so a jump of the wall clock against it
 * (or a sleep of ours that took far too long) makes both loops look again at once.
 */
import type { Clock } from '../ports.ts';

const EVERY_MS = 5_000;
const JUMP_MS = 2_000;
const LATE_MS = 15_000;

/** Watches until `signal` aborts; calls `onWake` after each jump. */
export async function watchForWake(clock: Clock, onWake: () => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const wall = clock.now();
    const mono = clock.monotonic();
    await clock.sleep(EVERY_MS, signal);
    const slept = clock.monotonic() - mono;
    const passed = clock.now() - wall;
    if (!signal.aborted && (Math.abs(passed - slept) > JUMP_MS || slept > LATE_MS)) onWake();
  }
}
