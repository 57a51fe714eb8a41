/** The set-up of the questions for visitors, the team's own questions about a lead, the letters and the hot rule. */
import type { ReactNode } from 'react';
import { Button, ToggleButton } from 'react-aria-components';
import { VISIT_PURPOSES } from '../../../src-main/contract/form-rules.ts';
import type { StandDraft } from '../../../src-main/contract/setup.ts';
import { Text, useText } from '../../messages/text.tsx';
import { ownText } from '../../messages/translated-text.ts';
import { AtLeastField } from '../hot-rule/hot-rule-form.tsx';
import { CheckField } from '../parts/check-field.tsx';
import { LanguageField, SelectField } from './fields.tsx';
import { LettersPart } from './letters-part.tsx';
import { replaced } from './notice-step.tsx';
import { hasOptions, newId, type SetupForm } from './setup-form.ts';

type QuestionsStepProps = {
  readonly form: SetupForm;
  readonly onChange: (change: Partial<SetupForm>) => void;
};

type Question = StandDraft['questions'][number];
type FormQuestion = StandDraft['form'][number];

const kinds = ['choice', 'several', 'rating', 'yesNo', 'text'] as const;
const formKinds = ['choice', 'several', 'scale', 'number', 'date', 'text'] as const;
const MOST_QUESTIONS = 3;
const MOST_IN_FORM = 12;
const MOST_OPTIONS = 8;

/** The step. */
export function QuestionsStep({ form, onChange }: QuestionsStepProps) {
  const { stand } = form;
  const { questions } = stand;
  const ofTeam = stand.form;
  const change = (next: Partial<StandDraft>) => onChange({ stand: { ...stand, ...next } });
  const add = () => {
    const options = [newOption(), newOption()];
    change({
      questions: [...questions, { id: newId('question', Math.random()), kind: 'choice', text: {}, options }],
    });
  };
  const text = useText();
  const addOwn = () => {
    const options = [newOption(), newOption()];
    const own = { id: newId('team', Math.random()), kind: 'choice' as const, text: {}, options };
    change({ form: [...ofTeam, { ...own, required: false, purposes: [...VISIT_PURPOSES] }] });
  };
  return (
    <>
      {questions.map((question, index) => (
        <QuestionPart
          key={question.id}
          label={text('setup.question', { number: index + 1 })}
          kinds={kinds}
          question={question}
          languages={form.languages}
          onChange={(next) => change({ questions: replaced(questions, index, next) })}
          onRemove={() => change({ questions: questions.filter((one) => one !== question) })}
        />
      ))}
      <Button
        className="staff-button line-button setup-go"
        isDisabled={questions.length >= MOST_QUESTIONS}
        onPress={add}
      >
        <Text id="setup.questionAdd" />
      </Button>
      <section className="setup-own" aria-labelledby="setup-own">
        <h3 id="setup-own">
          <Text id="setup.form" />
        </h3>
        <p className="setup-hint">
          <Text id="setup.form.hint" />
        </p>
        {ofTeam.map((question, index) => (
          <QuestionPart
            key={question.id}
            label={text('setup.form.question', { number: index + 1 })}
            kinds={formKinds}
            question={question}
            languages={form.languages}
            onChange={(next) => change({ form: replaced(ofTeam, index, next) })}
            onRemove={() => change({ form: ofTeam.filter((one) => one !== question) })}
          >
            <AskedPart
              question={question}
              onChange={(next) => change({ form: replaced(ofTeam, index, next) })}
            />
          </QuestionPart>
        ))}
        <Button
          className="staff-button line-button setup-go"
          isDisabled={ofTeam.length >= MOST_IN_FORM}
          onPress={addOwn}
        >
          <Text id="setup.form.add" />
        </Button>
      </section>
      <LettersPart
        letter={stand.letter}
        languages={form.languages}
        onChange={(letter) => change({ letter })}
      />
      <HotPart form={form} onChange={(hot) => change({ hot })} />
    </>
  );
}

function newOption(): Question['options'][number] {
  return { id: newId('option', Math.random()), text: {} };
}

type QuestionPartProps<Asked extends Question | FormQuestion> = {
  readonly label: string;
  readonly kinds: readonly Asked['kind'][];
  readonly question: Asked;
  readonly languages: readonly string[];
  readonly onChange: (question: Asked) => void;
  readonly onRemove: () => void;
  readonly children?: ReactNode;
};

function QuestionPart<Asked extends Question | FormQuestion>({
  label,
  kinds: offered,
  question,
  languages,
  onChange,
  onRemove,
  children,
}: QuestionPartProps<Asked>) {
  const text = useText();
  const { kind, options } = question;
  const withKind = (next: Asked['kind']): Asked => ({
    ...question,
    kind: next,
    options: !hasOptions(next) ? [] : options.length > 1 ? options : [newOption(), newOption()],
  });
  return (
    <div className="setup-part">
      <LanguageField
        label={label}
        languages={languages}
        texts={question.text}
        most={2_000}
        onChange={(next) => onChange({ ...question, text: next })}
      />
      <div className="setup-row">
        <SelectField
          label={text('setup.kind')}
          value={kind}
          onChange={(chosen) => onChange(withKind(offered.find((one) => one === chosen) ?? kind))}
        >
          {offered.map((one) => (
            <option key={one} value={one}>
              {text(`setup.kind.${one}`)}
            </option>
          ))}
        </SelectField>
        <Button className="mini-button" onPress={onRemove}>
          <Text id="setup.remove" />
        </Button>
      </div>
      {hasOptions(kind)
        ? options.map((option, index) => (
            <div key={option.id} className="setup-option">
              <LanguageField
                label={text('setup.option', { number: index + 1 })}
                languages={languages}
                texts={option.text}
                most={200}
                onChange={(next) =>
                  onChange({ ...question, options: replaced(options, index, { ...option, text: next }) })
                }
              />
              {options.length > 2 ? (
                <Button
                  className="mini-button"
                  aria-label={text('setup.removeOption', { number: index + 1 })}
                  onPress={() => onChange({ ...question, options: options.filter((one) => one !== option) })}
                >
                  <Text id="setup.remove" />
                </Button>
              ) : null}
            </div>
          ))
        : null}
      {hasOptions(kind) && options.length < MOST_OPTIONS ? (
        <Button
          className="mini-button setup-go"
          onPress={() => onChange({ ...question, options: [...options, newOption()] })}
        >
          <Text id="setup.optionAdd" />
        </Button>
      ) : null}
      {children}
    </div>
  );
}

