/**
 * The control "Take it back" at the bottom of every screen of a session (`screen/frame.tsx` fixes its place).
 *
 * Invariant: it is shown as long as the device accepts an undo, and it reports the result.
 */
import { Button } from 'react-aria-components';
import { Text } from '../../messages/text.tsx';
import { Countdown } from '../../widgets/countdown.tsx';
import type { DisplayRuntime } from '../state/runtime.ts';
import type { Session } from '../state/session.ts';

/** "Take it back" while the device accepts it, then the result as text. */
export function UndoOffer({
  session,
  runtime,
  now,
}: {
  readonly session: Session;
  readonly runtime: DisplayRuntime;
  readonly now: number;
}) {
  switch (session.undo) {
    case 'offered':
      return (
        <Button className="pill action" onPress={runtime.undo}>
          <Countdown
            key={`${session.factId} ${session.undoUntil}`}
            total={session.undoUntil - session.undoSince}
            left={session.undoUntil - now}
          />
          <Text id="undo.offer" />
        </Button>
      );
    case 'pending':
      return (
        <p className="action-note">
          <Text id="undo.pending" />
        </p>
      );
    case 'late':
    case 'failed':
      return (
        <p className="action-note" data-tone="stop" role="alert">
          <Text id={session.undo === 'late' ? 'undo.late' : 'undo.failed'} />
        </p>
      );
    case 'expired':
      return null;
  }
}
