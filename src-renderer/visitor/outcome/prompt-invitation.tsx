/**
 * Open consents and questions, as one card that invites the visitor and can be ignored.
 *
 * Invariants:
 * - Nothing is asked before the visitor agrees.
 * - The card names consents first, and gives the number of questions.
 * - A consent is never called a question.
 */
import { Button } from 'react-aria-components';
import { Text } from '../../messages/text.tsx';
import type { DisplayRuntime } from '../state/runtime.ts';
import { firstPromptOf, type Session } from '../state/session.ts';

/** The card; `primary`: nothing else is offered before it. */
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
  const begins = firstPromptOf(session);
  const questions = session.open.filter(({ kind }) => kind === 'question').length;
  return (
    <Button
      className="invitation"
      data-primary={primary}
      onPress={() => runtime.send({ kind: 'answerPrompts' })}
    >
      <strong>
        <Text id="invitation.title" values={{ begins, count }} />
      </strong>
      <span className="offer-note">
        {begins === 'consent' && questions > 0 ? (
          <Text id="invitation.then" values={{ count: questions }} />
        ) : (
          <Text id="invitation.sentence" />
        )}
      </span>
    </Button>
  );
}
