/**
 * The schema of `journal.db`, the database that must never be lost.
 *
 * Invariants:
 * - Migrations never drop a table or a column.
 * - `fact` rows are never deleted, and updated only to erase a payload. A trigger refuses everything else.
 * - `lead*` tables are a projection that can be rebuilt from the facts.
 * - `outbox` holds the delivery state of each fact, always one row per fact (docs/laws.md#law-2).
 * - A row of `seam` is a chain gap: the facts before it could not be read (docs/decisions/damaged-journal.md).
 * - `email` holds confirmation e-mails that wait for a network.
 * - `imported` holds the original position of a fact on its device (docs/decisions/facts-from-a-file.md).
 * - Rows of `outbox` with `of_team` belong to another laptop of the stand. This device does not deliver them, and its
 *   delivery counts leave them out (docs/decisions/team-at-a-hub.md).
 * - `forgetting` and `forgotten` list erased people by ids and pseudonym hashes (`core/team/erasure/forgotten.ts`).
 * - `erasure_protocol` records erasures without data that identifies the person.
 * - Triggers update `outbox_count` and `lead_count`.
 */
import type { Migration } from '../../foundations/store/migrations.ts';
import { KEPT_COUNTS } from './migrations/kept-counts.ts';
import { LEADS_BY_PARTNER } from './migrations/leads-by-partner.ts';

/**
 * SQL: whether a hub withholds details of the lead's visitor (`event/mirror/people.ts`). The index uses the same
 * expression.
 */
export const LACKS_DETAILS = `instr(record, '"withheld":[') > 0`;

