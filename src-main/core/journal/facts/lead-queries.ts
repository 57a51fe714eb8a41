/**
 * Counts of leads, and the visitors they concern.
 *
 * Invariants:
 * - Reads only.
 * - Counts cost the same with 50 and with 50,000 leads.
 */
import type { Database } from '../../foundations/store/database.ts';

/** SQL: whether a row of `fact` is a tap that was turned away at a door. An unreadable payload is an ordinary fact. */
export const IS_TURNED_AWAY = `(CASE WHEN json_valid(fact.payload)
    THEN json_type(fact.payload, '$.fields.turnedAway') IS NOT NULL ELSE 0 END)`;

/** SQL: whether a row of `fact` proves a visit, undone or not. */
const IS_VISIT = `(fact.kind IN ('tap', 'checkin', 'collect') AND NOT ${IS_TURNED_AWAY})`;

// Leads without a visit. The index `lead_untapped` holds the candidates.
const NO_VISIT = `
  SELECT id FROM lead WHERE taps = 0 AND erased = 0
    AND NOT EXISTS (
      WITH RECURSIVE own(id) AS (
        SELECT lead.id UNION SELECT part.id FROM lead AS part JOIN own ON part.part_of = own.id)
      SELECT 1 FROM own JOIN lead_fact ON lead_fact.lead = own.id JOIN fact USING (seq) WHERE ${IS_VISIT})`;

/** A visitor's id and badge codes. */
export type Carrier = { readonly id: string; readonly codes: readonly string[] };

/** Number of leads of a partner. */
export type PartnerCount = { readonly partner: string; readonly leads: number };

/** The read-only part of `Leads`. */
export function createLeadQueries(database: Database): {
  readonly count: (partner: string) => number;
  readonly byPartner: () => readonly PartnerCount[];
  readonly concerned: (carriers: readonly Carrier[]) => ReadonlySet<string>;
} {
  // The total is stored (migrations/kept-counts.ts). A small index gives the rows to subtract. The plus sign
  // prevents the use of the partner index.
  const countAll = database.prepare<{ partner: string }, { n: number }>(
    `SELECT coalesce((SELECT n FROM lead_count WHERE partner = @partner), 0)
       - (SELECT count(*) FROM lead WHERE part_of IS NOT NULL AND erased = 0 AND +partner = @partner)
       - (SELECT count(*) FROM (${NO_VISIT} AND part_of IS NULL AND +partner = @partner)) AS n`,
  );
  const count = (partner: string) => countAll.get({ partner })?.n ?? 0;
  const partners = database.prepare<[], { partner: string }>(
    'SELECT partner FROM lead_count WHERE n > 0 ORDER BY partner',
  );
  const byPartner = (): readonly PartnerCount[] =>
    partners
      .all()
      .map(({ partner }) => ({ partner, leads: count(partner) }))
      .filter(({ leads }) => leads > 0);
  // One query per page of visitors: one per visitor would take longer than the rest of a first sync.
  const known = (row: string) =>
    database.prepare<[string], { value: string }>(
      `SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM ${row} = value)`,
    );
  const knownVisitors = known(`lead_key WHERE kind = 'visitor' AND code`);
  const knownBadges = known(`lead_key WHERE kind = 'badge' AND code`);
  const among = (statement: typeof knownBadges, values: readonly string[]): ReadonlySet<string> =>
    new Set(statement.all(JSON.stringify(values)).map(({ value }) => value));

  return {
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
