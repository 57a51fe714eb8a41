/**
 * Open consents and questions as one card that invites and can be ignored.
 *
 * Invariants: nothing is asked before the visitor agrees; the card says how many there are.
 */
import { Button } from 'react-aria-components';
import { Text } from '../../messages/text.tsx';
import type { DisplayRuntime } from '../state/runtime.ts';
import type { Session } from '../state/session.ts';

/** The card; `primary` if nothing else is offered first. */
export function PromptInvitation({
  session,
  runtime,
  primary,
}: {
  readonly session: Session;
  readonly runtime: DisplayRuntime;
  readonly primary: boolean;
}) {
  const count = session.open.length;
  if (count === 0) return null;
  const only = session.open.every(({ kind }) => kind === 'consent') ? 'consent' : 'questions';
  return (
    <Button
      className="invitation"
      data-primary={primary}
      onPress={() => runtime.send({ kind: 'answerPrompts' })}
    >
      <strong>
        <Text id="invitation.title" values={{ only, count }} />
      </strong>
      <span className="offer-note">
        <Text id="invitation.sentence" />
      </span>
    </Button>
  );
}
