/**
 * Events in order, one at a time.
 *
 * Invariant: an event that is sent while another one is delivered waits for its end, so a listener is never re-entered.
 */

/** The way to send an event to `deliver`. */
export function createEventQueue<E>(deliver: (event: E) => void): (event: E) => void {
  const waiting: E[] = [];
  let delivering = false;
  return (event) => {
    waiting.push(event);
    if (delivering) return;
    delivering = true;
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) deliver(next);
    } finally {
      delivering = false;
    }
  };
}
