/**
 * Pages of the list of leads, as the index has them.
 *
 * Invariants: a line is as the index knows it, but where its facts are on their way is read from the journal each time;
 * lines, the place after them and the counts are of one moment when asked for in one transaction.
 */
import type { LeadFilter, LeadLine, LeadListPage, LeadPageFrom, LeadSort } from '../../contract/leads.ts';
import type { OutboxState } from '../journal/outbox.ts';
import type { Database } from '../store/database.ts';
import { deliveryOf } from './fold.ts';
import { lineOfText } from './lead-index.ts';
import { afterCursor, type Condition, columnsOf, conditionOf, cursorOf, phraseOf } from './lead-query.ts';

export type PageRequest = {
  readonly filter: LeadFilter;
  readonly sort: LeadSort;
  readonly from: LeadPageFrom;
  readonly limit: number;
};

/** A word that more leads have is looked for in their texts: gathering all that the trigrams find takes longer. */
const MANY = 1_000;

type Row = Readonly<Record<string, string | number>>;

/** Pages over the index on `database`; `isReady` says whether all leads are in it. */
export function createLeadPages(
  database: Database,
  isReady: () => boolean,
): (request: PageRequest) => LeadListPage {
  const having = database.prepare<[string, number], { rowid: number }>(
    'SELECT rowid FROM temp.said WHERE said MATCH ? LIMIT ?',
  );
  const textOf = database.prepare<[number], { line: string }>('SELECT line FROM temp.line WHERE n = ?');
  const statesOf = database.prepare<[number], { state: OutboxState }>(
    `SELECT DISTINCT coalesce(outbox.state, 'due') AS state FROM temp.part
     JOIN main.lead_fact ON lead_fact.lead = part.lead LEFT JOIN main.outbox USING (seq) WHERE part.n = ?`,
  );

  const fewHaving = (word: string): readonly number[] | null => {
    const found = having.all(phraseOf(word), MANY);
    return found.length < MANY ? found.map(({ rowid }) => rowid) : null;
  };
  const lineOf = (n: number): readonly LeadLine[] => {
    const text = textOf.get(n)?.line;
    if (text === undefined) return [];
    return [{ ...lineOfText(text), delivery: deliveryOf(statesOf.all(n).map(({ state }) => state)) }];
  };

  return ({ filter, sort, from, limit }) => {
    const found = conditionOf(filter, fewHaving);
    const after = 'after' in from ? afterCursor(sort, from.after) : null;
    const columns = columnsOf(sort);
    const where = both(found, after);
    const rows = database
      .prepare<unknown[], Row>(
        `SELECT n, ${columns.join(', ')} FROM temp.item WHERE ${where.sql} ORDER BY ${columns.join(', ')} LIMIT ? OFFSET ?`,
      )
      .all(...where.values, limit + 1, 'position' in from ? from.position : 0);
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      leads: shown.flatMap(({ n }) => lineOf(Number(n))),
      next: last === undefined ? null : cursorOf(columns.map((column) => last[column] ?? '')),
      counts: countOf(database, found),
      ready: isReady(),
    };
  };
}

function both(one: Condition, other: Condition | null): Condition {
  if (other === null) return one;
  return { sql: `(${one.sql}) AND ${other.sql}`, values: [...one.values, ...other.values] };
}

function countOf(database: Database, { sql, values }: Condition): LeadListPage['counts'] {
  const counts = database
    .prepare<unknown[], LeadListPage['counts']>(
      `SELECT count(*) AS people, coalesce(sum(taps), 0) AS taps, coalesce(sum(facts), 0) AS facts
       FROM temp.item WHERE ${sql}`,
    )
    .get(...values);
  return counts ?? { people: 0, taps: 0, facts: 0 };
}
