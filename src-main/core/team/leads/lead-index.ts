/**
 * The index of one partner's leads for lists, searches and numbers. It is in temporary in-memory tables of a
 * read-only connection to the journal, so that no tap waits for it and erased data does not stay on disk.
 *
 * Invariants:
 * - Each lead occurs once, with all its parts.
 * - `refresh` applies the journal's changes and removes leads that no longer exist.
 */
import {
  type HotRule,
  type LeadDetail,
  type LeadLine,
  type LeadWords,
  leadLineSchema,
} from '../../../contract/leads.ts';
import type { Database } from '../../foundations/store/database.ts';
import { companyKey } from '../../foundations/text/company-key.ts';
import { foldForSearch } from '../../foundations/text/fold.ts';
import type { LeadSources } from '../../journal/facts/lead-sources.ts';
import { foldLead } from './fold.ts';
import { createSearchTexts, type SearchTexts, searchTextOf } from './search-text.ts';
import { type Tag, tagsOf } from './tags.ts';
import { type CountedItem, createTally, NAMELESS, type Tally } from './tally.ts';
import type { DayAndHour } from './time-of-day.ts';

type LeadIndexSettings = {
  readonly partner: string;
  readonly rule: HotRule;
  readonly words: Pick<LeadWords, 'labels' | 'questions' | 'form'>;
  readonly dayAndHour: DayAndHour;
};

export type LeadIndex = Pick<SearchTexts, 'having'> & {
  readonly tally: Pick<Tally, 'sums' | 'ofKind' | 'byPeople'>;
  /** Reads up to `limit` more leads, latest first. Returns false when all are read. */
  readonly read: (limit: number) => boolean;
  /** Whether all leads were read once. */
  readonly isReady: () => boolean;
  /** Applies the changes since the last call. */
  readonly refresh: () => void;
};

const SCHEMA = `
  CREATE TEMP TABLE item (
    n INTEGER PRIMARY KEY,
    lead TEXT NOT NULL UNIQUE,
    later INTEGER NOT NULL,
    cooler INTEGER NOT NULL,
    lower INTEGER NOT NULL,
    rating INTEGER,
    taps INTEGER NOT NULL,
    facts INTEGER NOT NULL,
    name TEXT NOT NULL,
    company TEXT NOT NULL,
    spelling TEXT NOT NULL,
    filed TEXT,
    follow_up TEXT,
    agreed INTEGER,
    unknown INTEGER NOT NULL,
    undone INTEGER NOT NULL,
    visits INTEGER NOT NULL
  );
  CREATE INDEX temp.item_latest ON item(later, lead);
  CREATE INDEX temp.item_hot ON item(cooler, lower, later, lead);
  CREATE INDEX temp.item_name ON item(name, lead);
  CREATE INDEX temp.item_company ON item(company, name, lead);
  CREATE INDEX temp.item_spelling ON item(spelling, filed);
  CREATE TEMP TABLE line (n INTEGER PRIMARY KEY, line TEXT NOT NULL);
  CREATE TEMP TABLE part (lead TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX temp.part_of_item ON part(n);
  CREATE TEMP TABLE tag (
    kind TEXT NOT NULL, value TEXT NOT NULL, n INTEGER NOT NULL, taps INTEGER NOT NULL,
    PRIMARY KEY (kind, value, n)
  ) WITHOUT ROWID;
  CREATE INDEX temp.tag_of_item ON tag(n);
`;

/** A line as the index stores it. Delivery changes too often to be stored with it. */
type Line = Omit<LeadLine, 'delivery'>;

/** A line is stored without field names, because there are many lines. */
const LINE_FIELDS = leadLineSchema.omit({ delivery: true }).keyof().options;

const NOTE_IN_LIST = 200;

function textOfLine(lead: LeadDetail): string {
  const note =
    lead.note === null ? null : [...lead.note.slice(0, 2 * NOTE_IN_LIST)].slice(0, NOTE_IN_LIST).join('');
  return JSON.stringify(LINE_FIELDS.map((field) => (field === 'note' ? note : lead[field])));
}

/** The line that the index stored as `text`. */
export function lineOfText(text: string): Line {
  const values = JSON.parse(text) as readonly unknown[];
  return Object.fromEntries(LINE_FIELDS.map((field, index) => [field, values[index]])) as Line;
}

/** The index in its own read-only connection. */
export function createLeadIndex(
  database: Database,
  sources: LeadSources,
  settings: LeadIndexSettings,
): LeadIndex {
  database.pragma('temp_store = MEMORY');
  for (const table of ['tag', 'part', 'line', 'item']) database.exec(`DROP TABLE IF EXISTS temp.${table}`);
  database.exec(SCHEMA);
  const texts = createSearchTexts();
  const tally = createTally();
  const put = createWriter(database, texts, tally, settings);
  let known = sources.position();
  let waiting: readonly string[] = sources.ids(settings.partner);
  let at = 0;

  const write = database.transaction((ids: Iterable<string>): void => {
    for (const id of ids) {
      const source = sources.of(id);
      if (source !== null && source.partner === settings.partner)
        put(foldLead(source, settings.rule), source.rows);
      // A lead that became part of another is indexed with that one.
      if (source === null || source.id !== id || source.partner !== settings.partner) put.remove(id);
    }
  });

  return {
    having: texts.having,
    tally,
    read: (limit) => {
      write(waiting.slice(at, at + limit));
      at += limit;
      if (at >= waiting.length) waiting = [];
      return waiting.length > 0;
    },
    isReady: () => waiting.length === 0,
    refresh: () => {
      const changed = sources.changedSince(known.seq, known.number);
      known = changed;
      if (changed.leads.size > 0) write(changed.leads);
    },
  };
}

