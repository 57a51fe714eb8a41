/**
 * Keys of organisers: create, find, list, revoke.
 *
 * Invariant: a key is stored only as its SHA-256. It is shown once, when it is created.
 */
import { randomBytes } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type { KeyTable, Tables } from '../store/schema.ts';
import type { Store, Write } from '../store/store.ts';
import type { Caller } from './caller.ts';
import { findCallingDevice } from './devices.ts';
import { hashKey } from './hash.ts';

/** The rights of a key, its name (for people), and its expiry. */
export type NewKey = Omit<Caller, 'keyId' | 'device'> & {
  readonly name: string;
  readonly expires: string | null;
};

function listOf(json: string | null): readonly string[] | null {
  return json === null ? null : (JSON.parse(json) as string[]);
}

function toJson(list: readonly string[] | null): string | null {
  return list === null ? null : JSON.stringify(list);
}

/** A new key: 160 random bits. */
export function newKey(): string {
  return randomBytes(20).toString('hex');
}

/** Stores a key and returns its id, which is used to revoke it. */
export async function addKey({ db }: Write, key: string, about: NewKey, now: Date): Promise<string> {
  const hash = hashKey(key);
  const id = `K${hash.slice(0, 11)}`;
  await db
    .insertInto('api_key')
    .values({
      id,
      hash,
      name: about.name,
      expos: toJson(about.expos),
      addresses: toJson(about.addresses),
      can_write: about.canWrite ? 1 : 0,
      connections: about.connections ? 1 : 0,
      partner_id: about.partnerId,
      expires: about.expires,
      created: now.toISOString(),
      revoked: null,
    })
    .execute();
  return id;
}

/**
 * The caller to whom a key at a hub belongs: a device, or else an organiser. Null if the key is not valid. Nearly every
 * key at a hub belongs to a device.
 */
export async function findCallerAtHub(db: Kysely<Tables>, key: string, now: Date): Promise<Caller | null> {
  return (await findCallingDevice(db, key)) ?? (await findCaller(db, key, now));
}

/** The caller to whom a key of an organiser belongs, or null if the key is unknown, revoked or expired. */
export async function findCaller(db: Kysely<Tables>, key: string, now: Date): Promise<Caller | null> {
  const row = await db.selectFrom('api_key').selectAll().where('hash', '=', hashKey(key)).executeTakeFirst();
  if (!row || row.revoked !== null) return null;
  if (row.expires !== null && row.expires <= now.toISOString()) return null;
  return {
    keyId: row.id,
    expos: listOf(row.expos),
    addresses: listOf(row.addresses),
    canWrite: Number(row.can_write) === 1,
    connections: Number(row.connections) === 1,
    partnerId: row.partner_id,
  };
}

/** All keys, oldest first, without any key material. */
export function listKeys(db: Kysely<Tables>): Promise<readonly Selectable<Omit<KeyTable, 'hash'>>[]> {
  return db
    .selectFrom('api_key')
    .select([
      'id',
      'name',
      'expos',
      'addresses',
      'can_write',
      'connections',
      'partner_id',
      'expires',
      'created',
      'revoked',
    ])
    .orderBy('created')
    .orderBy('id')
    .execute();
}

/** Revokes a key by its id. Returns false if it does not exist or is already revoked. */
export function revokeKey(store: Store, id: string, now: Date): Promise<boolean> {
  return store.write(async ({ db }) => {
    const result = await db
      .updateTable('api_key')
      .set({ revoked: now.toISOString() })
      .where('id', '=', id)
      .where('revoked', 'is', null)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  });
}
