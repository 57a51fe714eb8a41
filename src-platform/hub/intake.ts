/**
 * Limits how much one device may submit to a hub in a minute, so that a faulty or stolen device cannot fill the hub
 * or the platform.
 *
 * Invariants
 * - A device that exceeds a limit gets 429 with `Retry-After` and a sentence that states the limit. It keeps its
 *   facts and submits them later.
 * - A batch is accepted completely or not at all. A batch above the remaining limit is accepted, but the next one
 *   must wait longer.
 * - The limits are far above a busy stand, and let a device that was offline for a day catch up in minutes.
 * - An item longer than any of our devices makes (`LONGEST_ITEM`) is rejected. The other items of its batch are not
 *   affected.
 * - Each process has its own counts and loses them when it ends.
 */
import { ApiError } from '../http/errors.ts';

/** Number of facts and bytes of one device per minute. */
const MOST = { facts: 1_000, bytes: 4_000_000 } as const;
const MINUTE_MS = 60_000;
/** Maximum number of characters of one item. */
export const LONGEST_ITEM = 100_000;

/** Counts a submission of a device. @throws ApiError 429 while it may submit nothing */
export type Intake = (device: string, facts: number, bytes: number) => void;

/** The limits of all devices; `now` in milliseconds. */
export function createIntake(now: () => number): Intake {
  /** The rest of each limit, as a share of a minute. A value below 0 shows how long the device must wait. */
  const left = new Map<string, { readonly facts: number; readonly bytes: number; readonly at: number }>();
  return (device, facts, bytes) => {
    const at = now();
    const before = left.get(device) ?? { facts: 1, bytes: 1, at };
    // The clock was set back. Time is counted from now on.
    if (at < before.at) left.set(device, { ...before, at });
    const passed = Math.max(0, at - before.at) / MINUTE_MS;
    const refilled = {
      facts: Math.min(1, before.facts + passed),
      bytes: Math.min(1, before.bytes + passed),
    };
    const owed = -Math.min(refilled.facts, refilled.bytes);
    if (owed > 0) {
      const what = refilled.facts < refilled.bytes ? `${MOST.facts} facts` : `${MOST.bytes / 1_000_000} MB`;
      const seconds = String(Math.ceil((owed * MINUTE_MS) / 1_000));
      const title = `This device submitted more than ${what} in a minute; it keeps the others`;
      throw new ApiError(429, title, undefined, { 'retry-after': seconds });
    }
    left.set(device, {
      facts: refilled.facts - facts / MOST.facts,
      bytes: refilled.bytes - bytes / MOST.bytes,
      at,
    });
  };
}
