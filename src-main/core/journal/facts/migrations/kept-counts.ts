/**
 * The migration that stores counts which the device reads many times a second: facts by state, leads by partner.
 * Counting 50,000 rows each time would take as long as searching them.
 *
 * Invariants:
 * - Triggers update the counts in the transaction of the change, so they always equal a full count.
 * - No statement writes `lead` with a conflict clause such as OR REPLACE, because SQLite would apply that clause to the
 *   statements of the triggers too.
 */

/** The statements of the migration. */
export const KEPT_COUNTS = `
  CREATE TABLE outbox_count (
    state TEXT PRIMARY KEY,
    n INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO outbox_count
    SELECT value, (SELECT count(*) FROM outbox WHERE state = value)
    FROM json_each('["due","in_flight","uncertain","sent","confirmed","parked"]');
  CREATE TRIGGER outbox_counted AFTER INSERT ON outbox
  BEGIN
    UPDATE outbox_count SET n = n + 1 WHERE state = NEW.state;
  END;
  CREATE TRIGGER outbox_counted_anew AFTER UPDATE OF state ON outbox WHEN OLD.state <> NEW.state
  BEGIN
    UPDATE outbox_count SET n = n - 1 WHERE state = OLD.state;
    UPDATE outbox_count SET n = n + 1 WHERE state = NEW.state;
  END;
  CREATE TRIGGER outbox_counted_out AFTER DELETE ON outbox
  BEGIN
    UPDATE outbox_count SET n = n - 1 WHERE state = OLD.state;
  END;

  CREATE TABLE lead_count (
    partner TEXT PRIMARY KEY,
    n INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO lead_count SELECT partner, count(*) FROM lead WHERE erased = 0 GROUP BY partner;
  CREATE TRIGGER lead_counted AFTER INSERT ON lead WHEN NEW.erased = 0
  BEGIN
    INSERT OR IGNORE INTO lead_count VALUES (NEW.partner, 0);
    UPDATE lead_count SET n = n + 1 WHERE partner = NEW.partner;
  END;
  CREATE TRIGGER lead_counted_anew AFTER UPDATE OF partner, erased ON lead
    WHEN OLD.partner <> NEW.partner OR OLD.erased <> NEW.erased
  BEGIN
    INSERT OR IGNORE INTO lead_count VALUES (NEW.partner, 0);
    UPDATE lead_count SET n = n - 1 WHERE partner = OLD.partner AND OLD.erased = 0;
    UPDATE lead_count SET n = n + 1 WHERE partner = NEW.partner AND NEW.erased = 0;
  END;
  CREATE TRIGGER lead_counted_out AFTER DELETE ON lead WHEN OLD.erased = 0
  BEGIN
    UPDATE lead_count SET n = n - 1 WHERE partner = OLD.partner;
  END;
`;