type AskedProps = { readonly question: FormQuestion; readonly onChange: (question: FormQuestion) => void };

/** Whether a question of the form is required, and for which visits it is asked. */
function AskedPart({ question, onChange }: AskedProps) {
  const text = useText();
  return (
    <fieldset className="setup-languages">
      <legend>
        <Text id="setup.form.askedAt" />
      </legend>
      <span className="rule-options">
        {VISIT_PURPOSES.map((purpose) => (
          <ToggleButton
            key={purpose}
            className="filter-chip"
            isSelected={question.purposes.includes(purpose)}
            onChange={(on) => {
              const next = VISIT_PURPOSES.filter((one) =>
                one === purpose ? on : question.purposes.includes(one),
              );
              onChange({ ...question, purposes: next });
            }}
          >
            <Text id={`setup.form.purpose.${purpose}`} />
          </ToggleButton>
        ))}
      </span>
      {question.purposes.length === 0 ? (
        <p className="setup-hint">
          <Text id="setup.form.notAsked" />
        </p>
      ) : null}
      <CheckField
        label={text('setup.form.required')}
        checked={question.required}
        onChange={(required) => onChange({ ...question, required })}
      />
    </fieldset>
  );
}

type HotPartProps = { readonly form: SetupForm; readonly onChange: (hot: StandDraft['hot']) => void };

const ratings = [1, 2, 3, 4, 5] as const;
const counts = [1, 2, 3, 4, 5, 6, 8, 10] as const;

/** The rule that decides when a lead is hot. The team can change the rule on the device later. */
function HotPart({ form, onChange }: HotPartProps) {
  const text = useText();
  const { hot, questions, form: ofTeam } = form.stand;
  const language = form.languages[0] ?? 'en';
  const number = (value: string) => (value === '' ? null : Number(value));
  return (
    <fieldset className="setup-part">
      <legend>
        <Text id="setup.hot" />
      </legend>
      <p className="setup-hint">
        <Text id="rule.order" />
      </p>
      <div className="setup-row">
        <SelectField
          label={text('rule.fromRating')}
          value={hot.rating}
          onChange={(rating) => onChange({ ...hot, rating: Number(rating) })}
        >
          {ratings.map((rating) => (
            <option key={rating}>{rating}</option>
          ))}
        </SelectField>
        {(['contents', 'visits'] as const).map((name) => (
          <SelectField
            key={name}
            label={text(`rule.from.${name}`)}
            value={hot[name] ?? ''}
            onChange={(value) => onChange({ ...hot, [name]: number(value) })}
          >
            <option value="">{text('rule.never')}</option>
            {[...new Set([...counts, ...(hot[name] === null ? [] : [hot[name]])])].map((count) => (
              <option key={count}>{count}</option>
            ))}
          </SelectField>
        ))}
      </div>
      {[...questions, ...ofTeam]
        .filter(({ kind }) => kind === 'yesNo' || hasOptions(kind))
        .map(({ id, kind, text: words, options }) => (
          <fieldset key={id} className="setup-languages">
            <legend>
              <bdi>{ownText(words, language) || text('setup.hotAnswers')}</bdi>
            </legend>
            <span className="rule-options">
              {(kind === 'yesNo'
                ? (['yes', 'no'] as const).map((answer) => ({ id: answer, name: text(`setup.${answer}`) }))
                : options.map((option, index) => ({
                    id: option.id,
                    name: ownText(option.text, language) || text('setup.option', { number: index + 1 }),
                  }))
              ).map((option) => {
                const chosen = hot.answers.find(({ question }) => question === id)?.options ?? [];
                const others = hot.answers.filter(({ question }) => question !== id);
                return (
                  <ToggleButton
                    key={option.id}
                    className="filter-chip"
                    isSelected={chosen.includes(option.id)}
                    onChange={(on) => {
                      const next = on ? [...chosen, option.id] : chosen.filter((one) => one !== option.id);
                      onChange({ ...hot, answers: [...others, { question: id, options: next }] });
                    }}
                  >
                    <bdi>{option.name}</bdi>
                  </ToggleButton>
                );
              })}
            </span>
          </fieldset>
        ))}
      {ofTeam
        .filter(({ kind }) => kind === 'number' || kind === 'scale')
        .map(({ id, kind, text: words }) => (
          <AtLeastField
            key={id}
            className="setup-field"
            label={text('rule.fromNumber', { question: ownText(words, language) || text('setup.form') })}
            rule={hot}
            question={id}
            kind={kind}
            onChange={(next) => onChange({ ...hot, answers: next.answers })}
          />
        ))}
    </fieldset>
  );
}
