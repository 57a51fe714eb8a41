/**
 * The fair in numbers: when people came, how good the leads are, who met them, what they took and answered.
 *
 * Invariants: every number says what it counts; readable from two metres; prints as shown.
 */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import type { LeadNumbers } from '../../../src-main/contract/leads.ts';
import type { Link } from '../../link/link.ts';
import { Text, useText } from '../../messages/text.tsx';
import { staffTimes } from '../../times.ts';
import { useDayWords } from '../parts/day-words.ts';
import { useLeadWords } from '../parts/lead-words.ts';
import { type Bar, BarColumns, BarList } from './bar-chart.tsx';

/** The section. */
export function NumbersSection({ link }: { readonly link: Link }) {
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
      {numbers && numbers.people > 0 ? <Charts numbers={numbers} /> : null}
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

function Charts({ numbers }: { readonly numbers: LeadNumbers }) {
  const text = useText();
  const words = useLeadWords();
  const people = text('numbers.people', { count: 2 });
  const bars = (list: readonly Omit<Bar, 'key'>[]): readonly Bar[] =>
    list.map((bar) => ({ key: bar.label, ...bar }));
  return (
    <section className="numbers" aria-label={text('staff.numbers')}>
      <Hours numbers={numbers} />
      <Days numbers={numbers} />
      <BarList
        title={text('numbers.byRating')}
        unit={people}
        bars={bars(
          numbers.ratings.map(({ rating, people: value }) => ({
            label: rating === null ? text('lead.unrated') : '★'.repeat(rating),
            value,
            strong: rating !== null && rating >= 4,
          })),
        )}
      />
      <BarList
        title={text('numbers.byStaff')}
        unit={people}
        bars={bars(
          numbers.staff.map(({ staff, people: value }) => ({
            label: staff ?? text('numbers.nobody'),
            value,
          })),
        )}
      />
      <BarList
        title={text('numbers.byContent')}
        unit={people}
        bars={bars(
          numbers.contents.slice(0, 8).map(({ content, people: value }) => ({
            label: words.content(content),
            value,
          })),
        )}
      />
      {numbers.answers.map(({ question, options }) => (
        <BarList
          key={question}
          title={words.question(question)}
          unit={people}
          bars={options.map(({ option, people: value }) => ({
            key: option,
            label: words.option(question, option),
            value,
          }))}
        />
      ))}
      <BarList
        title={text('numbers.repeats')}
        unit={people}
        bars={bars([
          { label: text('numbers.once'), value: numbers.repeats.once },
          { label: text('numbers.more'), value: numbers.repeats.again, strong: true },
        ])}
      />
    </section>
  );
}

/** A day with one hour shows a column among empty ones, not one wide bar. */
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
  const most = Math.max(...hours.map(({ people }) => people));
  const bars = hours.length === 0 ? [] : Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return (
    <BarColumns
      title={text('numbers.byHour')}
      unit={text('numbers.people', { count: 2 })}
      bars={bars.map((hour) => {
        const value = hours.find((one) => one.hour === hour)?.people ?? 0;
        return { key: String(hour), label: String(hour), value, strong: value === most };
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
      bars={numbers.days.map(({ day, people }) => ({ key: day, label: dayWord(day), value: people }))}
    />
  );
}
