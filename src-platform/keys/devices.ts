/**
 * Devices at a hub: each has its own key, bound to one touchpoint and its partner.
 *
 * Invariants
 * - A device is added with an enrolment key of limited validity. It creates its working key itself, and the first key
 *   that it submits is accepted. Both are stored only as SHA-256.
 * - A revoked device loses access at once.
 */
import { randomBytes } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import { expoOf } from '../store/expo.ts';
import type { DeviceTable, Tables } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import type { Caller } from './caller.ts';
import { hashKey } from './hash.ts';

/** A device to add. */
export type NewDevice = {
  readonly expoId: string;
  readonly name: string;
  readonly touchpointId: string;
  readonly partnerId: string | null;
  /** Whether it gets the contact details of all visitors; absent: only of those who tapped. */
  readonly seesAllDetails?: boolean;
};

/** A device without any key material. */
export type KnownDevice = Omit<Selectable<DeviceTable>, 'enrol_hash' | 'key_hash'>;

/** Adds a device; the enrolment key is valid until `until` and is returned only this once. */
export async function addDevice(
  store: Store,
  { expoId, name, touchpointId, partnerId, seesAllDetails = false }: NewDevice,
  now: Date,
  until: Date,
): Promise<{ readonly id: string; readonly key: string }> {
  const id = `D${randomBytes(5).toString('hex')}`;
  const key = randomBytes(32).toString('base64url');
  await store.transaction(async (db) => {
    await db
      .insertInto('device')
      .values({
        id,
        expo_id: expoId,
        name,
        touchpoint_id: touchpointId,
        partner_id: partnerId,
        enrol_hash: hashKey(key),
        enrol_until: until.toISOString(),
        key_hash: null,
        created: now.toISOString(),
        enrolled: null,
        revoked: null,
        report: null,
        reported: null,
        all_details: seesAllDetails ? 1 : 0,
      })
      .execute();
  });
  return { id, key };
}

/** All devices of an event, oldest first. */
export function listDevices(db: Kysely<Tables>, expoId: string): Promise<readonly KnownDevice[]> {
  return db
    .selectFrom('device')
    .select(['id', 'expo_id', 'name', 'touchpoint_id', 'partner_id', 'enrol_until'])
    .select(['created', 'enrolled', 'revoked', 'report', 'reported', 'all_details'])
    .where('expo_id', '=', expoId)
    .orderBy('created')
    .orderBy('id')
    .execute();
}

/** Everything about a device except its reports, for a transfer to another store. */
export type KeptDevice = Omit<Selectable<DeviceTable>, 'report' | 'reported'>;

/** All devices of an event with the hashes of their keys, oldest first. */
export function readDevices(db: Kysely<Tables>, expoId: string): Promise<readonly KeptDevice[]> {
  return db
    .selectFrom('device')
    .select(['id', 'expo_id', 'name', 'touchpoint_id', 'partner_id', 'enrol_hash', 'enrol_until'])
    .select(['key_hash', 'created', 'enrolled', 'revoked', 'all_details'])
    .where('expo_id', '=', expoId)
    .orderBy('created')
    .orderBy('id')
    .execute();
}

/**
 * Imports devices from another store. What this store already knows about a device (its key, its revocation) is kept.
 */
export function restoreDevices(store: Store, devices: readonly KeptDevice[]): Promise<void> {
  return store.transaction(async (db) => {
    for (const device of devices) {
      await db
        .insertInto('device')
        .values({ ...device, report: null, reported: null })
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet(({ fn }) => ({
            key_hash: fn.coalesce('device.key_hash', 'excluded.key_hash'),
            enrolled: fn.coalesce('device.enrolled', 'excluded.enrolled'),
            revoked: fn.coalesce('device.revoked', 'excluded.revoked'),
          })),
        )
        .execute();
    }
  });
}

