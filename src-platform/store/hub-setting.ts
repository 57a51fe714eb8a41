/**
 * Settings of a hub by name, in the table `box_setting`.
 *
 * Invariant: a name has one value; the latest write wins.
 */
import type { Kysely } from 'kysely';
import type { Tables } from './schema.ts';
import type { Store } from './store.ts';

/** The value of a name, or null. */
export async function readHubSetting(db: Kysely<Tables>, name: string): Promise<string | null> {
  const row = await db.selectFrom('box_setting').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value ?? null;
}

/** Writes a value in its own transaction. */
export async function writeHubSetting(store: Store, name: string, value: string): Promise<void> {
  await store.transaction(async (db) => {
    await db
      .insertInto('box_setting')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
  });
}

/** Writes a value if there is none. Returns the stored value, which another process may have written first. */
export async function settleHubSetting(store: Store, name: string, value: string): Promise<string> {
  await store.transaction(async (db) => {
    await db
      .insertInto('box_setting')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
  });
  return (await readHubSetting(store.db, name)) ?? value;
}
