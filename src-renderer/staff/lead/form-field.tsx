/**
 * The team's own questions about a lead. A choice takes one touch. Each answer is saved at once as a separate fact.
 *
 * Invariants:
 * - Only the questions of the lead's visits are shown.
 * - Pressing a chosen answer again removes it.
 * - A typed answer is saved on leaving its field, when the lead closes, and before the page locks. An invalid answer
 *   stays in its field, marked, and is not saved.
 */
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { Group, ToggleButton } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { askedAbout, fitsQuestion, SCALE } from '../../../src-main/contract/form-rules.ts';
import type { FormAnswer } from '../../../src-main/contract/lead-fields.ts';
import type { LeadDetail } from '../../../src-main/contract/leads.ts';
import type { FormQuestion } from '../../../src-main/contract/stand.ts';
import { Text, useText } from '../../messages/text.tsx';
import type { Entry } from '../entry/entry.ts';
import { useDayWords } from '../parts/day-words.ts';
import { useLeadWords } from '../parts/lead-words.ts';
import { MomentField } from '../parts/moment-field.tsx';
import type { Edits } from './edits.ts';

type FormFieldProps = { readonly entry: Entry; readonly lead: LeadDetail; readonly edits: Edits };

/** The form of the stand for a lead. Empty if it has no question. */
export function FormField({ entry, lead, edits }: FormFieldProps) {
  const words = useLeadWords();
  const asked = askedAbout(words.form, lead);
  const { edit } = edits;
  const { id } = lead;
  const set = useCallback(
    async (question: string, answer: FormAnswer | null): Promise<boolean> => {
      const edited = await edit(id, { form: { [question]: answer } });
      return edited !== null && edited.kind !== 'failed';
    },
    [edit, id],
  );
  if (asked.length === 0) return null;
  return (
    <div className="team-form">
      {asked.map((question) => (
        <QuestionField
          key={question.id}
          entry={entry}
          question={question}
          answer={lead.form[question.id] ?? null}
          set={set}
        />
      ))}
    </div>
  );
}

type QuestionProps = {
  readonly entry: Entry;
  readonly question: FormQuestion;
  readonly answer: FormAnswer | null;
  /** Returns whether the device has the answer. */
  readonly set: (question: string, answer: FormAnswer | null) => Promise<boolean>;
};

function QuestionField(props: QuestionProps) {
  const { question, answer } = props;
  const words = useLeadWords();
  const title = useId();
  // An answer to an earlier version of the question is shown as text, because the controls cannot show it.
  const isEarlier = answer !== null && !fitsQuestion(question, answer);
  return (
    <Group className="form-question" aria-labelledby={title}>
      <h4 id={title}>
        <bdi>{words.question(question.id)}</bdi>
        {question.required && answer === null ? (
          <span className="form-missing">
            <Text id="form.required" />
          </span>
        ) : null}
      </h4>
      <Answer {...props} title={title} answer={isEarlier ? null : answer} />
      {isEarlier ? (
        <p className="form-earlier">
          <Text id="form.earlier" values={{ answer: words.answer(question.id, answer) }} />
        </p>
      ) : null}
    </Group>
  );
}

function Answer(props: QuestionProps & { readonly title: string }) {
  const { question, answer, set, title } = props;
  const text = useText();
  const words = useLeadWords();
  const day = useDayWords();
  const { id, kind, options } = question;
  switch (kind) {
    case 'choice':
    case 'several': {
      const chosen = Array.isArray(answer) ? answer : [];
      const toggled = (option: string, on: boolean): readonly string[] => {
        if (kind === 'choice') return on ? [option] : [];
        // In the order of the form, so that the same choices give the same answer on every device.
        return options.map((one) => one.id).filter((one) => (one === option ? on : chosen.includes(one)));
      };
      return (
        <span className="form-keys">
          {options.map((option) => (
            <ToggleButton
              key={option.id}
              className="label-chip"
              isSelected={chosen.includes(option.id)}
              onChange={(on) => {
                const next = toggled(option.id, on);
                void set(id, next.length === 0 ? null : [...next]);
              }}
            >
              <bdi>{words.option(id, option.id)}</bdi>
            </ToggleButton>
          ))}
        </span>
      );
    }
    case 'scale':
      return (
        <span className="form-keys form-scale">
          {SCALE.map((value) => (
            <ToggleButton
              key={value}
              className="label-chip"
              isSelected={answer === value}
              onChange={(on) => void set(id, on ? value : null)}
            >
              {value}
            </ToggleButton>
          ))}
        </span>
      );
    case 'date':
      return (
        <MomentField
          type="date"
          words={typeof answer === 'string' ? day(answer) : text('followUp.on')}
          aria-labelledby={title}
          value={typeof answer === 'string' ? answer : ''}
          onChange={({ target }) => {
            const { value } = target;
            // The first digits of a typed year can already be a valid year.
            if (value === '' || fitsQuestion(question, value)) void set(id, value === '' ? null : value);
          }}
        />
      );
    case 'number':
    case 'text':
      return <TypedAnswer {...props} />;
  }
}

