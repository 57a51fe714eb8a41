/**
 * The migrations of a database to this version, for SQLite and PostgreSQL.
 *
 * Invariants
 * - A step removes no table and no column. Its number never changes; steps are numbered in tens.
 * - A database with a number above the last step was written by a newer platform and is refused.
 * - All missing steps run in one transaction, which also stores the new version number.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from './schema.ts';

export type Engine = 'sqlite' | 'postgres';

type Step = {
  readonly version: number;
  readonly name: string;
  readonly statements: (engine: Engine) => string[];
};

/** A column type for 64-bit integers on both engines. */
function long(engine: Engine): string {
  return engine === 'sqlite' ? 'integer' : 'bigint';
}
function table(engine: Engine, name: string, columns: string): string {
  return `create table ${name} (${columns})${engine === 'sqlite' ? ' strict' : ''}`;
}

const steps: readonly Step[] = [
  {
    version: 10,
    name: 'records, facts, keys, marks',
    statements: (e) => [
      table(e, 'counter', `value ${long(e)} not null`),
      'insert into counter (value) values (0)',
      table(
        e,
        'record',
        `kind text not null, id text not null, expo_id text not null, revision ${long(e)} not null,
         deleted integer not null, partner_id text, visitor_id text, content_id text, location_id text,
         contact_id text, reference text, state text, category text, basic text not null, detail text,
         primary key (kind, id)`,
      ),
      'create unique index record_page on record (expo_id, kind, revision)',
      'create index record_partner on record (expo_id, kind, partner_id, revision) where partner_id is not null',
      'create index record_visitor on record (expo_id, kind, visitor_id, revision) where visitor_id is not null',
      'create index record_content on record (expo_id, kind, content_id, revision) where content_id is not null',
      'create index record_location on record (expo_id, kind, location_id, revision) where location_id is not null',
      'create index record_contact on record (kind, contact_id) where contact_id is not null',
      'create index record_reference on record (kind, reference) where reference is not null',
      table(
        e,
        'badge',
        'expo_id text not null, code text not null, visitor_id text not null, primary key (expo_id, code)',
      ),
      'create index badge_visitor on badge (visitor_id)',
      table(
        e,
        'fact',
        `expo_id text not null, id text not null, hash text not null, kind text not null, at text not null,
         seq ${long(e)} not null, touchpoint_id text, partner_id text, visitor_id text, content_id text,
         activity_id text, location_id text, badge text, source text not null, staff text, fields text,
         undoes text, undone integer not null, action_id text, revision ${long(e)} not null,
         primary key (expo_id, id)`,
      ),
      'create index fact_visitor on fact (expo_id, visitor_id, partner_id) where visitor_id is not null',
      'create index fact_waiting on fact (expo_id, badge) where visitor_id is null and badge is not null',
      'create index fact_touchpoint on fact (touchpoint_id) where touchpoint_id is not null',
      table(
        e,
        'api_key',
        `id text not null primary key, hash text not null unique, name text not null, expos text, addresses text,
         can_write integer not null, connections integer not null, partner_id text, expires text,
         created text not null, revoked text`,
      ),
      table(
        e,
        'webhook_mark',
        `webhook_id text not null, kind text not null, seen ${long(e)} not null, mark ${long(e)} not null,
         primary key (webhook_id, kind)`,
      ),
      table(
        e,
        'email',
        'visitor_id text not null, type text not null, sent_at text not null, primary key (visitor_id, type)',
      ),
    ],
  },
  {
    version: 20,
    name: 'webhook delivery',
    statements: (e) => [
      table(
        e,
        'webhook_delivery',
        `webhook_id text not null primary key, expo_id text not null, open integer not null, failed integer not null,
         started ${long(e)}, due ${long(e)}, claim text, claimed_until ${long(e)}, told ${long(e)} not null`,
      ),
      'create index webhook_delivery_due on webhook_delivery (due) where open = 1',
    ],
  },
  {
    version: 30,
    name: 'keys that own records',
    statements: () => ['alter table record add column key_id text'],
  },
  {
    version: 40,
    name: 'box in the hall',
    statements: (e) => [
      table(
        e,
        'relay_fact',
        `expo_id text not null, id text not null, seq ${long(e)} not null, hash text not null, kind text not null,
         item text not null, device_id text, touchpoint_id text, partner_id text, received text not null,
         other_device_id text, state text not null, changed text not null, attempts ${long(e)} not null, reason text,
         action_id text, revision ${long(e)}, since_revision ${long(e)}, repeated integer not null,
         primary key (expo_id, id)`,
      ),
      'create unique index relay_fact_order on relay_fact (state, seq)',
      table(
        e,
        'device',
        `id text not null primary key, expo_id text not null, name text not null, touchpoint_id text not null,
         partner_id text, enrol_hash text not null unique, enrol_until text not null, key_hash text unique,
         created text not null, enrolled text, revoked text, report text, reported text`,
      ),
      table(
        e,
        'copied',
        `kind text not null, id text not null, hash text not null, detailed text, primary key (kind, id)`,
      ),
      table(e, 'box_setting', 'name text not null primary key, value text not null'),
    ],
  },
  {
    version: 60,
    name: 'commands of a box',
    statements: (e) => [
      table(
        e,
        'device_command',
        `device_id text not null, number ${long(e)} not null, kind text not null, text text not null,
         expires ${long(e)} not null, primary key (device_id, number)`,
      ),
    ],
  },
  {
    version: 70,
    name: 'facts of a team, and of two devices',
    statements: () => [
      'create index relay_fact_of_partner on relay_fact (expo_id, partner_id, seq)',
      'create index relay_fact_of_two on relay_fact (expo_id, other_device_id, device_id) where other_device_id is not null',
    ],
  },
  {
    version: 80,
    name: 'lease of a box',
    statements: (e) => [
      table(
        e,
        'box_lease',
        `slot integer not null primary key, holder text not null, name text not null, term ${long(e)} not null,
         until ${long(e)} not null`,
      ),
    ],
  },
  {
    version: 90,
    name: 'persons forgotten at a box',
    statements: (e) => [
      table(
        e,
        'forgetting',
        `expo_id text not null, id text not null, seq ${long(e)} not null, partner_id text not null,
         device_id text not null, told text not null, primary key (expo_id, id)`,
      ),
      'create index forgetting_of_partner on forgetting (expo_id, partner_id, seq)',
      table(
        e,
        'forgotten',
        `expo_id text not null, partner_id text not null, mark text not null, at text, alone integer not null,
         primary key (expo_id, partner_id, mark)`,
      ),
    ],
  },
  {
    version: 100,
    name: 'the highest revision of relayed facts',
    statements: () => [
      'create index relay_fact_revision on relay_fact (revision) where revision is not null',
    ],
  },
  {
    version: 110,
    name: 'set-ups for the devices of a box',
    statements: (e) => [table(e, 'box_stand', 'sha256 text not null primary key, text text not null')],
  },
  {
    version: 130,
    name: 'earlier owners of badges',
    statements: (e) => [
      table(
        e,
        'badge_past',
        'expo_id text not null, code text not null, visitor_id text not null, until text not null',
      ),
      'create index badge_past_by_code on badge_past (expo_id, code, until)',
      'create index badge_past_by_visitor on badge_past (visitor_id)',
    ],
  },
  {
    version: 140,
    name: 'facts found by person, by what they take back and by device',
    statements: () => [
      'alter table relay_fact add column badge_mark text',
      'alter table relay_fact add column visitor_mark text',
      'alter table relay_fact add column undoes text',
      'alter table relay_fact add column has_lookup integer not null default 0',
      'create index relay_fact_badge on relay_fact (expo_id, partner_id, badge_mark) where badge_mark is not null',
      'create index relay_fact_visitor on relay_fact (expo_id, partner_id, visitor_mark) where visitor_mark is not null',
      'create index relay_fact_undoes on relay_fact (expo_id, undoes) where undoes is not null',
      'create index relay_fact_without_lookup on relay_fact (expo_id, partner_id, kind) where has_lookup = 0',
      'create index relay_fact_of_device on relay_fact (expo_id, device_id, state)',
    ],
  },
  {
    version: 150,
    name: 'facts that were taken back hold nothing of a person',
    statements: () => ['update fact set fields = null where undone = 1 and fields is not null'],
  },
  {
    version: 160,
    name: 'devices with the contact details of all visitors',
    statements: () => ['alter table device add column all_details integer not null default 0'],
  },
  {
    version: 170,
    name: 'facts sent in turn of their devices',
    statements: () => [
      `create index relay_fact_fair on relay_fact (coalesce(device_id, ''), seq) where state = 'due'`,
    ],
  },
  {
    version: 180,
    name: 'destinations of leads at a hub',
    statements: (e) => [
      table(
        e,
        'hub_destination',
        'id text not null primary key, partner_id text not null, kind text not null, name text not null, address text not null, sealed text not null',
      ),
    ],
  },
  {
    version: 190,
    name: 'deleted connections hold nothing of a person',
    statements: (e) => {
      const kept = ['id', 'expoID', 'type', 'visitorID', 'partnerID'];
      const members =
        e === 'sqlite'
          ? `json_object(${kept.map((name) => `'${name}', json_extract(basic, '$.${name}')`).join(', ')}, 'deleted', json('true'))`
          : `json_build_object(${kept.map((name) => `'${name}', basic::json->>'${name}'`).join(', ')}, 'deleted', true)::text`;
      return [
        `update record set basic = ${members}, detail = null where kind = 'connection' and deleted = 1`,
      ];
    },
  },
];

