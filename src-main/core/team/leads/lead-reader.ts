/**
 * All queries of the stand team about leads, over a read-only connection to the journal.
 *
 * Invariants:
 * - The reader changes nothing in the journal.
 * - An answer from the index is consistent with one moment.
 * - While the index is still being read, answers from it cover the part read so far. A page says so (`ready`).
 */
import { type TurnedAway, turnedAwaySchema } from '../../../contract/delivery.ts';
import type { HotRule, LeadDetail, LeadListPage, LeadWords } from '../../../contract/leads.ts';
import type { Database } from '../../foundations/store/database.ts';
import { IS_TURNED_AWAY } from '../../journal/facts/lead-queries.ts';
import { createLeadSources } from '../../journal/facts/lead-sources.ts';
import { type Companies, createCompanies } from './companies.ts';
import { foldLead } from './fold.ts';
import { createLeadIndex } from './lead-index.ts';
import { createLeadPages, type PageRequest } from './lead-pages.ts';
import { createNumbers, type Numbers } from './numbers.ts';
import { createDayAndHour } from './time-of-day.ts';

/** Settings besides the journal on which the answers depend. */
export type LeadReaderSettings = {
  /** Partner id as `journal.leads` uses it. */
  readonly partner: string;
  readonly rule: HotRule;
  readonly words: Pick<LeadWords, 'labels' | 'questions' | 'form'>;
  readonly timezone: string;
};

/** Latest first. `total` includes those beyond the list. */
type TurnedAwayList = { readonly entries: TurnedAway[]; readonly total: number };

export type LeadReader = Numbers & {
  /** Reads more of the index. Returns false when all is read. */
  readonly read: () => boolean;
  readonly page: (request: PageRequest) => LeadListPage;
  readonly one: (id: string) => LeadDetail | null;
  readonly companies: Companies['page'];
  readonly companyOf: Companies['ofLead'];
  readonly ofCompany: Companies['leads'];
  /** The lead of the latest tap that was not undone, or null. */
  readonly last: () => string | null;
  readonly nextUnrated: (after: string | null) => { readonly lead: string | null; readonly left: number };
  /** Visitors who were turned away at a door for this partner. */
  readonly turnedAway: () => TurnedAwayList;
};

/** Leads per read, which limits the wait of a query. */
const AT_A_TIME = 250;
const TURNED_AWAY_SHOWN = 100;

/** The reader over its own read-only connection. */
export function createLeadReader(database: Database, settings: LeadReaderSettings): LeadReader {
  const sources = createLeadSources(database);
  const dayAndHour = createDayAndHour(settings.timezone);
  const index = createLeadIndex(database, sources, { ...settings, dayAndHour });
  const companies = createCompanies(database);
  const pageOf = createLeadPages(database, index);

  const of = (id: string): LeadDetail | null => {
    const source = sources.of(id);
    return source === null || source.partner !== settings.partner ? null : foldLead(source, settings.rule);
  };
  // One transaction, so that an answer is consistent and the file is not locked for each lead.
  const upToDate = <Result>(answer: () => Result): Result =>
    database.transaction((): Result => {
      index.refresh();
      return answer();
    })();

  return {
    ...createNumbers(database, index, companies, upToDate),
    companies: (request) => upToDate(() => companies.page(request)),
    companyOf: (lead) => upToDate(() => companies.ofLead(lead)),
    ofCompany: (name, most) => upToDate(() => companies.leads(name, most)),
    read: () => index.read(AT_A_TIME),
    page: (request) => upToDate(() => pageOf(request)),
    one: of,
    last: () =>
      upToDate(
        () =>
          database
            .prepare<[], { lead: string }>(
              'SELECT lead FROM temp.item WHERE undone = 0 ORDER BY later, lead LIMIT 1',
            )
            .get()?.lead ?? null,
      ),
    nextUnrated: (after) => upToDate(() => nextUnrated(database, after)),
    turnedAway: createTurnedAway(database, settings.partner),
  };
}

function nextUnrated(database: Database, after: string | null): { lead: string | null; left: number } {
  const unrated = 'rating IS NULL AND undone = 0';
  const left =
    database.prepare<[], { n: number }>(`SELECT count(*) AS n FROM temp.item WHERE ${unrated}`).get()?.n ?? 0;
  const first = database.prepare<[], { lead: string }>(
    `SELECT lead FROM temp.item WHERE ${unrated} ORDER BY later, lead LIMIT 1`,
  );
  const next = database.prepare<[string, string], { lead: string }>(
    `SELECT lead FROM temp.item WHERE ${unrated} AND lead <> ?
       AND (later, lead) > (SELECT later, lead FROM temp.item WHERE lead = ?) ORDER BY later, lead LIMIT 1`,
  );
  const found = after === null ? undefined : next.get(after, after);
  return { lead: found?.lead ?? first.get()?.lead ?? null, left };
}

type TurnedAwayRow = Omit<TurnedAway, 'reason' | 'badgeTail'> & {
  readonly reason: string;
  readonly badge: string;
};

/** Visitors who were turned away at a door for one partner: taps that are not leads. Erased ones are left out. */
function createTurnedAway(database: Database, partner: string): () => TurnedAwayList {
  // Searching the text first avoids parsing every tap.
  const of = `FROM fact JOIN lead_fact USING (seq) JOIN lead ON lead.id = lead_fact.lead
    WHERE fact.kind = 'tap' AND lead.partner = ? AND instr(fact.payload, '"turnedAway"') > 0 AND ${IS_TURNED_AWAY}`;
  const latest = database.prepare<[string, number], TurnedAwayRow>(
    `SELECT fact.id AS factId, fact.at, fact.staff, lead.name, fact.payload ->> '$.badge' AS badge,
       fact.payload ->> '$.fields.turnedAway' AS reason
     ${of} ORDER BY fact.seq DESC LIMIT ?`,
  );
  const count = database.prepare<[string], { n: number }>(`SELECT count(*) AS n ${of}`);
  return () => ({
    entries: latest.all(partner, TURNED_AWAY_SHOWN).flatMap(({ badge, ...row }) => {
      const read = turnedAwaySchema.safeParse({ ...row, badgeTail: badge.slice(-4) });
      return read.success ? [read.data] : [];
    }),
    total: count.get(partner)?.n ?? 0,
  });
}
