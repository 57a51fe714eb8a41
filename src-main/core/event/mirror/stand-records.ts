/**
 * The stand's queries of the mirror: the contents of a partner, the connection with a visitor, the people inside an
 * activity, and the detailed forms that lists do not contain.
 *
 * Invariants:
 * - A detailed form is stored with the revision of its record, so a later revision shows that it is old.
 * - An old detailed form is kept until there is a new one, even if the platform no longer has any. A null `body` means
 *   that the platform never returned one.
 */
import { stringifyJson } from '../../foundations/api/json.ts';
import type { Database } from '../../foundations/store/database.ts';
import { type Body, bodyOf } from './mirror-damage.ts';
import type { ResourceName } from './resources.ts';

/** A stay at an activity, as the platform reports it. Times are ISO 8601. `left` is null while the visitor is in. */
export type ReportedStay = {
  readonly visitor: string;
  readonly entered: string;
  readonly left: string | null;
};

export type StandRecords = {
  /** Living contents of a partner in order of id, in their list form. */
  readonly contentsOf: (
    partner: string,
  ) => readonly { readonly id: string; readonly revision: bigint; readonly body: Body }[];
  /** The partner's side of its connection with a visitor, or null. */
  readonly connectionOf: (visitor: string, partner: string) => Body | null;
  /** Stays of all visitors at an activity. */
  readonly staysAt: (activity: string) => readonly ReportedStay[];
  /** The detailed form as last read, or null. */
  readonly detail: (
    resource: ResourceName,
    id: string,
  ) => { readonly revision: bigint; readonly body: Body | null } | null;
  readonly keepDetail: (resource: ResourceName, id: string, revision: bigint, body: Body | null) => void;
};

/** The records of the stand over the mirror's database. */
export function createStandRecords(database: Database): StandRecords {
  const contents = database
    .prepare<[string], { id: string; revision: bigint; body: string }>(
      `SELECT id, revision, body FROM record
       WHERE resource = 'contents' AND deleted = 0 AND json_extract(body, '$.partnerID') = ? ORDER BY id`,
    )
    .safeIntegers(true);
  const connection = database.prepare<[string, string], { body: string }>(
    `SELECT body FROM record
     WHERE resource = 'connections' AND deleted = 0 AND json_extract(body, '$.visitorID') = ?
       AND json_extract(body, '$.partnerID') = ? AND json_extract(body, '$.type') = 'partner'`,
  );
  // Most visitors are not at this activity: searching the text first avoids parsing their records.
  const stays = database.prepare<{ activity: string; written: string }, ReportedStay>(
    `SELECT record.id AS visitor, stay.value ->> '$.entered' AS entered, stay.value ->> '$.left' AS left
     FROM record, json_each(record.body, '$.activities') AS stay
     WHERE record.resource = 'participants' AND record.deleted = 0 AND instr(record.body, @written) > 0
       AND stay.value ->> '$.activityID' = @activity AND stay.value ->> '$.entered' IS NOT NULL`,
  );
  const read = database
    .prepare<[string, string], { revision: bigint; body: string | null }>(
      'SELECT revision, body FROM detail WHERE resource = ? AND id = ?',
    )
    .safeIntegers(true);
  const write = database.prepare(
    'INSERT OR REPLACE INTO detail (resource, id, revision, body) VALUES (?, ?, ?, ?)',
  );

  return {
    contentsOf: (partner) => contents.all(partner).map((row) => ({ ...row, body: bodyOf(row.body) })),
    connectionOf: (visitor, partner) => {
      const row = connection.get(visitor, partner);
      return row === undefined ? null : bodyOf(row.body);
    },
    staysAt: (activity) => stays.all({ activity, written: JSON.stringify(activity) }),
    detail: (resource, id) => {
      const row = read.get(resource, id);
      return row === undefined ? null : { ...row, body: row.body === null ? null : bodyOf(row.body) };
    },
    keepDetail: (resource, id, revision, body) => {
      // When the platform no longer has a detailed form, the stored one is kept.
      const kept = body === null ? (read.get(resource, id)?.body ?? null) : stringifyJson(body);
      write.run(resource, id, revision, kept);
    },
  };
}
