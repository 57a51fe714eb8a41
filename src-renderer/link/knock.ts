/**
 * Reconnect probe: polls a device with plain requests until it answers again.
 *
 * Invariants:
 * - Ends with the first answer of any status.
 * - One request at a time, with a pause after each: short at first, longer later.
 * - Never rejects.
 *
 * It sends plain requests, because after some fifteen failed attempts Chromium delays a WebSocket by one to five
 * seconds (services/network/websocket_throttler.cc). The page would reconnect that much later.
 */
import { linkTimes } from '../times.ts';

/** Polls until `ask` is answered. `now` is in milliseconds of a monotonic clock. */
export async function knockUntilAnswered(ask: () => Promise<unknown>, now: () => number): Promise<void> {
  const since = now();
  while (!(await isAnswered(ask))) {
    const wait = now() - since < linkTimes.knockOftenFor ? linkTimes.knock : linkTimes.knockLater;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

function isAnswered(ask: () => Promise<unknown>): Promise<boolean> {
  return ask().then(
    () => true,
    () => false,
  );
}
