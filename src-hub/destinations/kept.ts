/**
 * The destinations of a hub in its store, with their tokens encrypted.
 *
 * Invariants
 * - A token is encrypted (AES-256-GCM) with a key that is derived from the hub's signing key, which no database
 *   contains. So a copy or a backup of the database holds no usable token, and all processes and standbys with the
 *   same `box-key.pem` can read it.
 * - A token encrypted for one destination is valid for no other.
 * - A refreshed token never replaces one that was set in the meantime.
 * - One process at a time refreshes a token. The claim uses the database's clock only.
 */
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  hkdfSync,
  type JsonWebKey,
  randomBytes,
} from 'node:crypto';
import { sql } from 'kysely';
import type { DestinationKindName } from '../../src-main/contract/destinations.ts';
import { DATABASE_NOW } from '../../src-platform/hub/lease.ts';
import type { HubDestinationTable } from '../../src-platform/store/schema.ts';
import type { Store } from '../../src-platform/store/store.ts';

/** A destination without its token. */
export type KeptDestination = {
  readonly id: string;
  readonly partner: string;
  readonly kind: DestinationKindName;
  readonly name: string;
  /** Origin of a CRM, or complete address of a webhook. */
  readonly address: string;
};

export type KeptDestinations = ReturnType<typeof openKeptDestinations>;

/** Purpose of the derived key (RFC 5869, section 3.2). If this text changes, no stored token can be read. */
const PURPOSE = 'touchpoint hub destinations AES-256-GCM';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** A process that died during a refresh blocks the others this long. Longer than any refresh. */
const CLAIM_MS = 90_000;

/** The destinations in `store`, with the signing key of the hub. */
export function openKeptDestinations(store: Store, signingKey: string) {
  const { d: seed = '' }: JsonWebKey = createPrivateKey(signingKey).export({ format: 'jwk' });
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(seed, 'base64url'), '', PURPOSE, 32));

  const seal = (id: string, secret: string): string => {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(id));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
  };

  return {
    /** All destinations, or those of one partner. */
    list: async (partner?: string): Promise<readonly KeptDestination[]> => {
      const all = store.db.selectFrom('hub_destination').selectAll().orderBy('id');
      const rows = await (partner === undefined ? all : all.where('partner_id', '=', partner)).execute();
      return rows.map(destinationOf);
    },
    /** A destination of this partner with its encrypted token, or null. */
    find: async (
      partner: string,
      id: string,
    ): Promise<{ readonly destination: KeptDestination; readonly sealed: string } | null> => {
      const row = await store.db
        .selectFrom('hub_destination')
        .selectAll()
        .where('id', '=', id)
        .where('partner_id', '=', partner)
        .executeTakeFirst();
      return row === undefined ? null : { destination: destinationOf(row), sealed: row.sealed };
    },
    /** The secret in an encrypted token. Null if this hub has another key. */
    unseal: (id: string, sealed: string): string | null => {
      try {
        const bytes = Buffer.from(sealed, 'base64url');
        const iv = bytes.subarray(0, IV_BYTES);
        const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
        const cipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
        cipher.setAAD(Buffer.from(id)).setAuthTag(tag);
        return Buffer.concat([cipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), cipher.final()]).toString(
          'utf8',
        );
      } catch {
        return null;
      }
    },
    add: async ({ id, partner, kind, name, address }: KeptDestination, secret: string): Promise<void> => {
      const row = { id, partner_id: partner, kind, name, address, sealed: seal(id, secret) };
      await store.transaction(
        async (db) => void (await db.insertInto('hub_destination').values(row).execute()),
      );
    },
    /**
     * Replaces the token; `before`: the replacement happens only if the encrypted token is still this one. Returns
     * the new encrypted token, or null if the token was not replaced.
     */
    replace: async (id: string, secret: string, before: string | null): Promise<string | null> => {
      const sealed = seal(id, secret);
      return await store.transaction(async (db) => {
        const update = db.updateTable('hub_destination').set({ sealed }).where('id', '=', id);
        const { numUpdatedRows } = await (before === null
          ? update
          : update.where('sealed', '=', before)
        ).executeTakeFirst();
        return numUpdatedRows > 0n ? sealed : null;
      });
    },
    /**
     * Runs `refresh`, which replaces the encrypted token `before`. Returns false without running it if another process
     * is refreshing the token or has replaced it.
     */
    alone: async (id: string, before: string, refresh: () => Promise<void>): Promise<boolean> => {
      const name = `refresh:${id}`;
      // Only one process works on SQLite.
      const isClaimed =
        store.engine === 'sqlite' ||
        (await store.transaction(async (db) => {
          const { rows } = await sql`insert into box_setting (name, value)
            values (${name}, (${DATABASE_NOW} + ${CLAIM_MS})::text)
            on conflict (name) do update set value = excluded.value
            where box_setting.value::bigint < ${DATABASE_NOW} returning 1`.execute(db);
          return rows.length > 0;
        }));
      if (!isClaimed) return false;
      try {
        const row = await store.db
          .selectFrom('hub_destination')
          .select('sealed')
          .where('id', '=', id)
          .executeTakeFirst();
        if (row?.sealed !== before) return false;
        await refresh();
        return true;
      } finally {
        await store.transaction(
          async (db) => void (await db.deleteFrom('box_setting').where('name', '=', name).execute()),
        );
      }
    },
    /** Removes a destination with its token. */
    remove: async (id: string): Promise<void> => {
      await store.transaction(
        async (db) => void (await db.deleteFrom('hub_destination').where('id', '=', id).execute()),
      );
    },
  };
}

function destinationOf({
  id,
  partner_id: partner,
  kind,
  name,
  address,
}: HubDestinationTable): KeptDestination {
  return { id, partner, kind: kind as DestinationKindName, name, address };
}
