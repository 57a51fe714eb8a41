/**
 * Leads: who visited, projected from facts (`lead-projection.ts`) and named when the mirror receives visitors.
 *
 * Invariants:
 * - Every fact belongs to exactly one lead, and a lead to one partner.
 * - A lead keeps its visitor when a later fact names none.
 * - `count` and `byPartner` omit visitors who were only turned away at a door.
 * - A lead stores its own visitor data, because the mirror may be discarded but a lead may not.
 */

import type { VisitorSnapshot } from '../../event/mirror/people.ts';
import type { Database } from '../../foundations/store/database.ts';
import { createConnectionKeeper, type ToldConnection } from './connections.ts';
import type { Fact } from './fact.ts';
import {
  absorb,
  changeOf,
  type LeadChange,
  leadByKey,
  NOT_KNOWN_YET,
  nameLead,
  prepareProjection,
  projectFact,
} from './lead-projection.ts';
import { type Carrier, createLeadQueries, type PartnerCount } from './lead-queries.ts';
import { LACKS_DETAILS } from './schema.ts';

export type Leads = {
  /** Applies `fact` to the projection. Call it only inside the fact's transaction. */
  readonly project: (fact: Fact, visitor: VisitorSnapshot | null) => LeadChange;
  /** Names the visitor's own leads, and leads of these badges that have no visitor. Returns how many leads changed. */
  readonly nameBadges: (codes: readonly string[], visitor: VisitorSnapshot) => number;
  /**
   * Leads of `partner` whose visitor's contact details a hub withholds, by lead id: at most `limit`, with ids greater
   * than `after`. Leads without a tap and leads with unsent facts are omitted.
   */
  readonly lackingDetails: (
    partner: string,
    after: string,
    limit: number,
  ) => readonly { readonly lead: string; readonly visitor: string }[];
  /** Stores the contact details of a visitor with the partner's lead. Returns how many leads changed. */
  readonly keepDetails: (partner: string, visitor: VisitorSnapshot) => number;
  /** Assigns the leads to `partner` that were captured before the partner was known. Returns how many there were. */
  readonly adopt: (partner: string) => number;
  /** Stores the platform's connections with their leads. Returns how many leads changed. */
  readonly keepConnections: (connections: readonly ToldConnection[]) => number;
  /** Ids of the visitors who have a lead, found by their id or by one of their badges. */
  readonly concerned: (carriers: readonly Carrier[]) => ReadonlySet<string>;
  /** Ids of visitors who have a lead, in order: at most `limit` ids greater than `after`. */
  readonly visitorsAfter: (after: string, limit: number) => readonly string[];
  /** Badges of leads without a visitor. */
  readonly unnamedBadges: () => readonly string[];
  /** The lead of a fact, or null. */
  readonly ofFact: (seq: number) => LeadChange | null;
  /** Id of this partner's lead of a visitor, or null. */
  readonly ofVisitor: (partner: string, visitor: string) => string | null;
  /** Id of this partner's lead of a badge, or null. */
  readonly ofBadge: (partner: string, badge: string) => string | null;
  /** Whether a fact was undone. */
  readonly isUndone: (seq: number) => boolean;
  readonly count: (partner: string) => number;
  /** Number of leads per partner on this device. */
  readonly byPartner: () => readonly PartnerCount[];
};

/** Leads in the journal's database. */
export function createLeads(database: Database): Leads {
  const statements = prepareProjection(database);
  const { bySeq, ofKey } = statements;
  const unnamed = database.prepare<[], { code: string }>(
    `SELECT lead_key.code FROM lead JOIN lead_key ON lead_key.lead = lead.id
     WHERE lead.visitor IS NULL AND lead.erased = 0 AND lead_key.kind = 'badge'`,
  );
  const visitors = database
    .prepare<[string, number], string>(
      `SELECT DISTINCT code FROM lead_key WHERE kind = 'visitor' AND code > ? ORDER BY code LIMIT ?`,
    )
    .pluck();
  const undoneBy = database.prepare<[number], { undone_by: number | null }>(
    'SELECT undone_by FROM lead_fact WHERE seq = ?',
  );
  const ofUnknownPartner = database.prepare<[string], { id: string }>(
    'SELECT id FROM lead WHERE partner = ? AND erased = 0',
  );
  const keysOf = database.prepare<[string], { kind: string; code: string }>(
    'SELECT kind, code FROM lead_key WHERE lead = ?',
  );
  const setPartner = database.prepare('UPDATE lead SET partner = ? WHERE id = ?');
  const setKeyPartner = database.prepare('UPDATE lead_key SET partner = ? WHERE lead = ?');
  const nameBadges = database.transaction((codes: readonly string[], visitor: VisitorSnapshot): number => {
    let changed = 0;
    for (const own of ofKey.all('visitor', visitor.id)) {
      if (nameLead(statements, own.id, visitor)) changed += 1;
    }
    for (const code of codes) {
      for (const lead of ofKey.all('badge', code)) {
        if (lead.visitor === null && nameLead(statements, lead.id, visitor)) changed += 1;
      }
    }
    return changed;
  });

  const lacking = database.prepare<[string, string, number], { lead: string; visitor: string }>(
    `SELECT id AS lead, visitor FROM lead
     WHERE ${LACKS_DETAILS} AND partner = ? AND id > ? AND taps > 0 AND NOT EXISTS (
       SELECT 1 FROM lead_fact JOIN outbox USING (seq)
       WHERE lead_fact.lead = lead.id AND outbox.state IN ('due', 'in_flight', 'uncertain'))
     ORDER BY id LIMIT ?`,
  );
  const keepDetails = database.transaction((partner: string, visitor: VisitorSnapshot): number => {
    const lead = leadByKey(statements, 'visitor', visitor.id, partner);
    return lead !== undefined && nameLead(statements, lead.id, visitor) ? 1 : 0;
  });

  const adopt = database.transaction((partner: string): number => {
    const orphans = ofUnknownPartner.all(NOT_KNOWN_YET);
    for (const { id } of orphans) {
      const own = keysOf
        .all(id)
        .map(({ kind, code }) => leadByKey(statements, kind, code, partner))
        .find((row) => row !== undefined);
      setPartner.run(partner, id);
      if (own === undefined) setKeyPartner.run(partner, id);
      else absorb(statements, id, own.id);
    }
    return orphans.length;
  });

  return {
    project: (fact, visitor) => projectFact(statements, fact, visitor),
    nameBadges: (codes, visitor) => nameBadges(codes, visitor),
    lackingDetails: (partner, after, limit) => lacking.all(partner, after, limit),
    keepDetails: (partner, visitor) => keepDetails(partner, visitor),
    adopt: (partner) => (ofUnknownPartner.get(NOT_KNOWN_YET) === undefined ? 0 : adopt.immediate(partner)),
    keepConnections: createConnectionKeeper(
      database,
      (visitor, partner) => leadByKey(statements, 'visitor', visitor, partner)?.id ?? null,
    ),
    visitorsAfter: (after, limit) => visitors.all(after, limit),
    unnamedBadges: () => unnamed.all().map((row) => row.code),
    ofFact: (seq) => changeOf(bySeq.get(seq)),
    ofVisitor: (partner, visitor) => leadByKey(statements, 'visitor', visitor, partner)?.id ?? null,
    ofBadge: (partner, badge) => leadByKey(statements, 'badge', badge, partner)?.id ?? null,
    isUndone: (seq) => typeof undoneBy.get(seq)?.undone_by === 'number',
    ...createLeadQueries(database),
  };
}
