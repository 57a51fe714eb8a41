/** The automatic lock of the staff pages. */
import { useCallback, useEffect, useRef } from 'react';
import { staffTimes } from '../../times.ts';

/**
 * Calls `leave` after a time without activity, and `touch` at each activity. Returns a function that reports other
 * activity.
 */
export function useIdle(leave: () => void, touch: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const again = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(leave, staffTimes.idle);
    touch();
  }, [leave, touch]);
  useEffect(() => {
    timer.current = setTimeout(leave, staffTimes.idle);
    const signs = ['pointerdown', 'keydown', 'wheel'] as const;
    for (const sign of signs) window.addEventListener(sign, again, { passive: true });
    return () => {
      clearTimeout(timer.current);
      for (const sign of signs) window.removeEventListener(sign, again);
    };
  }, [leave, again]);
  return again;
}
