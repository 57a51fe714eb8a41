/**
 * Statistics of the fair: today compared with the day before and with the team's target, visits by time, ratings,
 * companies, staff members, contents and answers.
 *
 * Invariants:
 * - Every number says what it counts.
 * - Every bar of people links to the list of these people.
 * - It can be read from two metres away.
 * - It prints as shown.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { ANSWER_SEPARATOR, NOBODY } from '../../../src-main/contract/lead-filters.ts';
import type { LeadNumbers } from '../../../src-main/contract/leads.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { staffTimes } from '../../times.ts';
import { listOf } from '../address/lead-view.ts';
import { useDayWords } from '../parts/day-words.ts';
import { dayFrom } from '../parts/event-days.ts';
import { useLeadWords, type Words } from '../parts/lead-words.ts';
import { type Bar, BarColumns, BarList } from './bar-chart.tsx';

type NumbersProps = {
  readonly link: Link;
  /** The event's time zone, IANA name. */
  readonly timezone: string | undefined;
};

/** The section. */
export function NumbersSection({ link, timezone }: NumbersProps) {
  const found = useQuery({
    queryKey: ['lead-numbers'],
    queryFn: () => link.call((client, signal) => client.leads.numbers(undefined, { signal })),
    retry: true,
    retryDelay: staffTimes.retry,
  });
  const numbers = found.data;
  return (
    <>
      <header className="staff-head">
        <div className="staff-title">
          <h1>
            <Text id="staff.numbers" />
          </h1>
          <Button className="staff-button title-end" onPress={() => window.print()}>
            <Text id="staff.print" />
          </Button>
        </div>
        {numbers ? <Totals numbers={numbers} /> : null}
      </header>
      {numbers === undefined ? (
        <p className="staff-empty" role="status">
          <Text id={found.failureCount > 0 ? 'staff.listFailed' : 'staff.loading'} />
        </p>
      ) : null}
      {numbers?.people === 0 ? (
        <div className="staff-empty" role="status">
          <h2>
            <Text id="staff.noneYet" />
          </h2>
          <p>
            <Text id="numbers.noneHint" />
          </p>
        </div>
      ) : null}
      {numbers && numbers.people > 0 ? <Charts link={link} timezone={timezone} numbers={numbers} /> : null}
    </>
  );
}

function Totals({ numbers }: { readonly numbers: LeadNumbers }) {
  const { people, taps, byHand, hot, agreed, repeats } = numbers;
  const totals = [
    { id: 'numbers.people', count: people, always: true },
    { id: 'numbers.taps', count: taps, always: true },
    { id: 'numbers.byHand', count: byHand, always: false },
    { id: 'numbers.hot', count: hot, always: true },
    { id: 'numbers.agreed', count: agreed, always: true },
    { id: 'numbers.again', count: repeats.again, always: false },
  ] as const;
  return (
    <ul className="totals">
      {totals
        .filter(({ count, always }) => always || count > 0)
        .map(({ id, count }) => (
          <li key={id}>
            <strong>
              <Text id="firstSync.count" values={{ count }} />
            </strong>
            <Text id={id} values={{ count }} />
          </li>
        ))}
    </ul>
  );
}

