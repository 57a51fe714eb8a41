/**
 * Keeping the days of retention: looked at soon after the start and every hour.
 *
 * Invariant: begins after the first answers of the platform had time to come, because without them no clock is believed.
 */
import type { Clock } from '../../foundations/ports.ts';
import { RETENTION_EVERY_MS, RETENTION_FIRST_MS } from '../../foundations/time/times.ts';
import type { ErasureService } from './service.ts';

/** Erases what is older than the stand keeps, until `signal` aborts. */
export async function keepRetention(
  clock: Clock,
  erasure: Pick<ErasureService, 'enforceRetention'>,
  signal: AbortSignal,
): Promise<void> {
  await clock.sleep(RETENTION_FIRST_MS, signal);
  while (!signal.aborted) {
    await erasure.enforceRetention();
    await clock.sleep(RETENTION_EVERY_MS, signal);
  }
}
