/**
 * Access to the fleet page with the hub's fleet key.
 *
 * Invariants
 * - The store holds only the SHA-256 of the key.
 * - The key has 100 random bits, so it cannot be guessed. Wrong keys cause no lockout.
 * - A session ends after twelve hours, or earlier if its user signs out, a new key is made or the process ends.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { FLEET_KEY, hashFleetKey } from '../../src-platform/keys/fleet-key.ts';
import { hashKey } from '../../src-platform/keys/hash.ts';
import { readHubSetting, writeHubSetting } from '../../src-platform/store/hub-setting.ts';
import type { Store } from '../../src-platform/store/store.ts';

const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const SESSION_MS = 12 * 60 * 60_000;

type SignedIn = { readonly kind: 'in'; readonly token: string } | { readonly kind: 'wrong' | 'noKey' };

export type Entry = {
  readonly signIn: (key: string) => Promise<SignedIn>;
  readonly isIn: (token: string | null) => Promise<boolean>;
  readonly leave: (token: string | null) => void;
};

/** Creates a new key for the page and returns it; the previous key becomes invalid. */
export async function makeFleetKey(store: Store): Promise<string> {
  const letters = [...randomBytes(20)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
  await writeHubSetting(store, FLEET_KEY, hashKey(letters));
  return (letters.match(/.{4}/g) ?? []).join('-');
}

/** The access of one hub. `monotonic`: milliseconds that never run backwards. */
export function createEntry(store: Store, monotonic: () => number): Entry {
  /** Sessions by the hash of their token; `key`: the hash of the key that opened the session. */
  const sessions = new Map<string, { readonly until: number; readonly key: string }>();
  return {
    signIn: async (key) => {
      const kept = await readHubSetting(store.db, FLEET_KEY);
      if (kept === null) return { kind: 'noKey' };
      if (!timingSafeEqual(Buffer.from(hashFleetKey(key)), Buffer.from(kept))) return { kind: 'wrong' };
      for (const [hash, { until }] of sessions) if (until < monotonic()) sessions.delete(hash);
      const token = randomBytes(32).toString('base64url');
      sessions.set(hashKey(token), { until: monotonic() + SESSION_MS, key: kept });
      return { kind: 'in', token };
    },
    isIn: async (token) => {
      const session = token === null ? undefined : sessions.get(hashKey(token));
      if (session === undefined || session.until < monotonic()) return false;
      return (await readHubSetting(store.db, FLEET_KEY)) === session.key;
    },
    leave: (token) => {
      if (token !== null) sessions.delete(hashKey(token));
    },
  };
}
