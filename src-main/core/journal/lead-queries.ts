/**
 * Reading leads for the stand team.
 *
 * Invariants: reads only; a page costs the same with 50 and with 50,000 leads unless a search must look at all.
 */
import type { Lead, LeadDelivery, LeadPage } from '../../contract/lead.ts';
import type { Database } from '../store/database.ts';
import { foldForSearch, isEastAsian } from '../text/fold.ts';

type ListedRow = {
  id: string;
  badge: string;
  first_at: number;
  last_at: number;
  taps: number;
  rating: number | null;
  name: string | null;
  company: string | null;
  job_title: string | null;
  place: string | null;
  parked: number;
  waiting: number;
  sent: number;
};

// A lead is as far as its least advanced fact, and one parked fact is worth showing above all.
const LISTED = `
  SELECT lead.*,
    EXISTS (SELECT 1 FROM lead_fact JOIN outbox USING (seq)
            WHERE lead_fact.lead = lead.id AND outbox.state = 'parked') AS parked,
    EXISTS (SELECT 1 FROM lead_fact JOIN outbox USING (seq)
            WHERE lead_fact.lead = lead.id AND outbox.state IN ('due', 'in_flight', 'uncertain')) AS waiting,
    EXISTS (SELECT 1 FROM lead_fact JOIN outbox USING (seq)
            WHERE lead_fact.lead = lead.id AND outbox.state = 'sent') AS sent
  FROM lead`;

/** Whether a row of `fact` is a tap at a door that let nobody in. What cannot be read is an ordinary fact. */
export const IS_TURNED_AWAY = `(CASE WHEN json_valid(fact.payload)
    THEN json_type(fact.payload, '$.fields.turnedAway') IS NOT NULL ELSE 0 END)`;

/** Whether a row of `fact` says that somebody was here, whether or not it was taken back. */
const IS_VISIT = `(fact.kind IN ('tap', 'checkin', 'collect') AND NOT ${IS_TURNED_AWAY})`;

// Named by id, so that the pages before the one asked for need no more of a lead than its index has.
const NO_VISIT = `
  SELECT id FROM lead WHERE taps = 0 AND erased = 0
    AND NOT EXISTS (SELECT 1 FROM lead_fact JOIN fact USING (seq)
                    WHERE lead_fact.lead = lead.id AND ${IS_VISIT})`;
const PRESENT = `erased = 0 AND part_of IS NULL AND partner = ? AND lead.id NOT IN (${NO_VISIT})`;

/** Words beyond these narrow no search that a person makes. */
const MOST_WORDS = 6;

/** What a word (given twice) must be part of: what is said of the person, or a badge. Names of East Asia need no blanks. */
function matchOf(word: string): string {
  const said = isEastAsian(word) ? `replace(search, ' ', '')` : 'search';
  return `(instr(${said}, ?) > 0
    OR lead.id IN (SELECT lead FROM lead_key WHERE kind = 'badge' AND instr(lower(lead_key.code), ?) > 0))`;
}

/** A visitor's id and the codes of the badges. */
export type Carrier = { readonly id: string; readonly codes: readonly string[] };

/** How many leads of a partner there are. */
export type PartnerCount = { readonly partner: string; readonly leads: number };

