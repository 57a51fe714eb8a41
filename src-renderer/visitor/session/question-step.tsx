/**
 * One question of the partner, with as few touches as its kind allows.
 *
 * Invariants:
 * - Nothing is preselected.
 * - Every question can be skipped.
 */
import { Button } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { Answer, Question } from '../../../src-main/contract/stand.ts';
import { Text } from '../../messages/text.tsx';
import type { DisplayRuntime } from '../state/runtime.ts';
import type { Session } from '../state/session.ts';
import { Answers } from './answers.tsx';
import { SavingNote } from './saving-note.tsx';
import { StepActions } from './step-frame.tsx';

type QuestionProps = {
  readonly question: Question;
  readonly session: Session;
  readonly runtime: DisplayRuntime;
};

/** The answers to the question, and the row of controls below them. */
export function QuestionStep({ question, session, runtime }: QuestionProps) {
  const { locale } = useIntl();
  const draft = session.drafts[question.id];
  const give = (answer: Answer) => runtime.send({ kind: 'answer', language: locale, answer });
  const open = question.kind === 'several' || question.kind === 'text';
  const empty = draft === undefined || (Array.isArray(draft) && draft.length === 0) || isBlank(draft);
  return (
    <>
      <Answers
        question={question}
        draft={draft}
        change={(answer) => runtime.send({ kind: 'draft', answer })}
        give={give}
      />
      <SavingNote session={session} />
      <StepActions>
        {open ? (
          <Button
            className="pill action action-strong"
            isDisabled={empty || session.saving === 'pending'}
            onPress={() => {
              if (draft !== undefined) give(draft);
            }}
          >
            <Text id="question.next" />
          </Button>
        ) : null}
        <Button className="pill action" onPress={() => runtime.send({ kind: 'next' })}>
          <Text id="question.skip" />
        </Button>
        {session.at > 0 ? (
          <Button className="pill action action-quiet" onPress={() => runtime.send({ kind: 'back' })}>
            <Text id="question.back" />
          </Button>
        ) : null}
      </StepActions>
    </>
  );
}

function isBlank(draft: Answer | undefined): boolean {
  return typeof draft === 'string' && draft.trim() === '';
}
