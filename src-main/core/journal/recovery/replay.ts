/**
 * Keeps the leads in order while older facts are recovered. The effect of later facts is removed, the older facts are
 * projected, and the later ones are projected again. All of this runs in the transaction of the older facts.
 *
 * Invariants:
 * - After each commit, the leads equal a projection of all facts in order of `seq`, unless there are more than
 *   `MOST_LATER` later facts.
 * - An erased lead does not change.
 */

import type { VisitorSnapshot } from '../../event/mirror/people.ts';
import type { Database } from '../../foundations/store/database.ts';
import { type FactRow, factOfRow } from '../facts/fact-rows.ts';
import { COUNTED_ANEW } from '../facts/lead-projection.ts';
import type { Leads } from '../facts/leads.ts';

/**
 * At most this many later facts are projected again. With more facts the order is not restored, so that taps stay
 * fast.
 */
const MOST_LATER = 1_000;

type Later = FactRow & {
  readonly lead: string;
  readonly visitor: string | null;
  readonly name: string | null;
  readonly company: string | null;
  readonly job_title: string | null;
  readonly place: string | null;
  readonly record: string | null;
};

/** Runs `work` as if the facts from `seq` on had not happened yet. Call it only inside a transaction. */
type Replay = (seq: number, work: () => void) => void;

/** Replay in the journal's database. */
export function createReplay(database: Database, leads: Leads): Replay {
  const laterFacts = database.prepare<[number, number], Later>(
    `SELECT fact.*, lead_fact.lead, lead.visitor, lead.name, lead.company, lead.job_title, lead.place, lead.record
     FROM fact JOIN lead_fact USING (seq) JOIN lead ON lead.id = lead_fact.lead
     WHERE fact.seq >= ? AND lead.erased = 0 ORDER BY fact.seq LIMIT ?`,
  );
  const forgetUndone = database.prepare('UPDATE lead_fact SET undone_by = NULL WHERE undone_by = ?');
  const dropPlace = database.prepare('DELETE FROM lead_fact WHERE seq = ?');
  const firstLeft = database.prepare<[string], { id: string }>(
    'SELECT fact.id FROM lead_fact JOIN fact USING (seq) WHERE lead = ? ORDER BY seq LIMIT 1',
  );
  const dropKeys = database.prepare('DELETE FROM lead_key WHERE lead = ?');
  const dropLead = database.prepare('DELETE FROM lead WHERE id = ?');
  const renameLead = database.prepare('UPDATE lead SET id = ? WHERE id = ?');
  const renamePlaces = database.prepare('UPDATE lead_fact SET lead = ? WHERE lead = ?');
  const renameKeys = database.prepare('UPDATE lead_key SET lead = ? WHERE lead = ?');
  const renameParts = database.prepare('UPDATE lead SET part_of = ? WHERE part_of = ?');
  const detach = database.prepare('UPDATE lead SET part_of = NULL, attached_by = NULL WHERE attached_by = ?');
  const recount = database.prepare(`UPDATE lead SET ${COUNTED_ANEW} WHERE id = @id`);

  const settle = (lead: string, later: ReadonlySet<string>): void => {
    const first = firstLeft.get(lead)?.id;
    if (first === undefined) {
      dropKeys.run(lead);
      dropLead.run(lead);
      return;
    }
    recount.run({ id: lead });
    // A lead has the id of its first fact. The later fact with this id opens its own lead again, so this lead gets the
    // id of its first remaining fact.
    if (later.has(lead)) {
      renameLead.run(first, lead);
      renamePlaces.run(first, lead);
      renameKeys.run(first, lead);
      renameParts.run(first, lead);
    }
  };

  return (seq, work) => {
    const later = laterFacts.all(seq, MOST_LATER + 1);
    if (later.length > MOST_LATER) {
      work();
      return;
    }
    database.pragma('defer_foreign_keys = ON');
    for (const fact of later) forgetUndone.run(fact.seq);
    for (const fact of later) detach.run(fact.seq);
    for (const fact of later) dropPlace.run(fact.seq);
    const ids = new Set(later.map((fact) => fact.id));
    for (const lead of new Set(later.map((fact) => fact.lead))) settle(lead, ids);
    work();
    for (const row of later) leads.project(factOfRow(row), snapshotOf(row));
  };
}

function snapshotOf(row: Later): VisitorSnapshot | null {
  return row.visitor === null || row.name === null || row.record === null
    ? null
    : {
        id: row.visitor,
        name: row.name,
        company: row.company,
        jobTitle: row.job_title,
        place: row.place,
        record: row.record,
      };
}
