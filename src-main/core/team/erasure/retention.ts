/**
 * Enforces the retention period: shortly after the start and every hour.
 *
 * Invariant: starts only after the platform had time to answer, because no clock is trusted without its answers.
 */
import type { Clock } from '../../foundations/ports.ts';
import { RETENTION_EVERY_MS, RETENTION_FIRST_MS } from '../../foundations/time/times.ts';
import type { ErasureService } from './service.ts';

/** Erases leads older than the retention period, until `signal` aborts. */
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
