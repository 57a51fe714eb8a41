/**
 * The migration that gives every lead one partner (docs/decisions/lead-belongs-to-partner.md).
 *
 * Invariants:
 * - No fact changes.
 * - A lead with facts of several partners becomes one lead per partner, each with the id of its own first fact.
 * - An unreadable payload is an ordinary fact.
 * - `lead_badge` stays, empty, because migrations never drop a table.
 * - The text of this migration never changes, even when the projection does.
 */

// The partner of a fact is the recorded one, or none if its touchpoint has no partner. A fact from before the device
// knew its partner gets the partner with which it was sent, otherwise the device's current partner.
const PARTNER_OF_FACT = `
  CASE WHEN fact.partner IS NOT NULL THEN fact.partner
       WHEN fact.touchpoint IS NOT NULL THEN ''
       ELSE coalesce(
         CASE WHEN json_valid(outbox.wire) THEN json_extract(outbox.wire, '$.partnerID') END,
         (SELECT nullif(value, '') FROM setting WHERE key = 'partner'),
         '?') END`;

const IS_TURNED_AWAY = `(CASE WHEN json_valid(fact.payload)
    THEN json_type(fact.payload, '$.fields.turnedAway') IS NOT NULL ELSE 0 END)`;

const COUNTS = `fact.kind IN ('tap', 'checkin') AND NOT ${IS_TURNED_AWAY} AND undone_by IS NULL`;

/** The statements of the migration. */
export const LEADS_BY_PARTNER = `
  ALTER TABLE lead ADD COLUMN partner TEXT NOT NULL DEFAULT '?';
  ALTER TABLE lead ADD COLUMN part_of TEXT;
  ALTER TABLE lead ADD COLUMN attached_by INTEGER;
  ALTER TABLE lead ADD COLUMN elsewhere TEXT;
  DROP INDEX lead_by_visitor;

  CREATE TABLE lead_key (
    kind TEXT NOT NULL CHECK (kind IN ('badge', 'visitor')),
    code TEXT NOT NULL,
    partner TEXT NOT NULL,
    lead TEXT NOT NULL REFERENCES lead(id),
    PRIMARY KEY (kind, code, partner)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX lead_key_by_lead ON lead_key(lead);

  CREATE TEMP TABLE lead_share AS
    SELECT lead_fact.lead AS lead, ${PARTNER_OF_FACT} AS partner, min(lead_fact.seq) AS seq, '' AS share
    FROM lead_fact JOIN fact USING (seq) LEFT JOIN outbox USING (seq) GROUP BY 1, 2;
  UPDATE lead_share SET share = CASE
    WHEN seq = (SELECT min(other.seq) FROM lead_share AS other WHERE other.lead = lead_share.lead) THEN lead
    ELSE (SELECT id FROM fact WHERE fact.seq = lead_share.seq) END;
  UPDATE lead SET partner = coalesce((SELECT partner FROM lead_share WHERE share = lead.id), '?');
  INSERT INTO lead (id, badge, visitor, first_at, last_at, taps, name, company, job_title, place, search, record, erased, partner)
    SELECT share, badge, visitor, fact.at, fact.at, 0, name, company, job_title, place, search, record, erased, lead_share.partner
    FROM lead_share JOIN lead ON lead.id = lead_share.lead JOIN fact ON fact.seq = lead_share.seq WHERE share <> lead;
  UPDATE lead_fact SET lead =
    (SELECT share FROM lead_share, fact LEFT JOIN outbox ON outbox.seq = fact.seq
     WHERE fact.seq = lead_fact.seq AND lead_share.lead = lead_fact.lead AND lead_share.partner = ${PARTNER_OF_FACT})
    WHERE lead IN (SELECT lead FROM lead_share WHERE share <> lead);
  UPDATE lead SET
    taps = (SELECT count(*) FROM lead_fact JOIN fact USING (seq) WHERE lead_fact.lead = lead.id AND ${COUNTS}),
    first_at = coalesce((SELECT min(fact.at) FROM lead_fact JOIN fact USING (seq)
      WHERE lead_fact.lead = lead.id AND ${COUNTS}), first_at),
    last_at = coalesce((SELECT max(fact.at) FROM lead_fact JOIN fact USING (seq)
      WHERE lead_fact.lead = lead.id AND NOT ${IS_TURNED_AWAY}), last_at),
    rating = (SELECT json_extract(fact.payload, '$.fields.rating') FROM lead_fact JOIN fact USING (seq)
      WHERE lead_fact.lead = lead.id AND fact.kind = 'qualify' AND json_valid(fact.payload)
        AND json_type(fact.payload, '$.fields.rating') IN ('integer', 'null') ORDER BY seq DESC LIMIT 1)
    WHERE id IN (SELECT share FROM lead_share WHERE lead IN (SELECT lead FROM lead_share WHERE share <> lead));
  INSERT OR IGNORE INTO lead_key (kind, code, partner, lead)
    SELECT 'badge', lead_badge.badge, lead_share.partner, share FROM lead_badge JOIN lead_share USING (lead);
  INSERT OR IGNORE INTO lead_key (kind, code, partner, lead)
    SELECT 'visitor', visitor, partner, id FROM lead WHERE visitor IS NOT NULL;
  DROP TABLE lead_share;
  DELETE FROM lead_badge;

  CREATE INDEX lead_of_partner ON lead(partner, last_at DESC, id) WHERE erased = 0;
  CREATE INDEX lead_parts ON lead(part_of) WHERE part_of IS NOT NULL;

  CREATE TABLE lead_change (
    lead TEXT PRIMARY KEY,
    number INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX lead_change_by_number ON lead_change(number);
  CREATE TRIGGER lead_told_anew
    AFTER UPDATE OF id, visitor, name, company, job_title, place, record, erased, partner, part_of, elsewhere ON lead
  BEGIN
    INSERT OR REPLACE INTO lead_change
      SELECT value, 1 + coalesce((SELECT max(number) FROM lead_change), 0)
      FROM (SELECT OLD.id AS value UNION SELECT NEW.id UNION SELECT OLD.part_of UNION SELECT NEW.part_of)
      WHERE value IS NOT NULL;
  END;
  CREATE TRIGGER lead_gone AFTER DELETE ON lead
  BEGIN
    INSERT OR REPLACE INTO lead_change VALUES (OLD.id, 1 + coalesce((SELECT max(number) FROM lead_change), 0));
  END;
  CREATE TRIGGER fact_of_other_lead AFTER UPDATE OF lead ON lead_fact
  BEGIN
    INSERT OR REPLACE INTO lead_change VALUES (NEW.lead, 1 + coalesce((SELECT max(number) FROM lead_change), 0));
  END;

  CREATE TABLE refused_code (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    touchpoint TEXT,
    partner TEXT NOT NULL,
    source TEXT NOT NULL,
    text TEXT NOT NULL,
    reason TEXT NOT NULL,
    settled INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX refused_code_by_time ON refused_code(partner, at DESC);
`;
