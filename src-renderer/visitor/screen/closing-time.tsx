/**
 * "Closes by itself in 45 s": how long something stays if nobody touches it, told all the while.
 *
 * Invariants: it changes every few seconds only, so that nothing hurries whoever reads; it is no live region, what asks for an
 * answer is the question whether somebody is still there (`outcome/idle-prompt.tsx`).
 */
import { Text } from '../../messages/text.tsx';
import { displayTimes } from '../../times.ts';
import { useTimeLeft } from '../../widgets/countdown.tsx';
import { closingOf } from '../state/timed-views.ts';
import type { View } from '../state/view.ts';

/** The line for `view` at `now` of the display's clock; nothing where no time is told. */
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
