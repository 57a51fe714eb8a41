/**
 * Answers to a question, one form per kind.
 *
 * Invariants:
 * - One touch answers a choice, a yes/no question and a rating.
 * - Every rating symbol shows its number, not only a position or colour.
 * - An answer in progress is part of the display's state and not stored here.
 */
import { useRef } from 'react';
import { Button, ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { Answer, Question } from '../../../src-main/contract/stand.ts';
import { Text, useText } from '../../messages/text.tsx';
import { ownText } from '../../messages/translated-text.ts';
import { useScrollEnd } from '../../widgets/scroll-end.ts';
import { TextAnswer } from './text-answer.tsx';

type AnswersProps = {
  readonly question: Question;
  readonly draft: Answer | undefined;
  /** Receives an answer in progress. */
  readonly change: (draft: Answer) => void;
  /** Receives the submitted answer. */
  readonly give: (answer: Answer) => void;
};

/** The answers to `question`. */
export function Answers({ question, draft, change, give }: AnswersProps) {
  const { locale } = useIntl();
  const label = ownText(question.text, locale);
  switch (question.kind) {
    case 'choice':
      return <Choice label={label} options={question.options} draft={draft} give={give} />;
    case 'several':
      return <Several label={label} options={question.options} draft={draft} change={change} />;
    case 'yesNo':
      return <YesNo label={label} draft={draft} give={give} />;
    case 'rating':
      return <Rating label={label} draft={draft} give={give} />;
    case 'text':
      return <TextAnswer value={typeof draft === 'string' ? draft : ''} change={change} give={give} />;
  }
}

type KindProps = Pick<AnswersProps, 'draft'> & { readonly label: string };
type GiveProps = KindProps & Pick<AnswersProps, 'give'>;
type OptionsProps = { readonly options: Question['options'] };

function Choice({ label, options, draft, give }: GiveProps & OptionsProps) {
  const { locale } = useIntl();
  const list = useRef<HTMLFieldSetElement>(null);
  const wholeInSight = useScrollEnd(list);
  return (
    <fieldset
      className="answers"
      aria-label={label}
      data-count={options.length}
      data-more={!wholeInSight}
      ref={list}
    >
      {options.map((option) => (
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
}

function Several({ label, options, draft, change }: KindProps & OptionsProps & Pick<AnswersProps, 'change'>) {
  const { locale } = useIntl();
  const list = useRef<HTMLDivElement>(null);
  const wholeInSight = useScrollEnd(list);
  return (
    <ToggleButtonGroup
      className="answers"
      data-count={options.length}
      data-more={!wholeInSight}
      ref={list}
      aria-label={label}
      selectionMode="multiple"
      selectedKeys={Array.isArray(draft) ? draft : []}
      onSelectionChange={(keys) => change([...keys].map((key) => String(key)))}
    >
      {options.map((option) => (
        <ToggleButton key={option.id} id={option.id} className="answer">
          <span className="answer-box" aria-hidden="true" />
          <span dir="auto">{ownText(option.text, locale) || option.id}</span>
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

function YesNo({ label, draft, give }: GiveProps) {
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
}

function Rating({ label, draft, give }: GiveProps) {
  const text = useText();
  return (
    <fieldset className="marks-row" aria-label={label}>
      <span className="marks-end">
        <Text id="question.lowest" />
      </span>
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
      <span className="marks-end">
        <Text id="question.highest" />
      </span>
    </fieldset>
  );
}

/** A ring that fills when it is chosen, with its number inside. */
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
