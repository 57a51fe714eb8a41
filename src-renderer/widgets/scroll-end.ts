/**
 * Whether the end of a part that may scroll is in sight.
 *
 * Invariant: what does not scroll has its end in sight; looked at anew after every drawing and every change of size.
 */
import { type RefObject, useLayoutEffect, useState } from 'react';

/** A finger's breadth of nothing still counts as the end, in CSS pixels. */
const nearly = 6;

/** True while nothing of `part` follows below what is in sight. */
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