/** The reading half of `Leads`. */
export function createLeadQueries(database: Database): {
  readonly list: (partner: string, search: string, offset: number, limit: number) => LeadPage;
  readonly count: (partner: string) => number;
  readonly byPartner: () => readonly PartnerCount[];
  readonly concerned: (carriers: readonly Carrier[]) => ReadonlySet<string>;
} {
  const all = database.prepare<[string, number, number], ListedRow>(
    `${LISTED} WHERE ${PRESENT} ORDER BY last_at DESC, id LIMIT ? OFFSET ?`,
  );
  // Every part is counted in an index of few rows (hence the plus, which keeps a partner's index out of it); leaving out one by one would look at every lead.
  const countAll = database.prepare<{ partner: string }, { n: number }>(
    `SELECT (SELECT count(*) FROM lead WHERE erased = 0 AND partner = @partner)
       - (SELECT count(*) FROM lead WHERE part_of IS NOT NULL AND erased = 0 AND +partner = @partner)
       - (SELECT count(*) FROM (${NO_VISIT} AND part_of IS NULL AND +partner = @partner)) AS n`,
  );
  const count = (partner: string) => countAll.get({ partner })?.n ?? 0;
  const nextPartner = database.prepare<[string], { partner: string | null }>(
    'SELECT min(partner) AS partner FROM lead WHERE erased = 0 AND partner > ?',
  );
  const firstPartner = database.prepare<[], { partner: string | null }>(
    'SELECT min(partner) AS partner FROM lead WHERE erased = 0',
  );
  const byPartner = (): readonly PartnerCount[] => {
    const found: PartnerCount[] = [];
    let partner = firstPartner.get()?.partner ?? null;
    while (partner !== null) {
      found.push({ partner, leads: count(partner) });
      partner = nextPartner.get(partner)?.partner ?? null;
    }
    return found.filter(({ leads }) => leads > 0);
  };
  // A page of visitors at a time: one by one they would take longer than everything else of a first sync.
  const known = (row: string) =>
    database.prepare<[string], { value: string }>(
      `SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM ${row} = value)`,
    );
  const knownVisitors = known(`lead_key WHERE kind = 'visitor' AND code`);
  const knownBadges = known(`lead_key WHERE kind = 'badge' AND code`);
  const among = (statement: typeof knownBadges, values: readonly string[]): ReadonlySet<string> =>
    new Set(statement.all(JSON.stringify(values)).map(({ value }) => value));

  return {
    list: (partner, search, offset, limit) => {
      const words = foldForSearch(search).split(/\s+/u).filter(Boolean).slice(0, MOST_WORDS);
      if (words.length === 0)
        return { leads: all.all(partner, limit, offset).map(leadOfRow), total: count(partner) };
      const matching = [PRESENT, ...words.map(matchOf)].join(' AND ');
      const found = database.prepare<[string, ...string[], number, number], ListedRow>(
        `${LISTED} WHERE ${matching} ORDER BY last_at DESC, id LIMIT ? OFFSET ?`,
      );
      const counted = database.prepare<[string, ...string[]], { n: number }>(
        `SELECT count(*) AS n FROM lead WHERE ${matching}`,
      );
      const twice = words.flatMap((word) => [word, word]);
      return {
        leads: found.all(partner, ...twice, limit, offset).map(leadOfRow),
        total: counted.get(partner, ...twice)?.n ?? 0,
      };
    },
    count,
    byPartner,
    concerned: (carriers) => {
      const visitors = among(
        knownVisitors,
        carriers.map(({ id }) => id),
      );
      const badges = among(
        knownBadges,
        carriers.flatMap(({ codes }) => codes),
      );
      const isConcerned = ({ id, codes }: Carrier) =>
        visitors.has(id) || codes.some((code) => badges.has(code));
      return new Set(carriers.filter(isConcerned).map(({ id }) => id));
    },
  };
}

function leadOfRow(row: ListedRow): Lead {
  return {
    id: row.id,
    name: row.name,
    company: row.company,
    jobTitle: row.job_title,
    place: row.place,
    badgeTail: row.badge.slice(-4),
    taps: row.taps,
    firstAt: row.first_at,
    lastAt: row.last_at,
    rating: row.rating,
    undone: row.taps === 0,
    delivery: deliveryOf(row),
  };
}

function deliveryOf(row: ListedRow): LeadDelivery {
  if (row.parked === 1) return 'parked';
  if (row.waiting === 1) return 'waiting';
  return row.sent === 1 ? 'sent' : 'confirmed';
}
