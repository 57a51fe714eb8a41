/**
 * Whether the end of a scrolling part is visible.
 *
 * Invariant: for a part that does not scroll, the end is visible. The value is updated after every render and every
 * change of size.
 */
import { type RefObject, useLayoutEffect, useState } from 'react';

/** If only this much (in CSS pixels) is below the visible part, it is ignored. */
const nearly = 6;

/** True if no part of `part` follows below the visible area. */
export function useScrollEnd(part: RefObject<HTMLElement | null>): boolean {
  const [end, setEnd] = useState(true);
  useLayoutEffect(() => {
    const { current } = part;
    if (!current) return;
    const look = () => setEnd(current.scrollTop + current.clientHeight >= current.scrollHeight - nearly);
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(current);
    current.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      current.removeEventListener('scroll', look);
    };
  });
  return end;
}
