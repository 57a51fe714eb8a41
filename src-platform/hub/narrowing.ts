/**
 * What a device of a hub may see of the event: the one rule for lists, single reads and anything that carries records to a device.
 *
 * Invariants
 * - Connections and actions are shown to the devices of their partner only (docs/laws.md#law-14).
 * - Records that two devices see alike have the same text, so it can be prepared once: `formOf` names the form.
 */
import { basicText } from '../store/records.ts';
import type { RecordTable } from '../store/schema.ts';

/** What decides which records a device sees, and how much of them. */
export type DeviceView = { readonly partnerId: string | null };

/** The stored columns that the rule reads. */
type NarrowedRow = Pick<RecordTable, 'kind' | 'basic' | 'revision' | 'partner_id'>;

/**
 * The form in which a view shows records of a kind; null: none of them. Equal forms give equal texts of one record. A form that
 * names a partner shows the records of this partner only.
 */
export function formOf({ partnerId }: DeviceView, kind: string): string | null {
  if (kind !== 'connection' && kind !== 'action') return 'whole';
  return partnerId === null ? null : `of ${partnerId}`;
}

/** The list form of a record as this view shows it, as JSON text; null: it does not show it. */
export function shownTo(view: DeviceView, row: NarrowedRow): string | null {
  const form = formOf(view, row.kind);
  if (form === null || (form !== 'whole' && row.partner_id !== view.partnerId)) return null;
  return basicText(row);
}
