/**
 * Pages of the list of leads, from the index.
 *
 * Invariants:
 * - A line comes from the index. Its delivery is read from the journal each time.
 * - If the caller uses one transaction, the lines, the cursor after them and the counts are consistent.
 */
import type { LeadFilter, LeadLine, LeadListPage, LeadPageFrom, LeadSort } from '../../../contract/leads.ts';
import type { Database } from '../../foundations/store/database.ts';
import { type FactPlace, PLACE_SQL } from '../../journal/facts/outbox.ts';
import { deliveryOf } from './fold.ts';
import { type LeadIndex, lineOfText } from './lead-index.ts';
import {
  afterCursor,
  allOf,
  type Condition,
  columnsOf,
  conditionOf,
  cursorOf,
  EVERY,
  oneOf,
} from './lead-query.ts';
import { type Found, wordsOfSearch } from './search-text.ts';

export type PageRequest = {
  readonly filter: LeadFilter;
  readonly sort: LeadSort;
  readonly from: LeadPageFrom;
  readonly limit: number;
};

/** Up to this many matches are sorted. With more, the list is scanned in its order until the page is full. */
const FEW = 5_000;

type Row = Readonly<Record<string, string | number>>;

/** Pages over the index on `database`. */
export function createLeadPages(
  database: Database,
  index: Pick<LeadIndex, 'having' | 'isReady'>,
): (request: PageRequest) => LeadListPage {
  const textOf = database.prepare<[number], { line: string }>('SELECT line FROM temp.line WHERE n = ?');
  const statesOf = database.prepare<[number], { state: FactPlace }>(
    `SELECT DISTINCT ${PLACE_SQL} AS state FROM temp.part
     JOIN main.lead_fact ON lead_fact.lead = part.lead LEFT JOIN main.outbox USING (seq) WHERE part.n = ?`,
  );
  const lineOf = (n: number): readonly LeadLine[] => {
    const text = textOf.get(n)?.line;
    if (text === undefined) return [];
    return [{ ...lineOfText(text), delivery: deliveryOf(statesOf.all(n).map(({ state }) => state)) }];
  };

  return ({ filter, sort, from, limit }) => {
    const condition = conditionOf(filter);
    const found = index.having(wordsOfSearch(filter.search ?? ''));
    const after = 'after' in from ? afterCursor(sort, from.after) : null;
    const columns = columnsOf(sort);
    const where = after === null ? condition : allOf([condition, after]);
    const offset = 'position' in from ? from.position : 0;
    // The search result is already in the order of the list.
    const isPlain = condition.sql === EVERY.sql && sort === 'latest' && after === null;
    const rows: readonly Row[] = isPlain
      ? found.leads.slice(offset, offset + limit + 1)
      : rowsOf(database, { columns, where, found, offset, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      leads: shown.flatMap(({ n }) => lineOf(Number(n))),
      next: last === undefined ? null : cursorOf(columns.map((column) => last[column] ?? '')),
      counts: countOf(database, condition, found),
      ready: index.isReady(),
    };
  };
}

type Wanted = {
  readonly columns: readonly string[];
  readonly where: Condition;
  readonly found: Found;
  readonly offset: number;
  readonly limit: number;
};

function rowsOf(database: Database, { columns, where, found, offset, limit }: Wanted): readonly Row[] {
  const select = ({ sql }: Condition, rest: string) =>
    database.prepare<unknown[], Row>(
      `SELECT n, ${columns.join(', ')} FROM temp.item WHERE ${sql} ORDER BY ${columns.join(', ')} ${rest}`,
    );
  if (found.isAll || found.leads.length <= FEW) {
    const these = found.isAll ? where : allOf([oneOf(found.leads), where]);
    return select(these, 'LIMIT ? OFFSET ?').all(...these.values, limit, offset);
  }
  const numbers = new Set(found.leads.map(({ n }) => n));
  const rows: Row[] = [];
  let passed = 0;
  for (const row of select(where, '').iterate(...where.values)) {
    if (!numbers.has(Number(row.n))) continue;
    passed += 1;
    if (passed > offset) rows.push(row);
    if (rows.length === limit) break;
  }
  return rows;
}

function countOf(
  database: Database,
  condition: Condition,
  { leads, taps, facts, isAll }: Found,
): LeadListPage['counts'] {
  if (condition.sql === EVERY.sql) return { people: leads.length, taps, facts };
  const { sql, values } = isAll ? condition : allOf([oneOf(leads), condition]);
  const counts = database
    .prepare<unknown[], LeadListPage['counts']>(
      `SELECT count(*) AS people, coalesce(sum(taps), 0) AS taps, coalesce(sum(facts), 0) AS facts
       FROM temp.item WHERE ${sql}`,
    )
    .get(...values);
  return counts ?? { people: 0, taps: 0, facts: 0 };
}
