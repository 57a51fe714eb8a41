/**
 * The facts of leads and their delivery states, counted and listed for an erasure.
 *
 * Invariant: reads only, and of one partner at a time (docs/laws.md#law-14).
 */

import type { Database } from '../../foundations/store/database.ts';
import type { FactKind } from '../../journal/facts/fact.ts';
import { AT_HUB_SQL } from '../../journal/facts/outbox.ts';
import type { OutboxState } from '../../journal/facts/transitions.ts';

export type FactOfLead = {
  readonly id: string;
  readonly kind: FactKind;
  readonly at: number;
  readonly state: OutboxState;
  readonly touchpoint: string | null;
  readonly partner: string | null;
  /** Whether the fact still has its content. */
  readonly isWhole: boolean;
  /** Whether this device captured it, as opposed to another laptop of the stand. */
  readonly isOwn: boolean;
};

/** Totals of a partner's leads that are not erased. `undelivered` counts facts that are due, in flight or uncertain. */
export type PartnerSum = {
  readonly facts: number;
  readonly undelivered: number;
  readonly parked: number;
  /** Facts that only a hub has. */
  readonly atHub: number;
  /** Number and time of the partner's last fact. 0 and null without facts. */
  readonly lastSeq: number;
  readonly lastAt: number | null;
};

export type LeadFacts = {
  /** Facts of a lead and of everything attached to it. */
  readonly of: (lead: string) => readonly FactOfLead[];
  /** Ids of a partner's leads that are not erased, at most `limit`. `before`: only leads without a later fact. */
  readonly leads: (partner: string, before: number | null, limit: number) => readonly string[];
  /** Partners with leads that are not erased. */
  readonly partners: () => readonly string[];
  readonly sum: (partner: string) => PartnerSum;
};

/** The facts of leads in the journal's database. */
export function createLeadFacts(database: Database): LeadFacts {
  const of = database.prepare<
    [string],
    Omit<FactOfLead, 'isWhole' | 'isOwn'> & { readonly isWhole: number; readonly isOwn: number }
  >(
    `WITH RECURSIVE own(id) AS (SELECT ? UNION SELECT lead.id FROM lead JOIN own ON lead.part_of = own.id)
     SELECT fact.id, kind, at, state, touchpoint, partner, payload IS NOT NULL AS isWhole, of_team = 0 AS isOwn
     FROM own CROSS JOIN lead_fact ON lead_fact.lead = own.id JOIN fact USING (seq) JOIN outbox USING (seq) ORDER BY seq`,
  );
  const leads = database.prepare<{ partner: string; before: number | null; limit: number }, { id: string }>(
    `SELECT id FROM lead WHERE partner = @partner AND erased = 0
       AND (@before IS NULL OR coalesce((SELECT max(at) FROM lead_fact JOIN fact USING (seq) WHERE lead = lead.id), 0) < @before)
     LIMIT @limit`,
  );
  const partners = database.prepare<[], { partner: string }>(
    'SELECT DISTINCT partner FROM lead WHERE erased = 0',
  );
  const sum = database.prepare<[string], PartnerSum>(
    `SELECT count(*) AS facts, coalesce(max(seq), 0) AS lastSeq, max(at) AS lastAt,
       count(*) FILTER (WHERE state IN ('due', 'in_flight', 'uncertain')) AS undelivered,
       count(*) FILTER (WHERE state = 'parked') AS parked,
       count(*) FILTER (WHERE ${AT_HUB_SQL}) AS atHub
     FROM lead JOIN lead_fact ON lead_fact.lead = lead.id JOIN fact USING (seq) JOIN outbox USING (seq)
     WHERE lead.partner = ? AND lead.erased = 0`,
  );
  return {
    of: (lead) =>
      of
        .all(lead)
        .map(({ isWhole, isOwn, ...fact }) => ({ ...fact, isWhole: isWhole === 1, isOwn: isOwn === 1 })),
    leads: (partner, before, limit) => leads.all({ partner, before, limit }).map(({ id }) => id),
    partners: () => partners.all().map(({ partner }) => partner),
    sum: (partner) =>
      sum.get(partner) ?? { facts: 0, undelivered: 0, parked: 0, atHub: 0, lastSeq: 0, lastAt: null },
  };
}
