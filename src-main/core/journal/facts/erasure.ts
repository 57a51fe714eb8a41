/**
 * Erasing people (GDPR Art. 17): visitors that the platform removed, and leads that staff erase.
 *
 * Invariants:
 * - Payloads and all stored details of the person are removed. Hashes stay, so the chain still verifies.
 * - Undelivered facts of that person are parked with the reason, because docs/laws.md#law-2 forbids losing a fact.
 * - Erased bytes leave the file itself: `secure_delete` is on and the write-ahead log is truncated.
 */
import type { Database } from '../../foundations/store/database.ts';
import { ERASED_BEFORE_DELIVERY, transitionSql } from './outbox-changes.ts';

const REMOVED = 'the visitor was removed on the platform, so the content was erased here';

type Erasure = {
  /** Erases a visitor from the leads of every partner. Returns how many facts lost their payload. */
  readonly ofVisitor: (visitor: string, at: number) => number;
  /**
   * Erases leads and everything attached to them. Returns the ids of their facts. `together` runs in the same
   * transaction.
   */
  readonly ofLeads: (
    leads: readonly string[],
    at: number,
    together?: (facts: readonly string[]) => void,
  ) => readonly string[];
};

/** Erasure in the journal's database. */
export function createErasure(database: Database): Erasure {
  const withParts = (own: string) =>
    database.prepare<[string], { id: string }>(
      `WITH RECURSIVE own(id) AS (
       ${own}
       UNION SELECT lead.id FROM lead JOIN own ON lead.part_of = own.id)
     SELECT id FROM own`,
    );
  // Includes the leads that staff attached to this person.
  const leadsOf = withParts(`SELECT lead FROM lead_key WHERE kind = 'visitor' AND code = ?`);
  const leadsFrom = withParts('SELECT id FROM lead WHERE id = ?');
  const factsOf = database.prepare<[string], { id: string }>(
    'SELECT fact.id FROM lead_fact JOIN fact USING (seq) WHERE lead = ?',
  );
  const visitorOf = database.prepare<[string], { visitor: string | null }>(
    'SELECT visitor FROM lead WHERE id = ?',
  );
  const erasePayloads = database.prepare(
    `UPDATE fact SET payload = NULL
     WHERE payload IS NOT NULL AND seq IN (SELECT seq FROM lead_fact WHERE lead = ?)`,
  );
  const parkUndelivered = database.prepare(
    transitionSql('erased', 'seq IN (SELECT seq FROM lead_fact WHERE lead = @lead)'),
  );
  const eraseWires = database.prepare(
    `UPDATE outbox SET wire = NULL, wire_sha256 = NULL
     WHERE seq IN (SELECT seq FROM lead_fact WHERE lead = ?)`,
  );
  const dropKeys = database.prepare('DELETE FROM lead_key WHERE lead = ?');
  const eraseLead = database.prepare(
    `UPDATE lead SET erased = 1, badge = '', visitor = NULL, name = NULL, company = NULL, job_title = NULL,
       place = NULL, search = '', record = NULL, elsewhere = NULL WHERE id = ?`,
  );
  const dropEmail = database.prepare('DELETE FROM email WHERE visitor = ?');

  const eraseOne = (lead: string, reason: string, at: number): number => {
    parkUndelivered.run({ reason, at, lead });
    eraseWires.run(lead);
    const { changes } = erasePayloads.run(lead);
    dropKeys.run(lead);
    eraseLead.run(lead);
    return changes;
  };
  const ofVisitor = database.transaction((visitor: string, at: number): number => {
    dropEmail.run(visitor);
    return leadsOf.all(visitor).reduce((erased, { id }) => erased + eraseOne(id, REMOVED, at), 0);
  });
  const ofLeads = database.transaction((...[leads, at, together]: Parameters<Erasure['ofLeads']>) => {
    const facts = leads.flatMap((lead) =>
      leadsFrom.all(lead).flatMap(({ id }) => {
        const visitor = visitorOf.get(id)?.visitor ?? null;
        if (visitor !== null) dropEmail.run(visitor);
        const own = factsOf.all(id).map((fact) => fact.id);
        eraseOne(id, ERASED_BEFORE_DELIVERY, at);
        return own;
      }),
    );
    together?.(facts);
    return facts;
  });
  const leaveTheLog = () => void database.pragma('wal_checkpoint(TRUNCATE)');
  return {
    ofVisitor: (visitor, at) => {
      const facts = ofVisitor.immediate(visitor, at);
      if (facts > 0) leaveTheLog();
      return facts;
    },
    ofLeads: (leads, at, together) => {
      const facts = ofLeads.immediate(leads, at, together);
      if (facts.length > 0) leaveTheLog();
      return facts;
    },
  };
}