/** Removes devices that were just added, because their files could not be handed out. */
export function dropDevices(store: Store, ids: readonly string[]): Promise<void> {
  return store.transaction(async (db) => {
    await db.deleteFrom('device').where('id', 'in', ids).where('enrolled', 'is', null).execute();
  });
}

/**
 * Gives a device the contact details of all visitors, or only of those who tapped. Returns false if the device does
 * not exist.
 */
export function giveDetails(store: Store, id: string, seesAllDetails: boolean): Promise<boolean> {
  return store.transaction(async (db) => {
    const result = await db
      .updateTable('device')
      .set({ all_details: seesAllDetails ? 1 : 0 })
      .where('id', '=', id)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  });
}

/** Revokes a device. Returns false if it does not exist or is already revoked. */
export function revokeDevice(store: Store, id: string, now: Date): Promise<boolean> {
  return store.transaction(async (db) => {
    const result = await db
      .updateTable('device')
      .set({ revoked: now.toISOString() })
      .where('id', '=', id)
      .where('revoked', 'is', null)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  });
}

/** Whether a device was revoked or does not exist. */
export async function isRevoked(db: Kysely<Tables>, id: string): Promise<boolean> {
  const row = await db.selectFrom('device').select('revoked').where('id', '=', id).executeTakeFirst();
  return row === undefined || row.revoked !== null;
}

/**
 * The result of an enrolment. `used`: the device has another key. `late`: the enrolment key has expired, or the device
 * was revoked before its enrolment.
 */
export type Enrolment = 'enrolled' | 'used' | 'late';

/** Assigns a device the key that it created. A repeated request with the same key is the same enrolment. */
export function enrolDevice(store: Store, id: string, key: string, now: Date): Promise<Enrolment> {
  return store.transaction(async (db) => {
    const hash = hashKey(key);
    const at = now.toISOString();
    const first = await db
      .updateTable('device')
      .set({ key_hash: hash, enrolled: at })
      .where('id', '=', id)
      .where('key_hash', 'is', null)
      .where('revoked', 'is', null)
      .where('enrol_until', '>', at)
      .executeTakeFirst();
    if (first.numUpdatedRows > 0n) return 'enrolled';
    const row = await db.selectFrom('device').select('key_hash').where('id', '=', id).executeTakeFirst();
    if (row?.key_hash === hash) return 'enrolled';
    return row?.key_hash == null ? 'late' : 'used';
  });
}

/** Stores the report of a device. */
export async function keepReport(store: Store, id: string, report: string, now: Date): Promise<void> {
  await store.transaction(async (db) => {
    await db
      .updateTable('device')
      .set({ report, reported: now.toISOString() })
      .where('id', '=', id)
      .execute();
  });
}

/** The caller to whom a device's key belongs, with its event, in one query. Null if the key is unknown or revoked. */
export async function findCallingDevice(db: Kysely<Tables>, key: string): Promise<Caller | null> {
  const hash = hashKey(key);
  const row = await db
    .selectFrom('device')
    .leftJoin('record as expo', (join) =>
      join.on('expo.kind', '=', 'expo').onRef('expo.id', '=', 'device.expo_id'),
    )
    .select(['device.id', 'device.expo_id', 'touchpoint_id', 'device.partner_id', 'key_hash', 'revoked'])
    .select(['all_details', 'expo.state', 'expo.basic', 'expo.detail'])
    .where((either) => either.or([either('key_hash', '=', hash), either('enrol_hash', '=', hash)]))
    .executeTakeFirst();
  if (!row || row.revoked !== null) return null;
  const { id, touchpoint_id: touchpointId, partner_id: partnerId, state, basic, detail } = row;
  const expo = basic === null ? null : expoOf({ id: row.expo_id, state, basic, detail });
  return {
    keyId: id,
    expos: [row.expo_id],
    addresses: null,
    canWrite: true,
    connections: true,
    partnerId: null,
    device: {
      id,
      touchpointId,
      partnerId,
      expo,
      onlyEnrols: row.key_hash !== hash,
      seesAllDetails: Number(row.all_details) === 1,
    },
  };
}