type Writer = {
  (lead: LeadDetail, rows: readonly string[]): void;
  readonly remove: (lead: string) => void;
};

/** Adds and removes leads. */
function createWriter(
  database: Database,
  texts: SearchTexts,
  tally: Tally,
  { words, dayAndHour }: LeadIndexSettings,
): Writer {
  type Item = CountedItem & { readonly n: number; readonly spelling: string; readonly filed: string | null };
  const itemOf = database.prepare<[string], Item>(
    'SELECT n, spelling, filed, cooler, rating, company, taps, facts, agreed, unknown, undone, visits FROM temp.item WHERE lead = ?',
  );
  const tagsOfItem = database.prepare<[number], Tag>('SELECT kind, value, taps FROM temp.tag WHERE n = ?');
  const insert = database.prepare(`
    INSERT INTO temp.item (lead, later, cooler, lower, rating, taps, facts, name, company, spelling, filed, follow_up, agreed,
      unknown, undone, visits)
    VALUES (@lead, @later, @cooler, @lower, @rating, @taps, @facts, @name, @company, @spelling, @filed, @followUp, @agreed,
      @unknown, @undone, @visits)`);
  const insertLine = database.prepare('INSERT INTO temp.line (n, line) VALUES (?, ?)');
  const insertPart = database.prepare('INSERT OR REPLACE INTO temp.part (lead, n) VALUES (?, ?)');
  const insertTag = database.prepare('INSERT INTO temp.tag (kind, value, n, taps) VALUES (?, ?, ?, ?)');
  const drops = [
    'DELETE FROM temp.item WHERE n = ?',
    'DELETE FROM temp.line WHERE n = ?',
    'DELETE FROM temp.part WHERE n = ?',
    'DELETE FROM temp.tag WHERE n = ?',
  ].map((sql) => database.prepare(sql));

  /**
   * The group of a spelling that the team filed: the one with most of its leads. A new lead of this spelling joins it.
   */
  const filedOf = database.prepare<[string], { filed: string }>(
    `SELECT filed FROM temp.item WHERE spelling = ? AND filed IS NOT NULL
     GROUP BY filed ORDER BY count(*) DESC, filed LIMIT 1`,
  );
  const unfiled = database.prepare<[string, string], CountedItem & { readonly n: number }>(
    `SELECT n, cooler, rating, company, taps, facts, agreed, unknown, undone, visits FROM temp.item
     WHERE spelling = ? AND filed IS NULL AND company <> ?`,
  );
  const move = database.prepare<[string, number]>('UPDATE temp.item SET company = ? WHERE n = ?');
  const groupOf = (spelling: string, byRule: string): string => filedOf.get(spelling)?.filed ?? byRule;
  /** Moves the unfiled leads of a spelling to its group, after a filed lead of this spelling was added or removed. */
  const regroup = (spelling: string, byRule: string): void => {
    const company = groupOf(spelling, byRule);
    for (const item of unfiled.all(spelling, company)) {
      // Tags do not depend on the company.
      tally.count(item, [], -1);
      move.run(company, item.n);
      tally.count({ ...item, company }, [], 1);
    }
  };

  const remove = (lead: string): void => {
    const item = itemOf.get(lead);
    if (item === undefined) return;
    const { n } = item;
    tally.count(item, tagsOfItem.all(n), -1);
    for (const drop of drops) drop.run(n);
    texts.remove(n);
    if (item.filed !== null && item.spelling !== NAMELESS) regroup(item.spelling, companyKey(item.spelling));
  };
  const put = (lead: LeadDetail, rows: readonly string[]): void => {
    for (const row of rows) remove(row);
    const spelling = sortKey(lead.company);
    const byRule = lead.company === null ? NAMELESS : companyKey(lead.company);
    const filed = lead.companyGroup === null ? null : companyKey(lead.companyGroup);
    const tags = tagsOf(lead, dayAndHour, words.form);
    const item = {
      lead: lead.id,
      later: -lead.lastAt,
      cooler: lead.hot.is ? 0 : 1,
      lower: -(lead.rating ?? 0),
      rating: lead.rating,
      taps: lead.taps,
      facts: lead.facts,
      name: sortKey(lead.name),
      company: filed ?? (lead.company === null ? NAMELESS : groupOf(spelling, byRule)),
      spelling,
      filed,
      followUp: lead.followUpOn,
      agreed: lead.agreed === null ? null : Number(lead.agreed),
      unknown: Number(lead.unknown),
      undone: Number(lead.undone),
      visits: tags.visits,
    };
    const n = insert.run(item).lastInsertRowid;
    tally.count(item, tags.all, 1);
    insertLine.run(n, textOfLine(lead));
    for (const row of rows) insertPart.run(row, n);
    for (const { kind, value, taps } of tags.all) insertTag.run(kind, value, n, taps);
    if (filed !== null && lead.company !== null) regroup(spelling, byRule);
    const { id, lastAt, taps, facts } = lead;
    texts.put({ n: Number(n), later: -lastAt, lead: id, said: searchTextOf(lead, words), taps, facts });
  };
  return Object.assign(put, { remove });
}

/** A name or company as the index sorts and compares it. */
export function sortKey(text: string | null): string {
  return text === null ? NAMELESS : foldForSearch(text).trim();
}
