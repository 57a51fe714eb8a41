/**
 * One question of the partner, answered with as few touches as its kind allows.
 *
 * Invariants: one touch answers a choice, a yes or no and a rating; nothing is answered beforehand; every mark tells
 * its number, not only its place or colour; every question can be skipped.
 */
import { Button, ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { Answer, Question } from '../../../src-main/contract/stand.ts';
import { Text, useText } from '../../messages/text.tsx';
import { ownText } from '../../messages/translated-text.ts';
import type { DisplayRuntime } from '../state/runtime.ts';
import type { Session } from '../state/session.ts';
import { SavingNote } from './saving-note.tsx';
import { StepActions } from './step-frame.tsx';
import { TextAnswer } from './text-answer.tsx';

type QuestionProps = {
  readonly question: Question;
  readonly session: Session;
  readonly runtime: DisplayRuntime;
  readonly now: number;
};

/** The question with its answers and the row below. */
export function QuestionStep({ question, session, runtime, now }: QuestionProps) {
  const { locale } = useIntl();
  const draft = session.drafts[question.id];
  const give = (answer: Answer) => runtime.send({ kind: 'answer', language: locale, answer });
  const open = question.kind === 'several' || question.kind === 'text';
  const empty = draft === undefined || (Array.isArray(draft) && draft.length === 0) || isBlank(draft);
  return (
    <>
      <Answers question={question} draft={draft} give={give} runtime={runtime} />
      <SavingNote session={session} />
      <StepActions session={session} runtime={runtime} now={now}>
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

type AnswersProps = {
  readonly question: Question;
  readonly draft: Answer | undefined;
  readonly give: (answer: Answer) => void;
  readonly runtime: DisplayRuntime;
};

function Answers({ question, draft, give, runtime }: AnswersProps) {
  const { locale } = useIntl();
  const text = useText();
  const label = ownText(question.text, locale);
  switch (question.kind) {
    case 'choice':
      return (
        <fieldset className="answers" aria-label={label} data-count={question.options.length}>
          {question.options.map((option) => (
            <Button
              key={option.id}
              className="answer"
              data-chosen={Array.isArray(draft) && draft.includes(option.id)}
              onPress={() => give([option.id])}
            >
              <span dir="auto">{ownText(option.text, locale) || option.id}</span>
            </Button>
          ))}
        </fieldset>
      );
    case 'several':
      return (
        <ToggleButtonGroup
          className="answers"
          data-count={question.options.length}
          aria-label={label}
          selectionMode="multiple"
          selectedKeys={Array.isArray(draft) ? draft : []}
          onSelectionChange={(keys) =>
            runtime.send({ kind: 'draft', answer: [...keys].map((key) => String(key)) })
          }
        >
          {question.options.map((option) => (
            <ToggleButton key={option.id} id={option.id} className="answer">
              <span className="answer-box" aria-hidden="true" />
              <span dir="auto">{ownText(option.text, locale) || option.id}</span>
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      );
    case 'yesNo':
      return (
        <fieldset className="answers" aria-label={label} data-count="2">
          {[true, false].map((answer) => (
            <Button
              key={String(answer)}
              className="answer answer-big"
              data-chosen={draft === answer}
              onPress={() => give(answer)}
            >
              <Text id={answer ? 'question.yes' : 'question.no'} />
            </Button>
          ))}
        </fieldset>
      );
    case 'rating':
      return (
        <fieldset className="marks-row" aria-label={label}>
          {[1, 2, 3, 4, 5].map((mark) => (
            <Button
              key={mark}
              className="rating"
              aria-label={text('question.mark', { mark })}
              data-chosen={draft === mark}
              onPress={() => give(mark)}
            >
              <RatingMark mark={mark} />
            </Button>
          ))}
        </fieldset>
      );
    case 'text':
      return (
        <TextAnswer
          value={typeof draft === 'string' ? draft : ''}
          change={(answer) => runtime.send({ kind: 'draft', answer })}
          give={give}
        />
      );
  }
}

/** A ring that fills with its mark, and the number in it. */
function RatingMark({ mark }: { readonly mark: number }) {
  return (
    <svg className="rating-mark" viewBox="0 0 100 100" aria-hidden="true">
      <circle className="rating-track" cx="50" cy="50" r="43" />
      <circle
        className="rating-fill"
        cx="50"
        cy="50"
        r="43"
        pathLength={100}
        strokeDasharray={`${mark * 20} 100`}
        transform="rotate(-90 50 50)"
      />
      <text x="50" y="52">
        <Text id="undo.seconds" values={{ seconds: mark }} />
      </text>
    </svg>
  );
}
