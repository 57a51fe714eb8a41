/**
 * One dot under the ring for each waiting tap. It shows the next visitor that the tap was noticed.
 *
 * Invariant: no dot identifies a person.
 */
import { Text } from '../../messages/text.tsx';

/** More dots than this would tell the visitor nothing more. */
const mostDots = 6;

/** The dots. Empty if no tap waits. */
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
