/**
 * The schema of `mirror.db`, the database that can be discarded.
 *
 * Invariants:
 * - Revisions are 64-bit integers and are read as bigint.
 * - Every index slows down a first sync, so visitors have only the index of badges.
 */
import type { Migration } from '../../foundations/store/migrations.ts';

export const MIRROR_MIGRATIONS: readonly Migration[] = [
  {
    version: 10,
    name: 'records-badges-cursors',
    sql: `
      CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE cursor (
        resource TEXT PRIMARY KEY,
        revision INTEGER NOT NULL,
        complete INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE record (
        resource TEXT NOT NULL,
        id TEXT NOT NULL,
        revision INTEGER NOT NULL,
        deleted INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (resource, id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX record_living ON record(resource) WHERE deleted = 0;
      CREATE TABLE badge (
        code TEXT NOT NULL,
        visitor TEXT NOT NULL,
        PRIMARY KEY (code, visitor)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX badge_by_visitor ON badge(visitor);
    `,
  },
  {
    version: 20,
    name: 'passes-and-sweeps',
    sql: `
      ALTER TABLE record ADD COLUMN pass INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE cursor ADD COLUMN pass INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE cursor ADD COLUMN pass_from INTEGER;
      ALTER TABLE cursor ADD COLUMN pass_sound INTEGER NOT NULL DEFAULT 1;
      ALTER TABLE cursor ADD COLUMN swept_at INTEGER;
      ALTER TABLE cursor ADD COLUMN asks INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE cursor ADD COLUMN approved INTEGER NOT NULL DEFAULT 0;
    `,
  },
  {
    version: 40,
    name: 'details-of-the-stand',
    sql: `
      CREATE TABLE detail (
        resource TEXT NOT NULL,
        id TEXT NOT NULL,
        revision INTEGER NOT NULL,
        body TEXT,
        PRIMARY KEY (resource, id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX content_by_partner ON record(json_extract(body, '$.partnerID'))
        WHERE resource = 'contents' AND deleted = 0;
      CREATE INDEX connection_by_visitor ON record(json_extract(body, '$.visitorID'))
        WHERE resource = 'connections' AND deleted = 0;
    `,
  },
  {
    version: 50,
    name: 'count-instead-of-trees',
    sql: `
      ALTER TABLE cursor ADD COLUMN living INTEGER NOT NULL DEFAULT 0;
      UPDATE cursor SET living =
        (SELECT count(*) FROM record WHERE record.resource = cursor.resource AND record.deleted = 0);
      DROP INDEX record_living;
      DROP INDEX badge_by_visitor;
    `,
  },
];