/** The newest version this platform supports. */
export const newestVersion = Math.max(...steps.map((step) => step.version));

/** The database was written by a newer platform; `message` is one sentence. */
export class NewerDatabase extends Error {}

async function readVersion(db: Transaction<Tables>): Promise<number> {
  const row = await db.selectFrom('schema_version').select('version').executeTakeFirst();
  return Number(row?.version ?? 0);
}

/** Migrates the database. Throws `NewerDatabase` and changes nothing if it is from a newer version. */
export async function migrate(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // On PostgreSQL two processes may start at the same time: the second one waits here and then finds nothing to do.
    if (engine === 'postgres') await sql`select pg_advisory_xact_lock(7190501)`.execute(tx);
    await sql`create table if not exists schema_version (version integer not null)`.execute(tx);
    const version = await readVersion(tx);
    if (version > newestVersion) {
      throw new NewerDatabase(
        `The database is version ${version}, written by a newer platform; this one knows up to ${newestVersion}.`,
      );
    }
    for (const step of steps.filter((candidate) => candidate.version > version)) {
      for (const statement of step.statements(engine)) await sql.raw(statement).execute(tx);
    }
    if (version === newestVersion) return;
    await tx.deleteFrom('schema_version').execute();
    await tx.insertInto('schema_version').values({ version: newestVersion }).execute();
  });
}
