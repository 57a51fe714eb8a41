/**
 * "Take it back" under everything a session shows (`screen/frame.tsx` gives it its one place).
 *
 * Invariant: it is there as long as the device takes it, and says what became of it.
 */
import { Button } from 'react-aria-components';
import { Text } from '../../messages/text.tsx';
import { Countdown } from '../../widgets/countdown.tsx';
import type { DisplayRuntime } from '../state/runtime.ts';
import type { Session } from '../state/session.ts';

/** "Take it back" for as long as it is taken, then in words what became of it. */
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