function Charts({ link, timezone, numbers }: NumbersProps & { readonly numbers: LeadNumbers }) {
  const text = useText();
  const words = useLeadWords();
  const people = text('numbers.people', { count: 2 });
  const { repeats } = numbers;
  const intl = useIntl();
  const answerTitle = (question: string, answered: number, options: Answered['options']): string => {
    const title = words.question(question);
    if (words.form.find(({ id }) => id === question)?.kind !== 'number') return title;
    // Only numeric answers, because the question may have had another kind before.
    const values = options.flatMap(({ option, people: value }) =>
      Number.isFinite(Number(option)) ? [{ number: Number(option), value }] : [],
    );
    const count = values.reduce((all, { value }) => all + value, 0);
    const sum = values.reduce((all, { number, value }) => all + number * value, 0);
    if (count === 0) return title;
    const worded = (number: number) => intl.formatNumber(number, { maximumFractionDigits: 1 });
    const figures = { question: title, count: answered, mean: worded(sum / count), sum: worded(sum) };
    return text('numbers.ofNumber', figures);
  };
  return (
    <section className="numbers" aria-label={text('staff.numbers')}>
      <Today link={link} timezone={timezone} numbers={numbers} />
      <Days numbers={numbers} />
      <Hours numbers={numbers} />
      <BarList
        title={text('numbers.byStaff')}
        unit={people}
        bars={numbers.staff.map(({ staff, people: value, hot }) => ({
          key: staff ?? NOBODY,
          label: staff ?? text('numbers.nobody'),
          value,
          hot,
          href: listOf({ met: staff ?? NOBODY }),
        }))}
      />
      <BarList
        title={text('numbers.byCompany')}
        unit={people}
        bars={numbers.companies.map(({ company, people: value, hot }) => ({
          key: company,
          label: company,
          value,
          hot,
          href: listOf({ company }),
        }))}
      />
      <BarList
        title={text('numbers.byRating')}
        unit={people}
        bars={numbers.ratings.map(({ rating, people: value }) => ({
          key: String(rating),
          label: rating === null ? text('lead.unrated') : '★'.repeat(rating),
          value,
          href: listOf(rating === null ? { unrated: true } : { rating }),
        }))}
      />
      <BarList
        title={text('numbers.byContent')}
        unit={people}
        bars={numbers.contents.slice(0, 8).map(({ content, people: value }) => ({
          key: content,
          label: words.content(content),
          value,
          href: listOf({ content }),
        }))}
      />
      {numbers.answers.map(({ question, people: answered, options }) => (
        <BarList
          key={question}
          title={answerTitle(question, answered, options)}
          unit={people}
          bars={answerOrder(words, question, options).map(({ option, people: value }) => ({
            key: option,
            label: words.option(question, option),
            value,
            href: listOf({ answer: `${question}${ANSWER_SEPARATOR}${option}` }),
          }))}
        />
      ))}
      <BarList
        title={text('numbers.repeats')}
        unit={people}
        bars={[
          {
            key: 'once',
            label: text('numbers.once'),
            value: repeats.once,
            href: listOf({ again: false, undone: false }),
          },
          { key: 'again', label: text('numbers.more'), value: repeats.again, href: listOf({ again: true }) },
        ]}
      />
    </section>
  );
}

type Answered = LeadNumbers['answers'][number];

/** How many values of one question are drawn. */
const MOST_VALUES = 8;

/** The options of a question: those with the most people first. Days, numbers and scales keep their own order. */
function answerOrder({ form }: Words, question: string, options: Answered['options']): Answered['options'] {
  const kind = form.find(({ id }) => id === question)?.kind;
  const most = options.slice(0, MOST_VALUES);
  if (kind === 'date') return most.toSorted((one, other) => (one.option < other.option ? -1 : 1));
  if (kind !== 'number' && kind !== 'scale') return most;
  return most.toSorted((one, other) => Number(one.option) - Number(other.option));
}

/** Today beside the latest day before it, and the team's target. */
function Today({ link, timezone, numbers }: NumbersProps & { readonly numbers: LeadNumbers }) {
  const text = useText();
  const dayWord = useDayWords();
  const now = Date.now();
  const day = dayFrom(now, 0, timezone);
  const today = numbers.days.find((one) => one.day === day) ?? { people: 0, hot: 0 };
  const before = numbers.days.findLast((one) => one.day < day);
  const { target } = numbers;
  const bars: readonly Bar[] = [
    { key: day, label: text('filter.today'), value: today.people, hot: today.hot, href: listOf({ day }) },
    ...(before === undefined
      ? []
      : [
          {
            key: before.day,
            label:
              before.day === dayFrom(now, -1, timezone) ? text('numbers.yesterday') : dayWord(before.day),
            value: before.people,
            hot: before.hot,
            href: listOf({ day: before.day }),
          },
        ]),
    ...(target === null ? [] : [{ key: 'target', label: text('numbers.target'), value: target }]),
  ];
  return (
    <BarList title={text('numbers.today')} unit={text('numbers.people', { count: 2 })} bars={bars}>
      <TargetField key={target} link={link} target={target} />
    </BarList>
  );
}

