/** Form for the hot rule: minimum rating, answers, number of contents and visits. */
import { useState } from 'react';
import { Button, Form, ToggleButton } from 'react-aria-components';
import type { HotRule } from '../../../src-main/contract/leads.ts';
import { Text, useText } from '../../messages/text.tsx';
import { useLeadWords, type Words } from '../parts/lead-words.ts';

type Question = Words['questions'][number] | Words['form'][number];

const ratings = [1, 2, 3, 4, 5] as const;
const counts = [1, 2, 3, 4, 5, 6, 8, 10] as const;

type HotRuleFormProps = { readonly rule: HotRule; readonly onKeep: (rule: HotRule) => void };

/** The form. */
export function HotRuleForm({ rule, onKeep }: HotRuleFormProps) {
  const [draft, setDraft] = useState(rule);
  const words = useLeadWords();
  const text = useText();
  const asked = [...words.questions, ...words.form].filter(
    ({ kind, options }) => kind === 'yesNo' || options.length > 0,
  );
  const numbers = words.form.filter(({ kind }) => kind === 'number' || kind === 'scale');
  return (
    <Form
      className="hot-rule-form"
      onSubmit={(event) => {
        event.preventDefault();
        onKeep({ ...draft, answers: draft.answers.filter(isUsed) });
      }}
    >
      <p>
        <Text id="rule.order" />
      </p>
      <div className="rule-fields">
        <label className="rule-field">
          <Text id="rule.fromRating" />
          <select
            className="small-field"
            value={draft.rating}
            onChange={({ target }) => setDraft({ ...draft, rating: Number(target.value) })}
          >
            {ratings.map((rating) => (
              <option key={rating} value={rating}>
                {rating}
              </option>
            ))}
          </select>
        </label>
        {asked.map((question) => (
          <QuestionField key={question.id} question={question} rule={draft} onChange={setDraft} />
        ))}
        {numbers.map(({ id, kind }) => (
          <AtLeastField
            key={id}
            className="rule-field"
            label={text('rule.fromNumber', { question: words.question(id) })}
            rule={draft}
            question={id}
            kind={kind}
            onChange={setDraft}
          />
        ))}
        <CountField name="contents" rule={draft} onChange={setDraft} />
        <CountField name="visits" rule={draft} onChange={setDraft} />
      </div>
      <Button type="submit" className="staff-button">
        <Text id="rule.keep" />
      </Button>
    </Form>
  );
}

type FieldProps = { readonly rule: HotRule; readonly onChange: (rule: HotRule) => void };

/** Whether an entry of the rule is filled in. */
export function isUsed({ options, atLeast }: HotRule['answers'][number]): boolean {
  return options.length > 0 || atLeast !== undefined;
}

type AtLeastProps = {
  readonly className: string;
  readonly label: string;
  readonly rule: HotRule;
  readonly question: string;
  readonly kind: string;
  readonly onChange: (rule: HotRule) => void;
};

/** The smallest number in the team's form that makes a lead hot. Empty: the number is ignored. */
export function AtLeastField({ className, label, rule, question, kind, onChange }: AtLeastProps) {
  const kept = rule.answers.find((one) => one.question === question)?.atLeast;
  const others = rule.answers.filter((one) => one.question !== question);
  return (
    <label className={className}>
      <span>{label}</span>
      <input
        className="small-field"
        type="number"
        step="any"
        {...(kind === 'scale' ? { min: 1, max: 5, step: 1 } : {})}
        value={kept ?? ''}
        onChange={({ target }) => {
          const atLeast = target.value === '' ? Number.NaN : Number(target.value);
          const next = Number.isFinite(atLeast) ? [{ question, options: [], atLeast }] : [];
          onChange({ ...rule, answers: [...others, ...next] });
        }}
      />
    </label>
  );
}

/** The answers to a question that make a lead hot. */
function QuestionField({ question, rule, onChange }: FieldProps & { readonly question: Question }) {
  const words = useLeadWords();
  const options = question.kind === 'yesNo' ? (['yes', 'no'] as const) : question.options.map(({ id }) => id);
  const chosen = rule.answers.find((one) => one.question === question.id)?.options ?? [];
  const set = (option: string, on: boolean) => {
    const others = rule.answers.filter((one) => one.question !== question.id);
    const next = on ? [...chosen, option] : chosen.filter((one) => one !== option);
    onChange({ ...rule, answers: [...others, { question: question.id, options: next }] });
  };
  return (
    <fieldset className="rule-field">
      <legend>
        <bdi>{words.question(question.id)}</bdi>
      </legend>
      <span className="rule-options">
        {options.map((option) => (
          <ToggleButton
            key={option}
            className="filter-chip"
            isSelected={chosen.includes(option)}
            onChange={(on) => set(option, on)}
          >
            <bdi>{words.option(question.id, option)}</bdi>
          </ToggleButton>
        ))}
      </span>
    </fieldset>
  );
}

function CountField({ name, rule, onChange }: FieldProps & { readonly name: 'contents' | 'visits' }) {
  const text = useText();
  const value = rule[name];
  const offered = value === null || counts.some((count) => count === value) ? counts : [...counts, value];
  return (
    <label className="rule-field">
      <Text id={`rule.from.${name}`} />
      <select
        className="small-field"
        value={value ?? ''}
        onChange={({ target }) =>
          onChange({ ...rule, [name]: target.value === '' ? null : Number(target.value) })
        }
      >
        <option value="">{text('rule.never')}</option>
        {offered.map((count) => (
          <option key={count} value={count}>
            {count}
          </option>
        ))}
      </select>
    </label>
  );
}
