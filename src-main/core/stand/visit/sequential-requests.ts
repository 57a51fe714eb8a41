/**
 * Small requests one after the other, for background jobs.
 *
 * Invariants: one that fails holds up neither the others nor the mirror: it is left for the next round of the loop, the
 * only one that retries (docs/laws.md#law-12); after a few in a row the network is believed to be away, and the rest
 * is left, too.
 */
import { ApiError } from '../../foundations/api/error-class.ts';

const FEW = 3;

/**
 * Does `work` with each of `things`; ends early when it answers `false`.
 *
 * @throws what `work` throws, unless it is an ApiError
 */
export async function eachInTurn<Thing>(
  things: Iterable<Thing>,
  work: (thing: Thing) => Promise<boolean>,
): Promise<void> {
  let failed = 0;
  for (const thing of things) {
    try {
      if (!(await work(thing))) return;
      failed = 0;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failed += 1;
      if (failed >= FEW) return;
    }
  }
}
