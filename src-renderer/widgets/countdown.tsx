/**
 * Seconds that run out, as a ring and as a number.
 *
 * Invariants: they run by themselves from what was left at the first drawing; nobody has to draw anew for them. They tick:
 * an animation would keep the page busy with a frame every few milliseconds, in front of which the next tap would wait.
 */
import { useEffect, useState } from 'react';
import { Text } from '../messages/text.tsx';
import { displayTimes } from '../times.ts';

/** A ring that shrinks with the seconds left in it; `total` and `left` in milliseconds. */
export function Countdown({ total, left }: { readonly total: number; readonly left: number }) {
  const now = useTimeLeft(left, displayTimes.countdownTick);
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
        strokeDashoffset={100 * (1 - Math.min(now / total, 1))}
      />
      <text x="20" y="21">
        <Text id="undo.seconds" values={{ seconds: Math.ceil(now / 1000) }} />
      </text>
    </svg>
  );
}

/** Whole seconds until `left` milliseconds from the first drawing on are over. */
export function useSecondsLeft(left: number): number {
  return useTimeLeft(left, 1000) / 1000;
}

/** Milliseconds until `left` from the first drawing on are over, in whole steps. */
export function useTimeLeft(left: number, step: number): number {
  const [until] = useState(() => performance.now() + left);
  const [now, setNow] = useState(() => inSteps(left, step));
  useEffect(() => {
    const tick = () => setNow(inSteps(until - performance.now(), step));
    const timer = setInterval(tick, displayTimes.countdownTick);
    return () => clearInterval(timer);
  }, [until, step]);
  return now;
}

function inSteps(left: number, step: number): number {
  return Math.max(Math.ceil(left / step), 0) * step;
}
