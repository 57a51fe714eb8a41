/**
 * What a device of a hub may see of the event: the one rule for lists, single reads, the snapshot and anything that carries records
 * to a device.
 *
 * Invariants
 * - Connections and actions are shown to the devices of their partner only (docs/laws.md#law-14).
 * - Of a visitor a device sees what a badge needs: codes, name, company, language, labels and whether they are registered.
 *   `withheld` names the other fields. They come with a tap (`contact-details.ts`), unless the organiser gives this device all
 *   of them (docs/decisions/details-come-with-the-tap.md).
 * - Attendance is shown at a check-in only, and of it the stays at the activity of this check-in.
 * - Records that two devices see alike have the same text, so it can be prepared once: `formOf` names the form.
 */
import type { Kysely } from 'kysely';
import type { CallingDevice } from '../keys/caller.ts';
import { writeJson } from '../store/json.ts';
import { basicText, type Doc, docOf } from '../store/records.ts';
import type { RecordTable, Tables } from '../store/schema.ts';

/** What decides which records a device sees, and how much of them. */
export type DeviceView = {
  readonly partnerId: string | null;
  /** The activity of its check-in; null: a check-in without one; absent: no check-in. */
  readonly checksInto?: string | null;
  /** All fields of all visitors, as the organiser decided for this device. */
  readonly seesAllDetails: boolean;
};

/** The stored columns that the rule reads. */
export type NarrowedRow = Pick<RecordTable, 'kind' | 'basic' | 'revision' | 'deleted' | 'partner_id'>;

/** Fields of a visitor that every device sees. Badges: `BADGE_POINTERS` of the devices. */
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
/** Fields that tell nothing of a person: left out without being named. */
const UNNAMED_FIELDS: readonly string[] = ['contactID', 'created', 'updated'];

/** How a device sees the event now. It changes with its touchpoint and with the organiser's decision. */
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

/** Names what a view shows, for a device that has to compare its mirror after the view changed. */
export function nameOfView(view: DeviceView): string {
  return ['visitor', 'participant'].map((kind) => formOf(view, kind) ?? 'none').join(' ');
}

/**
 * The form in which a view shows records of a kind; null: none of them. Equal forms give equal texts of one record. A form that
 * names a partner shows the records of this partner only.
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

/** The list form of a record as this view shows it, as JSON text; null: it shows none. */
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
