/**
 * What a screen does when it has come: it takes the focus, so that keys, switches and readers go on from there.
 *
 * Invariants: the result is painted first; the focus goes to the part with the words and never to a button, which a
 * scanner's Enter would press; a field or button inside that took the focus by itself keeps it; the part is a group without
 * a name (any other would be read with all that is in it), because the announcement says what happened, once.
 */

/** Puts the focus on `part`, unless it is in there already. */
export function takeFocus(part: HTMLElement | null): void {
  if (part && !part.contains(document.activeElement)) part.focus({ preventScroll: true });
}

/** Calls `then` when what was just drawn is on the screen. Returns the way to stop. */
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
