/**
 * Statistics of the leads, and the number of leads that match each filter option. Without a filter, the numbers come
 * from the tally of the index. With a filter, they are counted.
 *
 * Invariant: undone taps count only as facts. People, taps and facts are counted separately.
 */
import { ANSWER_SEPARATOR, NOBODY } from '../../../contract/lead-filters.ts';
import type { LeadFacets, LeadFilter, LeadNumbers } from '../../../contract/leads.ts';
import type { Database } from '../../foundations/store/database.ts';
import type { Companies } from './companies.ts';
import type { LeadIndex } from './lead-index.ts';
import { allOf, type Condition, conditionOf, EVERY, oneOf } from './lead-query.ts';
import { wordsOfSearch } from './search-text.ts';
import type { TagKind } from './tags.ts';

export type Numbers = {
  readonly numbers: () => Omit<LeadNumbers, 'target'>;
  /** The number of leads of `filter` that match each further choice. Null if counting would take too long. */
  readonly facets: (filter: LeadFilter) => Omit<LeadFacets, 'refused'> | null;
};

/** The most leads that are counted. A count of more would delay the next search. */
const FEW = 5_000;

/** The most companies that are listed. */
const MOST_COMPANIES = 8;

/** The statistics of the index. `upToDate` refreshes it before an answer. */
export function createNumbers(
  database: Database,
  index: Pick<LeadIndex, 'having' | 'tally'>,
  companies: Pick<Companies, 'of'>,
  upToDate: <Result>(answer: () => Result) => Result,
): Numbers {
  const { tally } = index;
  const facets = createFacets(database, index);
  const numbers = (): ReturnType<Numbers['numbers']> => {
    const { present, taps, facts, byHand, again, presentUnrated, presentHot, presentAgreed } = tally.sums;
    const ratings = tally.ofKind('rating').map(({ value, people }) => ({ rating: Number(value), people }));
    return {
      people: present,
      taps,
      facts,
      byHand,
      hours: tally.ofKind('hour').map(({ value, people, taps: tapped, hot }) => ({
        day: value.slice(0, 10),
        hour: Number(value.slice(11)),
        people,
        taps: tapped,
        hot,
      })),
      days: tally
        .ofKind('day')
        .map(({ value, people, taps: tapped, hot }) => ({ day: value, people, taps: tapped, hot })),
      ratings: presentUnrated === 0 ? ratings : [{ rating: null, people: presentUnrated }, ...ratings],
      staff: tally.ofKind('met').map(({ value, people, taps: tapped, hot }) => ({
        staff: value === NOBODY ? null : value,
        people,
        taps: tapped,
        hot,
      })),
      companies: tally.byPeople('company', MOST_COMPANIES).map(({ value }) => companies.of(value)),
      contents: tally.byPeople('content').map(({ value, people }) => ({ content: value, people })),
      repeats: { once: present - again, again },
      answers: answersOf(tally.byPeople('answered'), tally.byPeople('answer')),
      hot: presentHot,
      agreed: presentAgreed,
    };
  };

  return { facets: (filter) => upToDate(() => facets(filter)), numbers: () => upToDate(numbers) };
}

/** Counts the leads that match each filter option. */
function createFacets(database: Database, index: Pick<LeadIndex, 'having' | 'tally'>): Numbers['facets'] {
  /** The leads of a filter. Null if there are too many. */
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
    const isAll = all.sql === EVERY.sql;
    const { sums } = index.tally;
    const count = (sql: string): number => {
      const both = allOf([all, { sql, values: [] }]);
      const counting = `SELECT count(*) AS n FROM temp.item WHERE ${both.sql}`;
      return database.prepare<unknown[], { n: number }>(counting).get(...both.values)?.n ?? 0;
    };
    // The options of a kind are counted without the current choice of that kind, so that staff see the alternatives.
    const ofKind = (kind: TagKind, chosen: keyof LeadFilter) => {
      const { [chosen]: own, ...others } = filter;
      const where = own === undefined ? all : (among(others) ?? all);
      if (where.sql === EVERY.sql)
        return index.tally.byPeople(kind).map(({ value, people }) => ({ value, people }));
      return database
        .prepare<unknown[], { value: string; people: number }>(
          `SELECT tag.value, count(*) AS people FROM temp.tag JOIN temp.item USING (n)
           WHERE kind = ? AND ${where.sql} GROUP BY tag.value ORDER BY people DESC, tag.value`,
        )
        .all(kind, ...where.values);
    };
    return {
      people: isAll ? sums.all : count('1'),
      hot: isAll ? sums.hot : count('cooler = 0'),
      unrated: isAll ? sums.presentUnrated : count('rating IS NULL AND undone = 0'),
      unknown: isAll ? sums.presentUnknown : count('unknown = 1 AND undone = 0'),
      incomplete: count(conditionOf({ incomplete: true }).sql),
      undone: isAll ? sums.undone : count('undone = 1'),
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
