/**
 * The dead letters (parked facts) as the stand team sees them: what the platform refused, why, and sending it again.
 *
 * Invariant: what the platform refused by name leaves by itself never; a person requeues it, and the fact itself
 * stays as it was.
 */
import type { DeadLetter } from '../../contract/lead.ts';
import type { Database } from '../store/database.ts';

export type DeadLetters = {
  readonly list: () => readonly DeadLetter[];
  /** Dead letters that can be sent again: all, or the one of this id. */
  readonly retryable: (factId: string | null) => readonly { readonly seq: number; readonly id: string }[];
};

const SHOWN = 200;

type Row = {
  id: string;
  kind: string;
  at: number;
  name: string | null;
  badge: string | null;
  reason: string | null;
  retryable: number;
};

/** Dead letters over the journal's database. */
export function createDeadLetters(database: Database): DeadLetters {
  const listed = database.prepare<[number], Row>(
    `SELECT fact.id, fact.kind, fact.at, lead.name, lead.badge, outbox.reason,
       fact.payload IS NOT NULL AS retryable
     FROM outbox JOIN fact USING (seq) LEFT JOIN lead_fact USING (seq) LEFT JOIN lead ON lead.id = lead_fact.lead
     WHERE outbox.state = 'parked' ORDER BY outbox.seq DESC LIMIT ?`,
  );
  const all = database.prepare<[], { seq: number; id: string }>(
    `SELECT seq, fact.id FROM outbox JOIN fact USING (seq) WHERE state = 'parked' AND payload IS NOT NULL ORDER BY seq`,
  );
  const one = database.prepare<[string], { seq: number; id: string }>(
    `SELECT seq, fact.id FROM outbox JOIN fact USING (seq)
     WHERE state = 'parked' AND payload IS NOT NULL AND fact.id = ?`,
  );
  return {
    list: () =>
      listed.all(SHOWN).map(({ id, badge, reason, retryable, ...row }) => ({
        ...row,
        factId: id,
        badgeTail: (badge ?? '').slice(-4),
        reason: reason ?? '',
        retryable: retryable === 1,
      })),
    retryable: (factId) => (factId === null ? all.all() : one.all(factId)),
  };
}