/** A number or a line of text. */
function TypedAnswer({ entry, question, answer, set, title }: QuestionProps & { readonly title: string }) {
  const text = useText();
  const { locale } = useIntl();
  const { id, kind } = question;
  const [draft, setDraft] = useState<string | null>(null);
  const pending = useRef<string | null>(null);
  const kept = answer === null || Array.isArray(answer) ? '' : shownNumber(answer, locale);
  const read = useCallback(
    (typed: string): FormAnswer | null | undefined => {
      if (typed.trim() === '') return null;
      const given = kind === 'number' ? numberIn(typed, locale) : typed;
      return given !== null && fitsQuestion(question, given) ? given : undefined;
    },
    [kind, locale, question],
  );
  const save = useCallback(async () => {
    const typed = pending.current;
    const given = typed === null ? undefined : read(typed);
    if (typed === null || given === undefined) return;
    pending.current = null;
    // The value is held here until the device has it.
    if (!(await set(id, given))) pending.current ??= typed;
  }, [id, read, set]);
  useEffect(() => entry.saveFirst(save), [entry, save]);
  useEffect(() => () => void save(), [save]);
  const isWrong = draft !== null && read(draft) === undefined;
  return (
    <>
      <input
        className="small-field form-typed"
        type="text"
        inputMode={kind === 'number' ? 'decimal' : 'text'}
        maxLength={kind === 'number' ? 30 : 500}
        autoComplete="off"
        dir={kind === 'number' ? 'ltr' : 'auto'}
        aria-labelledby={title}
        aria-invalid={isWrong}
        value={draft ?? kept}
        onChange={({ target }) => {
          pending.current = target.value;
          setDraft(target.value);
        }}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') currentTarget.blur();
        }}
        onBlur={() => void save().then(() => setDraft(pending.current))}
      />
      {isWrong ? (
        <p className="form-wrong" role="status">
          {text('form.wrongNumber')}
        </p>
      ) : null}
    </>
  );
}

function shownNumber(answer: number | string, locale: string): string {
  if (typeof answer === 'string') return answer;
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 12, useGrouping: false }).format(answer);
}

/** Parses a typed number, with the decimal separator of `locale` or a point, and spaces between digits. */
function numberIn(typed: string, locale: string): number | null {
  const parts = new Intl.NumberFormat(locale).formatToParts(12_345.6);
  const part = (type: Intl.NumberFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? '';
  // In a language that groups digits with a point, `1.500` is fifteen hundred, and `1.5` is one and a half.
  const group = part('group');
  const spaceless = typed.normalize('NFKC').replace(/[\s'’]/gu, '');
  const [whole = ''] = spaceless.replace(/^[+-]/u, '').split(part('decimal'));
  const [first = '', ...others] = group.trim() === '' ? [whole] : whole.split(group);
  const isGrouped =
    others.length > 0 && /^\d{1,3}$/u.test(first) && others.every((three) => /^\d{3}$/u.test(three));
  const plain = (isGrouped ? spaceless.replaceAll(group, '') : spaceless).replace(part('decimal'), '.');
  return /^[+-]?(\d+\.?\d*|\.\d+)$/u.test(plain) ? Number(plain) : null;
}
