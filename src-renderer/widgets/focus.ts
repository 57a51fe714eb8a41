/**
 * Sets the focus of a new screen, so that keys, switches and screen readers continue from there.
 *
 * Invariants:
 * - For the result of a tap, the focus moves after the paint (`afterPaint`), so that it does not delay the result.
 * - The focus goes to the part with the words and never to a button, because a scanner's Enter would press it.
 * - If a field or button inside has already taken the focus, it keeps it.
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
