/** The event in a path, as every operation needs it. */
import type { Kysely } from 'kysely';
import type { RecordTable, Tables } from './schema.ts';

export type Expo = {
  readonly id: string;
  readonly name: string;
  /** IANA name of its time zone. */
  readonly timezone: string;
  /** Base address of the QR codes of contents (docs/interface/resources.md#content). */
  readonly discoverUrl: string;
  /** Whether the event has an active content-management subscription, which digital content requires. */
  readonly hasContents: boolean;
};

/** The value in the `state` column of an event with an active content-management subscription. */
export const withContents = 'contents';

/** The event with this id, or undefined; an id that no database can store belongs to no event. */
export async function findExpo(db: Kysely<Tables>, expoId: string): Promise<Expo | undefined> {
  if (expoId.includes('\0')) return undefined;
  const row = await db
    .selectFrom('record')
    .select(['id', 'state', 'basic', 'detail'])
    .where('kind', '=', 'expo')
    .where('id', '=', expoId)
    .executeTakeFirst();
  return row && expoOf(row);
}

/** The row of the event itself. */
export function expoOf(row: Pick<RecordTable, 'id' | 'state' | 'basic' | 'detail'>): Expo {
  const { name, timezone } = JSON.parse(row.basic) as { name: string; timezone: string };
  const { discoverUrl } = JSON.parse(row.detail ?? '{}') as { discoverUrl: string };
  return { id: row.id, name, timezone, discoverUrl, hasContents: row.state === withContents };
}
