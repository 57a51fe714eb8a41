/**
 * One dot under the ring per waiting tap: the next visitor sees that the tap was noticed.
 *
 * Invariant: no dot identifies a person.
 */
import { Text } from '../../messages/text.tsx';

/** More dots than this say nothing more. */
const mostDots = 6;

/** The dots; empty if no tap waits. */
export function WaitingDots({ waiting }: { readonly waiting: number }) {
  if (waiting === 0) return null;
  return (
    <p className="waiting-dots">
      {Array.from({ length: Math.min(waiting, mostDots) }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a dot is its place
        <span key={index} className="waiting-dot" aria-hidden="true" />
      ))}
      <Text id="mark.queue" values={{ count: waiting }} />
    </p>
  );
}
