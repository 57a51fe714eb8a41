/**
 * A filter and an order as SQL over the index.
 *
 * Invariants:
 * - Values are bound, never part of the statement's text.
 * - A page continues after the last line of the previous one, so that new leads move no line.
 * - The order is total.
 */
import type { LeadFilter, LeadSort } from '../../../contract/leads.ts';
import { companyKey } from '../../foundations/text/company-key.ts';
import type { TagKind } from './tags.ts';

/** A condition with its values. */
export type Condition = { readonly sql: string; readonly values: readonly (string | number)[] };

/** Leads with a fact for which `where` holds. */
const withFacts = (where: string): string => `
  item.n IN (SELECT part.n FROM main.outbox JOIN main.lead_fact USING (seq) JOIN temp.part ON part.lead = lead_fact.lead
             WHERE ${where})`;
const PARKED = withFacts(`outbox.state = 'parked'`);
const UNSENT = withFacts(`outbox.state IN ('due', 'in_flight', 'uncertain', 'parked')`);
/**
 * A fact that has reached only the hub counts as undelivered. The three conditions are separate, so that SQLite uses
 * an index for each.
 */
const UNDELIVERED = `${UNSENT} OR ${withFacts('outbox.at_box = 1')}
  OR ${withFacts(`outbox.of_team = 1 AND outbox.state = 'sent'`)}`;

const INCOMPLETE = `item.n IN (SELECT n FROM temp.tag WHERE kind = 'missing')`;

/** The condition on `item`, except for the search text. */
export function conditionOf(filter: LeadFilter): Condition {
  const parts = [
    ...flags(filter),
    ...tagged('day', filter.day),
    ...tagged('consent', filter.consent),
    ...tagged('content', filter.content),
    ...tagged('team', filter.staff),
    ...tagged('hour', filter.hour),
    ...(filter.rating === undefined
      ? []
      : [{ sql: 'item.rating = ? AND item.undone = 0', values: [filter.rating] }]),
    ...(filter.company === undefined
      ? []
      : [{ sql: 'item.company = ? AND item.undone = 0', values: [companyKey(filter.company)] }]),
    ...tagged('met', filter.met),
    ...tagged('answer', filter.answer),
    ...(filter.labels === undefined || filter.labels.length === 0 ? [] : [oneOfLabels(filter.labels)]),
    ...(filter.ratingAtLeast === undefined
      ? []
      : [{ sql: 'item.rating >= ?', values: [filter.ratingAtLeast] }]),
    ...(filter.followUpBy === undefined ? [] : [{ sql: 'item.follow_up <= ?', values: [filter.followUpBy] }]),
    ...(filter.ids === undefined
      ? []
      : [{ sql: 'item.lead IN (SELECT value FROM json_each(?))', values: [JSON.stringify(filter.ids)] }]),
  ];
  return allOf(parts);
}

/** Matches all leads. */
export const EVERY: Condition = { sql: '1', values: [] };

/** All of these conditions. */
export function allOf(parts: readonly Condition[]): Condition {
  return {
    sql: parts.length === 0 ? EVERY.sql : parts.map(({ sql }) => `(${sql})`).join(' AND '),
    values: parts.flatMap(({ values }) => values),
  };
}

/** Any of these leads. */
export function oneOf(leads: readonly { readonly n: number }[]): Condition {
  const numbers = JSON.stringify(leads.map(({ n }) => n));
  return { sql: 'item.n IN (SELECT value FROM json_each(?))', values: [numbers] };
}

function flags({
  hot,
  unrated,
  unknown,
  undone,
  byHand,
  again,
  incomplete,
  undelivered,
  parked,
}: LeadFilter): readonly Condition[] {
  const flag = (wanted: boolean | undefined, sql: string): readonly Condition[] =>
    wanted === undefined ? [] : [{ sql: wanted ? sql : `NOT (${sql})`, values: [] }];
  return [
    ...flag(hot, 'item.cooler = 0'),
    ...flag(unrated, 'item.rating IS NULL AND item.undone = 0'),
    ...flag(unknown, 'item.unknown = 1 AND item.undone = 0'),
    ...flag(undone, 'item.undone = 1'),
    ...flag(byHand, 'item.taps = 0 AND item.undone = 0'),
    ...flag(again, 'item.visits > 1'),
    ...flag(incomplete, INCOMPLETE),
    ...flag(undelivered, UNDELIVERED),
    ...flag(parked, PARKED),
  ];
}

function tagged(kind: TagKind, value: string | undefined): readonly Condition[] {
  if (value === undefined) return [];
  return [{ sql: 'item.n IN (SELECT n FROM temp.tag WHERE kind = ? AND value = ?)', values: [kind, value] }];
}

function oneOfLabels(labels: readonly string[]): Condition {
  return {
    sql: `item.n IN (SELECT n FROM temp.tag WHERE kind = 'label' AND value IN (SELECT value FROM json_each(?)))`,
    values: [JSON.stringify(labels)],
  };
}

/** The columns of an order, all ascending. The last one makes it total. */
const ORDERS: Readonly<Record<LeadSort, readonly string[]>> = {
  latest: ['later', 'lead'],
  hot: ['cooler', 'lower', 'later', 'lead'],
  name: ['name', 'lead'],
  company: ['company', 'name', 'lead'],
};

/** The columns of an order. */
export function columnsOf(sort: LeadSort): readonly string[] {
  return ORDERS[sort];
}

/** The lines after the one that `cursor` names. Null when the cursor does not belong to this order. */
export function afterCursor(sort: LeadSort, cursor: string): Condition | null {
  const values = readCursor(cursor);
  const columns = ORDERS[sort];
  if (values === null || values.length !== columns.length) return null;
  const list = columns.map((column) => `item.${column}`).join(', ');
  return { sql: `(${list}) > (${columns.map(() => '?').join(', ')})`, values };
}

/** The cursor after a line. */
export function cursorOf(values: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

function readCursor(cursor: string): readonly (string | number)[] | null {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const isPlain =
      Array.isArray(values) &&
      values.every((value) => typeof value === 'string' || typeof value === 'number');
    return isPlain ? (values as (string | number)[]) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
