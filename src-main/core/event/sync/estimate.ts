/**
 * Estimates the remaining time of a first sync. The API returns no totals. A search finds the highest revision
 * (doubling, then halving, one record per request); the share of revisions read is the progress.
 *
 * Invariants:
 * - An estimate is only shown. No decision depends on it.
 * - The search costs at most 80 small requests.
 */
import type { ApiClient, Query } from '../../foundations/api/client.ts';
import { listPage } from '../../foundations/api/endpoints.ts';
import type { Resource } from '../mirror/resources.ts';

const MAX_PROBES = 80;

/** Roughly the highest revision of a resource, at least `from`. `beforeRequest` paces the requests. @throws ApiError */
export async function findTop(
  client: ApiClient,
  expoId: string,
  resource: Resource,
  filter: Query,
  from: bigint,
  beforeRequest: () => Promise<void>,
  signal: AbortSignal,
): Promise<bigint> {
  let probes = 0;
  const holds = async (revision: bigint): Promise<boolean> => {
    probes += 1;
    await beforeRequest();
    const page = await listPage(
      client,
      expoId,
      { ...resource, limit: 1, fromRevision: revision, filter },
      signal,
    );
    return page.kind === 'page' && page.records.length > 0;
  };
  let low = from;
  let step = 1_000n;
  while (probes < MAX_PROBES && (await holds(low + step))) {
    low += step;
    step *= 2n;
  }
  let high = low + step;
  // One percent is as exact as a progress bar can show.
  while (probes < MAX_PROBES && (high - low) * 100n > high - from) {
    const middle = (low + high) / 2n;
    if (await holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Completed share in [0, 1] and seconds left of a walk that began at `startMono`. */
export function estimate(
  walked: { readonly start: bigint; readonly now: bigint; readonly top: bigint },
  startMono: number,
  mono: number,
): { readonly share: number; readonly secondsLeft: number | null } {
  const whole = Number(walked.top - walked.start);
  const done = Number(walked.now - walked.start);
  const share = whole <= 0 ? 1 : Math.min(1, done / whole);
  const elapsed = (mono - startMono) / 1_000;
  return { share, secondsLeft: share > 0.02 ? Math.ceil((elapsed * (1 - share)) / share) : null };
}
