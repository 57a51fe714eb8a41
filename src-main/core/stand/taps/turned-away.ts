/**
 * Visitors who were turned away at a door: taps that are no leads, listed for staff.
 *
 * Invariants:
 * - Reads only.
 * - Lists only what was captured for the present partner (docs/laws.md#law-14), and nothing that was erased.
 */
import { type TurnedAway, turnedAwaySchema } from '../../../contract/delivery.ts';
import type { Database } from '../../foundations/store/database.ts';
import { IS_TURNED_AWAY } from '../../journal/facts/lead-queries.ts';

/** Latest first. `total` counts those beyond the list, too. */
export type TurnedAwayList = { readonly entries: TurnedAway[]; readonly total: number };

const SHOWN = 100;

type Row = Omit<TurnedAway, 'reason' | 'badgeTail'> & { readonly reason: string; readonly badge: string };

/** Of one partner, named as in `journal.leads`. */
export function createTurnedAway(database: Database, partner: string): () => TurnedAwayList {
  // Searching the text first avoids parsing every tap.
  const of = `FROM fact JOIN lead_fact USING (seq) JOIN lead ON lead.id = lead_fact.lead
    WHERE fact.kind = 'tap' AND lead.partner = ? AND instr(fact.payload, '"turnedAway"') > 0 AND ${IS_TURNED_AWAY}`;
  const latest = database.prepare<[string, number], Row>(
    `SELECT fact.id AS factId, fact.at, fact.staff, lead.name, fact.payload ->> '$.badge' AS badge,
       fact.payload ->> '$.fields.turnedAway' AS reason
     ${of} ORDER BY fact.seq DESC LIMIT ?`,
  );
  const count = database.prepare<[string], { n: number }>(`SELECT count(*) AS n ${of}`);
  return () => ({
    entries: latest.all(partner, SHOWN).flatMap(({ badge, ...row }) => {
      const read = turnedAwaySchema.safeParse({ ...row, badgeTail: badge.slice(-4) });
      return read.success ? [read.data] : [];
    }),
    total: count.get(partner)?.n ?? 0,
  });
}
