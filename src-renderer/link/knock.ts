/**
 * Waits for a device that went away, by plain requests.
 *
 * Invariants: ends with the first answer, whatever it says; asks at even distances, often at first and with more patience
 * later; one request at a time; never rejects.
 *
 * A WebSocket that is opened in vain again and again does not serve for this: after some fifteen of them Chromium holds
 * a page's next one back for one to five seconds (services/network/websocket_throttler.cc), and a device that was just
 * started again would be met that much too late.
 */
import { linkTimes } from '../times.ts';

/** Asks until `ask` is answered. `now` in milliseconds of a clock that never goes back. */
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
