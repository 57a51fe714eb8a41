/**
 * A countdown in seconds, as a ring and a number.
 *
 * Invariant: it runs from the time that was left when it was mounted. It moves in steps, because an animation would
 * occupy frames that the next tap needs.
 */
import { useEffect, useState } from 'react';
import { Text } from '../messages/text.tsx';
import { displayTimes } from '../times.ts';

/** The ring. `total` and `left` are milliseconds. */
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

/** The whole seconds that are left, starting from `left` milliseconds at mount. */
export function useSecondsLeft(left: number): number {
  return useTimeLeft(left, 1000) / 1000;
}

/** The milliseconds that are left, in whole steps, starting from `left` at mount. */
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
