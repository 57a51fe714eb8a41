/**
 * "Closes by itself in 45 s": how long a view stays without input.
 *
 * Invariants:
 * - The line changes only every few seconds, so that it does not hurry the visitor.
 * - It is not a live region, because the idle prompt asks the visitor before the view closes (`outcome/idle-prompt.tsx`).
 */
import { Text } from '../../messages/text.tsx';
import { displayTimes } from '../../times.ts';
import { useTimeLeft } from '../../widgets/countdown.tsx';
import { closingOf } from '../state/timed-views.ts';
import type { View } from '../state/view.ts';

/** The line for `view` at `now` of the display's clock. Empty if the view shows no time. */
export function ClosingTime({ view, now }: { readonly view: View; readonly now: number }) {
  const closes = 'since' in view ? closingOf(view) : null;
  return closes === null ? null : <SecondsLeft key={closes} left={closes - now} />;
}

function SecondsLeft({ left }: { readonly left: number }) {
  const seconds = useTimeLeft(left, displayTimes.closingStep) / 1000;
  return (
    <span className="closing">
      <Text id="closing.seconds" values={{ seconds }} />
    </span>
  );
}
