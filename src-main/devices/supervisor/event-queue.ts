/**
 * Delivers events in order, one at a time.
 *
 * Invariant: an event sent during a delivery waits for its end, so a listener is never re-entered.
 */

/** A function that sends an event to `deliver`. */
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
