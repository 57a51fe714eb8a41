/**
 * Forgetting a visitor whom the platform no longer has (GDPR Art. 17).
 *
 * Invariants: payloads and every copy of the person go, hashes stay, so the chain still verifies; facts of that
 * person that were not delivered yet are parked with the reason, because docs/laws.md#law-2 lets nothing vanish; what
 * is erased leaves the file itself (`secure_delete`, and the log is truncated).
 */
import type { Database } from '../store/database.ts';

const REASON = 'the visitor was removed on the platform, so the content was erased here';

/** Erases what the journal holds of a visitor; returns how many facts lost their payload. */
export function createErasure(database: Database): (visitor: string, at: number) => number {
  // Also what was attached to the person by hand.
  const leadsOf = database.prepare<[string], { id: string }>(
    `WITH RECURSIVE own(id) AS (
       SELECT lead FROM lead_key WHERE kind = 'visitor' AND code = ?
       UNION SELECT lead.id FROM lead JOIN own ON lead.part_of = own.id)
     SELECT id FROM own`,
  );
  const erasePayloads = database.prepare(
    `UPDATE fact SET payload = NULL
     WHERE payload IS NOT NULL AND seq IN (SELECT seq FROM lead_fact WHERE lead = ?)`,
  );
  const parkUndelivered = database.prepare(
    `UPDATE outbox SET state = 'parked', reason = @reason, changed_at = @at
     WHERE state IN ('due', 'in_flight', 'uncertain') AND seq IN (SELECT seq FROM lead_fact WHERE lead = @lead)`,
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
  const erase = database.transaction((visitor: string, at: number): number => {
    dropEmail.run(visitor);
    return leadsOf.all(visitor).reduce((erased, { id: lead }) => {
      parkUndelivered.run({ reason: REASON, at, lead });
      eraseWires.run(lead);
      const { changes } = erasePayloads.run(lead);
      dropKeys.run(lead);
      eraseLead.run(lead);
      return erased + changes;
    }, 0);
  });
  return (visitor, at) => {
    const facts = erase.immediate(visitor, at);
    if (facts > 0) database.pragma('wal_checkpoint(TRUNCATE)');
    return facts;
  };
}
