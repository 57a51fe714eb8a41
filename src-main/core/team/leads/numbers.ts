/**
 * Statistics of the leads, and the choices of each filter, counted in the index.
 *
 * Invariant: undone taps count only as facts. People, taps and facts are counted separately.
 */
import type { LeadFacets, LeadFilter, LeadNumbers } from '../../../contract/leads.ts';
import type { Database } from '../../foundations/store/database.ts';
import type { LeadIndex } from './lead-index.ts';
import { allOf, type Condition, conditionOf, EVERY, oneOf } from './lead-query.ts';
import { wordsOfSearch } from './search-text.ts';
import { ANSWER_SEPARATOR, type TagKind } from './tags.ts';

export type Numbers = {
  readonly numbers: () => LeadNumbers;
  /** The number of leads that each further choice would leave of `filter`. Null where counting would take too long. */
  readonly facets: (filter: LeadFilter) => Omit<LeadFacets, 'refused'> | null;
};

/** Up to this many leads are counted at once. More would delay the next search. */
const FEW = 5_000;

type Counted = { value: string; people: number; taps: number };

/** The statistics of the index. `upToDate` refreshes it before an answer. */
export function createNumbers(
  database: Database,
  index: Pick<LeadIndex, 'having'>,
  upToDate: <Result>(answer: () => Result) => Result,
): Numbers {
  const facets = createFacets(database, index);
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
        day: value.slice(0, 10),
        hour: Number(value.slice(11)),
        people,
        taps,
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

  return { facets: (filter) => upToDate(() => facets(filter)), numbers: () => upToDate(numbers) };
}

/** Counts the choices of each filter. */
function createFacets(database: Database, index: Pick<LeadIndex, 'having'>): Numbers['facets'] {
  /** The leads of a filter. Null where there are too many. */
  const among = (filter: LeadFilter): Condition | null => {
    const { leads, isAll } = index.having(wordsOfSearch(filter.search ?? ''));
    const condition = conditionOf(filter);
    if (isAll && condition.sql === EVERY.sql) return EVERY;
    if (!isAll && leads.length > FEW) return null;
    const { sql, values } = isAll ? condition : allOf([oneOf(leads), condition]);
    const rows = database
      .prepare<unknown[], { n: number }>(`SELECT n FROM temp.item WHERE ${sql} LIMIT ${FEW + 1}`)
      .all(...values);
    return rows.length > FEW ? null : oneOf(rows);
  };
  return (filter) => {
    const all = among(filter);
    if (all === null) return null;
    const count = (sql: string): number => {
      const both = allOf([all, { sql, values: [] }]);
      const counting = `SELECT count(*) AS n FROM temp.item WHERE ${both.sql}`;
      return database.prepare<unknown[], { n: number }>(counting).get(...both.values)?.n ?? 0;
    };
    // A choice replaces another of its kind, so its own kind is not narrowed.
    const ofKind = (kind: TagKind, chosen: keyof LeadFilter) => {
      const { [chosen]: own, ...others } = filter;
      const where = own === undefined ? all : (among(others) ?? all);
      return database
        .prepare<unknown[], { value: string; people: number }>(
          `SELECT tag.value, count(*) AS people FROM temp.tag JOIN temp.item USING (n)
           WHERE kind = ? AND undone = 0 AND ${where.sql} GROUP BY tag.value ORDER BY people DESC, tag.value`,
        )
        .all(kind, ...where.values);
    };
    return {
      people: count('1'),
      hot: count('cooler = 0'),
      unrated: count('rating IS NULL AND undone = 0'),
      unknown: count('unknown = 1'),
      undone: count('undone = 1'),
      undelivered: count(conditionOf({ undelivered: true }).sql),
      parked: count(conditionOf({ parked: true }).sql),
      days: ofKind('day', 'day').toSorted((one, other) => (one.value < other.value ? 1 : -1)),
      labels: ofKind('label', 'labels'),
      consents: ofKind('consent', 'consent'),
      contents: ofKind('content', 'content'),
      staff: ofKind('team', 'staff'),
    };
  };
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
