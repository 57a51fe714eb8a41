/**
 * The leads in numbers, and what the list can be narrowed to, counted in the index.
 *
 * Invariant: what was taken back counts for nothing, but for the facts; people, taps and facts are counted each as
 * what they are.
 */
import type { LeadFacets, LeadNumbers } from '../../contract/leads.ts';
import type { Database } from '../store/database.ts';
import { conditionOf } from './lead-query.ts';
import { ANSWER_SEPARATOR } from './tags.ts';

export type Numbers = {
  readonly numbers: () => LeadNumbers;
  readonly facets: () => LeadFacets;
};

type Counted = { value: string; people: number; taps: number };

/** The numbers over the index; `upToDate` refreshes it before an answer. */
export function createNumbers(
  database: Database,
  upToDate: <Result>(answer: () => Result) => Result,
): Numbers {
  const ofKind = database.prepare<[string], Counted>(
    `SELECT tag.value, count(*) AS people, sum(tag.taps) AS taps FROM temp.tag JOIN temp.item USING (n)
     WHERE kind = ? AND undone = 0 GROUP BY tag.value ORDER BY tag.value`,
  );
  const count = (sql: string): number =>
    database.prepare<[], { n: number }>(`SELECT count(*) AS n FROM temp.item WHERE ${sql}`).get()?.n ?? 0;
  const byPeople = (kind: string) =>
    ofKind
      .all(kind)
      .map(({ value, people }) => ({ value, people }))
      .toSorted((one, other) => other.people - one.people);
  const days = () => ofKind.all('day').map(({ value, people, taps }) => ({ day: value, people, taps }));

  const facets = (): LeadFacets => ({
    people: count('1'),
    hot: count('cooler = 0'),
    unrated: count('rating IS NULL AND undone = 0'),
    unknown: count('unknown = 1'),
    undone: count('undone = 1'),
    undelivered: count(conditionOf({ undelivered: true }).sql),
    parked: count(conditionOf({ parked: true }).sql),
    days: days()
      .map(({ day, people }) => ({ value: day, people }))
      .toReversed(),
    labels: byPeople('label'),
    consents: byPeople('consent'),
    contents: byPeople('content'),
    staff: byPeople('team'),
  });

  const numbers = (): LeadNumbers => {
    const totals = database
      .prepare<[], { people: number; taps: number; facts: number; byHand: number; again: number }>(
        `SELECT coalesce(sum(undone = 0), 0) AS people, coalesce(sum(taps), 0) AS taps, coalesce(sum(facts), 0) AS facts,
           coalesce(sum(undone = 0 AND taps = 0), 0) AS byHand, coalesce(sum(visits > 1), 0) AS again FROM temp.item`,
      )
      .get() ?? { people: 0, taps: 0, facts: 0, byHand: 0, again: 0 };
    const { again, ...sums } = totals;
    return {
      ...sums,
      hours: ofKind.all('hour').map(({ value, people, taps }) => ({
        ...{ day: value.slice(0, 10), hour: Number(value.slice(11)), people, taps },
      })),
      days: days(),
      ratings: database
        .prepare<[], { rating: number | null; people: number }>(
          'SELECT rating, count(*) AS people FROM temp.item WHERE undone = 0 GROUP BY rating ORDER BY rating',
        )
        .all(),
      staff: ofKind
        .all('met')
        .map(({ value, people, taps }) => ({ staff: value === '' ? null : value, people, taps })),
      contents: byPeople('content').map(({ value, people }) => ({ content: value, people })),
      repeats: { once: sums.people - again, again },
      answers: answersOf(byPeople('answered'), byPeople('answer')),
      hot: count('cooler = 0 AND undone = 0'),
      agreed: count('agreed = 1 AND undone = 0'),
    };
  };

  return { facets: () => upToDate(facets), numbers: () => upToDate(numbers) };
}

type People = { readonly value: string; readonly people: number };

function answersOf(answered: readonly People[], chosen: readonly People[]): LeadNumbers['answers'] {
  return answered.map(({ value: question, people }) => ({
    question,
    people,
    options: chosen.flatMap(({ value, people: choosing }) => {
      const [of, option = ''] = value.split(ANSWER_SEPARATOR);
      return of === question ? [{ option, people: choosing }] : [];
    }),
  }));
}
