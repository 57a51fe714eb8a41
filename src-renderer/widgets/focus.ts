/**
 * Focus of a new screen: it takes the focus, so that keys, switches and screen readers continue from there.
 *
 * Invariants:
 * - The result is painted first.
 * - The focus goes to the part with the words and never to a button, which a scanner's Enter would press.
 * - A field or button inside that took the focus itself keeps it.
 * - The part is a group without a name, because the announcement already says what happened.
 */

/** Focuses `part`, unless the focus is already inside it. */
export function takeFocus(part: HTMLElement | null): void {
  if (part && !part.contains(document.activeElement)) part.focus({ preventScroll: true });
}

/** Calls `then` after the next paint. Returns the function that cancels it. */
export function afterPaint(then: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(then);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