export const JOURNAL_MIGRATIONS: readonly Migration[] = [
  {
    version: 10,
    name: 'facts-outbox-leads',
    sql: `
      CREATE TABLE fact (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        at INTEGER NOT NULL,
        mono INTEGER NOT NULL,
        boot TEXT NOT NULL,
        clock_offset INTEGER,
        touchpoint TEXT,
        partner TEXT,
        reader TEXT,
        source TEXT,
        staff TEXT,
        payload TEXT,
        payload_sha256 TEXT NOT NULL,
        previous_hash TEXT NOT NULL,
        hash TEXT NOT NULL
      ) STRICT;

      CREATE TRIGGER fact_is_never_updated BEFORE UPDATE ON fact
      WHEN NEW.payload IS NOT NULL OR OLD.seq <> NEW.seq OR OLD.id <> NEW.id OR OLD.kind <> NEW.kind
        OR OLD.at <> NEW.at OR OLD.mono <> NEW.mono OR OLD.boot <> NEW.boot
        OR OLD.clock_offset IS NOT NEW.clock_offset OR OLD.touchpoint IS NOT NEW.touchpoint
        OR OLD.partner IS NOT NEW.partner OR OLD.reader IS NOT NEW.reader OR OLD.source IS NOT NEW.source
        OR OLD.staff IS NOT NEW.staff OR OLD.payload_sha256 <> NEW.payload_sha256
        OR OLD.previous_hash <> NEW.previous_hash OR OLD.hash <> NEW.hash
      BEGIN SELECT RAISE(ABORT, 'facts are never updated'); END;

      CREATE TRIGGER fact_is_never_deleted BEFORE DELETE ON fact
      BEGIN SELECT RAISE(ABORT, 'facts are never deleted'); END;

      CREATE TABLE outbox (
        seq INTEGER PRIMARY KEY REFERENCES fact(seq),
        state TEXT NOT NULL CHECK (state IN ('due','in_flight','uncertain','sent','confirmed','parked')),
        attempts INTEGER NOT NULL DEFAULT 0,
        wire TEXT,
        wire_sha256 TEXT,
        since_revision INTEGER,
        action TEXT,
        revision INTEGER,
        reason TEXT,
        changed_at INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX outbox_by_state ON outbox(state, seq);

      CREATE TABLE lead (
        id TEXT PRIMARY KEY,
        badge TEXT NOT NULL,
        visitor TEXT,
        first_at INTEGER NOT NULL,
        last_at INTEGER NOT NULL,
        taps INTEGER NOT NULL,
        rating INTEGER,
        name TEXT,
        company TEXT,
        job_title TEXT,
        place TEXT,
        search TEXT NOT NULL,
        record TEXT
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX lead_by_time ON lead(last_at DESC, id);
      CREATE UNIQUE INDEX lead_by_visitor ON lead(visitor) WHERE visitor IS NOT NULL;
      CREATE INDEX lead_unnamed ON lead(id) WHERE visitor IS NULL;

      CREATE TABLE lead_badge (
        badge TEXT PRIMARY KEY,
        lead TEXT NOT NULL REFERENCES lead(id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX lead_badge_by_lead ON lead_badge(lead);

      CREATE TABLE lead_fact (
        seq INTEGER PRIMARY KEY REFERENCES fact(seq),
        lead TEXT NOT NULL REFERENCES lead(id),
        undone_by INTEGER REFERENCES fact(seq)
      ) STRICT;
      CREATE INDEX lead_fact_by_lead ON lead_fact(lead, seq);

      CREATE TABLE setting (
        key TEXT PRIMARY KEY,
        value TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    version: 20,
    name: 'erased-leads',
    sql: `
      ALTER TABLE lead ADD COLUMN erased INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX lead_present ON lead(last_at DESC, id) WHERE erased = 0;
    `,
  },
  {
    version: 30,
    name: 'seams',
    sql: `
      CREATE TABLE seam (
        seq INTEGER PRIMARY KEY,
        previous_hash TEXT NOT NULL,
        quarantine TEXT NOT NULL,
        opens_book INTEGER NOT NULL
      ) STRICT;
    `,
  },
  {
    version: 40,
    name: 'queued-emails',
    sql: `
      CREATE TABLE email (
        id INTEGER PRIMARY KEY,
        type TEXT NOT NULL,
        visitor TEXT NOT NULL UNIQUE,
        asked_at INTEGER NOT NULL
      ) STRICT;
    `,
  },
  {
    version: 50,
    name: 'untapped-leads',
    sql: 'CREATE INDEX lead_untapped ON lead(id) WHERE taps = 0 AND erased = 0;',
  },
  {
    version: 60,
    name: 'leads-by-partner',
    sql: LEADS_BY_PARTNER,
  },
  {
    version: 100,
    name: 'facts-from-files-and-erasure-protocols',
    sql: `
      CREATE TABLE imported (
        seq INTEGER PRIMARY KEY REFERENCES fact(seq),
        origin TEXT NOT NULL
      ) STRICT;

      CREATE TABLE erasure_protocol (
        id TEXT PRIMARY KEY,
        at INTEGER NOT NULL,
        protocol TEXT NOT NULL
      ) STRICT;
    `,
  },
  {
    version: 110,
    name: 'repeated-sends',
    sql: `
      ALTER TABLE outbox ADD COLUMN repeated INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX outbox_repeated ON outbox(seq) WHERE repeated = 1;
    `,
  },
  {
    version: 120,
    name: 'facts-at-the-box',
    sql: `
      ALTER TABLE outbox ADD COLUMN at_box INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX outbox_at_box ON outbox(seq) WHERE at_box = 1;
    `,
  },
  {
    version: 130,
    name: 'facts-that-were-out-before',
    sql: `
      ALTER TABLE outbox ADD COLUMN was_out INTEGER NOT NULL DEFAULT 0;
      UPDATE outbox SET was_out = 1 WHERE state IN ('in_flight', 'uncertain', 'sent') OR repeated = 1
        OR (state = 'due' AND attempts > 0);
    `,
  },
  {
    version: 140,
    name: 'facts-of-the-team',
    sql: `
      ALTER TABLE outbox ADD COLUMN of_team INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX outbox_of_team ON outbox(state, seq) WHERE of_team = 1;
    `,
  },
  {
    version: 150,
    name: 'kept-counts',
    sql: KEPT_COUNTS,
  },
  {
    version: 160,
    name: 'people-forgotten-by-the-team',
    sql: `
      CREATE TABLE forgetting (
        id TEXT PRIMARY KEY,
        at INTEGER NOT NULL,
        partner TEXT NOT NULL,
        facts TEXT NOT NULL,
        people TEXT NOT NULL,
        take_back TEXT NOT NULL,
        told TEXT NOT NULL
      ) STRICT;

      CREATE TABLE forgotten (
        partner TEXT NOT NULL,
        mark TEXT NOT NULL,
        at INTEGER,
        alone INTEGER NOT NULL,
        PRIMARY KEY (partner, mark)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    version: 170,
    name: 'leads-without-details',
    sql: `CREATE INDEX lead_lacks_details ON lead(partner, id) WHERE ${LACKS_DETAILS};`,
  },
  {
    version: 180,
    name: 'attachments',
    sql: `CREATE INDEX fact_of_note ON fact(seq) WHERE kind = 'note';`,
  },
  {
    version: 190,
    name: 'highest-revision',
    sql: 'CREATE INDEX outbox_by_revision ON outbox(revision) WHERE revision IS NOT NULL;',
  },
];
