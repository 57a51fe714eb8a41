/**
 * Seconds that run out, as a ring and as a number.
 *
 * Invariant: they run by themselves from what was left at the first drawing; nobody has to draw anew for them.
 */
import { useEffect, useState } from 'react';
import { Text } from '../messages/text.tsx';
import { displayTimes } from '../times.ts';

/** A ring that shrinks with the seconds left in it; `total` and `left` in milliseconds. */
export function Countdown({ total, left }: { readonly total: number; readonly left: number }) {
  const [start] = useState(left);
  const seconds = useSecondsLeft(left);
  return (
    <svg className="countdown" viewBox="0 0 40 40" aria-hidden="true">
      <circle className="countdown-track" cx="20" cy="20" r="17" />
      <circle
        className="countdown-left"
        cx="20"
        cy="20"
        r="17"
        pathLength={100}
        transform="rotate(-90 20 20)"
        style={{ animationDuration: `${total}ms`, animationDelay: `${Math.min(start - total, 0)}ms` }}
      />
      <text x="20" y="21">
        <Text id="undo.seconds" values={{ seconds }} />
      </text>
    </svg>
  );
}

/** Whole seconds until `left` milliseconds from the first drawing on are over. */
export function useSecondsLeft(left: number): number {
  const [until] = useState(() => performance.now() + left);
  const [seconds, setSeconds] = useState(() => Math.ceil(left / 1000));
  useEffect(() => {
    const timer = setInterval(
      () => setSeconds(Math.max(Math.ceil((until - performance.now()) / 1000), 0)),
      displayTimes.countdownTick,
    );
    return () => clearInterval(timer);
  }, [until]);
  return seconds;
}