/** The number of people the team wants to meet in a day. */
function TargetField({ link, target }: { readonly link: Link; readonly target: number | null }) {
  const text = useText();
  const queries = useQueryClient();
  const [failed, setFailed] = useState(false);
  const keep = (typed: string) => {
    const next = typed.trim() === '' ? null : Math.min(Math.max(Math.round(Number(typed)), 1), 100_000);
    if (next === target) return;
    link
      .call((client, signal) => client.leads.changeTarget({ target: next }, { signal }))
      .then(
        ({ kept }) => setFailed(!kept),
        () => setFailed(true),
      )
      .finally(() => void queries.invalidateQueries({ queryKey: ['lead-numbers'] }));
  };
  return (
    <label className="target">
      <Text id="numbers.setTarget" />
      <input
        className="small-field"
        type="number"
        min={1}
        max={100_000}
        placeholder={text('numbers.people', { count: 2 })}
        defaultValue={target ?? ''}
        onBlur={({ target: field }) => keep(field.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
        }}
      />
      {failed ? (
        <span role="status">
          <Text id="edit.failed" />
        </span>
      ) : null}
    </label>
  );
}

/** Minimum number of hours in the chart, so that a day with one hour shows one column among empty ones. */
const fewestHours = 8;

/** People per hour of one day: the latest unless another is chosen. */
function Hours({ numbers }: { readonly numbers: LeadNumbers }) {
  const text = useText();
  const dayWord = useDayWords();
  const days = [...new Set(numbers.hours.map(({ day }) => day))];
  const [chosen, setChosen] = useState<string | null>(null);
  const day = chosen !== null && days.includes(chosen) ? chosen : (days.at(-1) ?? null);
  const hours = numbers.hours.filter((hour) => hour.day === day);
  const first = Math.min(...hours.map(({ hour }) => hour));
  const to = Math.max(...hours.map(({ hour }) => hour), fewestHours - 1);
  const from = Math.min(first, to - fewestHours + 1);
  const bars = hours.length === 0 ? [] : Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return (
    <BarColumns
      title={text('numbers.byHour')}
      unit={text('numbers.people', { count: 2 })}
      bars={bars.map((hour) => {
        const { people = 0, hot = 0 } = hours.find((one) => one.hour === hour) ?? {};
        return {
          key: String(hour),
          label: String(hour),
          value: people,
          hot,
          href: listOf({ hour: `${day} ${String(hour).padStart(2, '0')}` }),
        };
      })}
    >
      {days.length > 1 ? (
        <ToggleButtonGroup
          className="chart-days"
          aria-label={text('filter.day')}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={day === null ? [] : [day]}
          onSelectionChange={(keys) => setChosen(days.find((one) => keys.has(one)) ?? null)}
        >
          {days.map((one) => (
            <ToggleButton key={one} id={one} className="label-chip">
              {dayWord(one)}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      ) : null}
    </BarColumns>
  );
}

function Days({ numbers }: { readonly numbers: LeadNumbers }) {
  const text = useText();
  const dayWord = useDayWords();
  return (
    <BarList
      title={text('numbers.byDay')}
      unit={text('numbers.people', { count: 2 })}
      bars={numbers.days.map(({ day, people, hot }) => ({
        key: day,
        label: dayWord(day),
        value: people,
        hot,
        href: listOf({ day }),
      }))}
    />
  );
}
