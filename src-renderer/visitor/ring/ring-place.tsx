/**
 * The place of the ring: large beside an outcome, small at the top of a step. It grows when the last step closes.
 *
 * Invariants:
 * - It is the same element in both places, so that its shape continues (ring.css).
 * - The ring of an outcome is in place in the first frame: a tap waits for no movement and no measurement.
 * - During a step, nothing moves over a control. Reduced motion is respected.
 */
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { afterPaint } from '../../widgets/focus.ts';

/** `--calm` and `--ease` of tokens.css. */
const movement = { duration: 240, easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)' };

/** The place with the ring; `moves`: whether the ring may animate. */
export function RingPlace({
  small,
  moves,
  children,
}: {
  readonly small: boolean;
  readonly moves: boolean;
  readonly children: ReactNode;
}) {
  const place = useRef<HTMLDivElement>(null);
  useMovement(place, small, moves);
  return (
    <div className="ring-place" data-small={small} ref={place}>
      {children}
    </div>
  );
}

function useMovement(place: RefObject<HTMLDivElement | null>, small: boolean, moves: boolean): void {
  const before = useRef<{ readonly small: boolean; readonly box: DOMRect } | null>(null);
  useLayoutEffect(() => {
    const from = before.current;
    const ring = place.current?.querySelector('.ring');
    if (!ring || !from || from.small === small || !moves) return;
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const box = ring.getBoundingClientRect();
    before.current = { small, box };
    ring.animate([{ transform: wayBack(from.box, box) }, { transform: 'none' }], movement);
  }, [place, small, moves]);
  useEffect(() =>
    afterPaint(() => {
      const ring = place.current?.querySelector('.ring');
      // During the animation, the element's rectangle is not its final place.
      if (ring && ring.getAnimations().length === 0)
        before.current = { small, box: ring.getBoundingClientRect() };
    }),
  );
}

/** The transform that maps `to` back onto `from`. */
function wayBack(from: DOMRect, to: DOMRect): string {
  const size = (box: DOMRect) => Math.min(box.width, box.height);
  const across = from.x + from.width / 2 - (to.x + to.width / 2);
  const down = from.y + from.height / 2 - (to.y + to.height / 2);
  const scale = size(to) > 0 ? size(from) / size(to) : 1;
  return `translate(${across}px, ${down}px) scale(${scale})`;
}
