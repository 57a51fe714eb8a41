/**
 * Decides which records and fields of the event a device of a hub sees: the single rule for lists, single reads, the
 * snapshot and the event stream.
 *
 * Invariants
 * - Connections and actions are shown to the devices of their partner only (docs/laws.md#law-14).
 * - A device sees these fields of a visitor: badge codes, name, company, language, labels and registration state.
 *   `withheld` names the other personal fields. The device gets them after a tap (`contact-details.ts`), or at once if
 *   the organiser gives it all fields (docs/decisions/details-come-with-the-tap.md).
 * - Only a check-in device sees attendance, and only the stays at its own activity.
 * - Devices that see the same variant of a record get the same text, so the hub prepares it once. `formOf` returns
 *   the variant.
 */
import type { Kysely } from 'kysely';
import type { CallingDevice } from '../keys/caller.ts';
import { writeJson } from '../store/json.ts';
import { basicText, type Doc, docOf } from '../store/records.ts';
import type { RecordTable, Tables } from '../store/schema.ts';

/** The properties of a device that decide which records and fields it sees. */
export type DeviceView = {
  readonly partnerId: string | null;
  /**
   * The activity of its check-in. Null for a check-in without an activity. Absent for a device that is not a
   * check-in.
   */
  readonly checksInto?: string | null;
  /** Whether the organiser gave this device all fields of all visitors. */
  readonly seesAllDetails: boolean;
};

/** The stored columns that the rule reads. */
export type NarrowedRow = Pick<RecordTable, 'kind' | 'basic' | 'revision' | 'deleted' | 'partner_id'>;

/** Fields of a visitor that every device sees. The badge fields are those in the devices' `BADGE_POINTERS`. */
const OPEN_FIELDS: readonly string[] = [
  'id',
  'expoID',
  'registrationState',
  'firstName',
  'lastName',
  'company',
  'language',
  'labels',
  'badges',
  'badgeId',
  'badge',
  'rfid',
];
/** Fields without personal data. They are left out, and `withheld` does not list them. */
const UNNAMED_FIELDS: readonly string[] = ['contactID', 'created', 'updated'];

/** The current view of a device. It changes with its touchpoint and with the organiser's decision. */
export async function viewOf(
  db: Kysely<Tables>,
  {
    touchpointId,
    partnerId,
    seesAllDetails,
  }: Pick<CallingDevice, 'touchpointId' | 'partnerId' | 'seesAllDetails'>,
): Promise<DeviceView> {
  const row = await db
    .selectFrom('record')
    .select('basic')
    .where('kind', '=', 'touchpoint')
    .where('id', '=', touchpointId)
    .executeTakeFirst();
  const { purpose, activityID } = row === undefined ? {} : docOf(row.basic);
  const activity = typeof activityID === 'string' && activityID !== '' ? activityID : null;
  return { partnerId, seesAllDetails, ...(purpose === 'checkin' ? { checksInto: activity } : {}) };
}

/** Identifies a view, so that a device detects a change and compares its mirror. */
export function nameOfView(view: DeviceView): string {
  return ['visitor', 'participant'].map((kind) => formOf(view, kind) ?? 'none').join(' ');
}

/**
 * The variant in which a view shows records of a kind; null if it shows none of them. Equal variants have equal texts
 * of a record. A variant that names a partner shows only the records of this partner.
 */
export function formOf({ partnerId, checksInto, seesAllDetails }: DeviceView, kind: string): string | null {
  switch (kind) {
    case 'connection':
    case 'action':
      return partnerId === null ? null : `of ${partnerId}`;
    case 'visitor':
      return seesAllDetails ? 'whole' : 'narrow';
    case 'participant':
      return checksInto === undefined ? null : `at ${checksInto ?? ''}`;
    default:
      return 'whole';
  }
}

/** The list form of a record as this view shows it, as JSON text; null if the view hides the record. */
export function shownTo(view: DeviceView, row: NarrowedRow): string | null {
  const { kind } = row;
  const form = formOf(view, kind);
  if (form === null) return null;
  if (kind === 'connection' || kind === 'action')
    return row.partner_id === view.partnerId ? basicText(row) : null;
  if (form === 'whole' || Number(row.deleted) === 1) return basicText(row);
  const doc = docOf(row.basic);
  const narrow = kind === 'visitor' ? narrowVisitor(doc) : narrowAttendance(doc, view.checksInto ?? null);
  return basicText({ basic: writeJson(narrow), revision: row.revision });
}

function narrowVisitor(doc: Doc): Doc {
  const fields = Object.entries(doc);
  const withheld = fields.flatMap(([name]) =>
    OPEN_FIELDS.includes(name) || UNNAMED_FIELDS.includes(name) ? [] : [name],
  );
  const open = Object.fromEntries(fields.filter(([name]) => OPEN_FIELDS.includes(name)));
  return withheld.length === 0 ? open : { ...open, withheld };
}

function narrowAttendance({ visitorID, expoID, activities }: Doc, activity: string | null): Doc {
  const stays: readonly unknown[] = Array.isArray(activities) ? activities : [];
  const isHere = (stay: unknown): boolean =>
    typeof stay === 'object' && stay !== null && (stay as Doc).activityID === activity;
  return { visitorID, expoID, activities: stays.filter(isHere) };
}
