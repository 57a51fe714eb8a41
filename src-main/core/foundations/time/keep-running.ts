/**
 * A loop that is meant to run as long as the app does.
 *
 * Invariant: a fault that ends it is told, and it is begun again after a while (with full jitter); it never ends the app.
 */
import type { Clock, Random } from '../ports.ts';

const RESTART_MS = 10_000;

/** Runs `loop` until it returns or `signal` aborts; `onFault` is told whatever else ended it. Never rejects. */
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
