/**
 * The settings that a hub stores with its facts: its event, its store id, its scheme, and what it learnt about upstream.
 *
 * Invariants
 * - Reads are answered from memory, and writes follow in the background. If a kill loses a value, the hub learns it
 *   again.
 * - A hub gets a new store id if its store is empty, or if its database file was copied or restored. Otherwise two
 *   hubs with one id would give different records the same number.
 * - The store is bound to an event only after the platform returned that event, so a mistyped event id does not bind
 *   it.
 * - The scheme is stored with the facts, so a standby on the same database uses the same one. A hub older than https
 *   keeps plain http until an option changes it, because its devices know that address.
 */
import { statSync } from 'node:fs';
import type { DeliveryStore } from '../src-main/core/delivery/outbox/delivery-store.ts';
import { BadOption } from '../src-platform/options.ts';
import { readHubSetting, settleHubSetting, writeHubSetting } from '../src-platform/store/hub-setting.ts';
import type { Store } from '../src-platform/store/store.ts';

export type HubSettings = {
  /** Id of the store. A new id shows devices that the hub started with an empty store, or with a copy of one. */
  readonly hubStoreId: string;
  /** When the store began under this id, in epoch milliseconds. */
  readonly since: number;
  /** What the sender learnt about the platform. */
  readonly learnt: DeliveryStore['settings'];
  /** Lists of the event that have been complete in this store at least once. */
  readonly wholeLists: {
    readonly has: (list: string) => boolean;
    readonly add: (list: string) => void;
    /** Reads what other processes have added. */
    readonly refresh: () => Promise<void>;
  };
  /** Binds this store to the event. */
  readonly keepEvent: () => Promise<void>;
  /** Resolves when all writes are done. */
  readonly written: () => Promise<void>;
};

/**
 * Identifies a database file on its disk. A copy differs. `born` (its creation time) is null if the file system does
 * not store it.
 */
export type Place = { readonly file: string; readonly born: string | null };

/** The identity of a database file on its disk. */
export function placeOf(path: string): Place {
  const { ino, birthtimeNs, ctimeNs } = statSync(path, { bigint: true });
  // Without a creation time, some systems return the time of the last change.
  return { file: String(ino), born: birthtimeNs === ctimeNs ? null : String(birthtimeNs) };
}

function isElsewhere(before: Place, now: Place): boolean {
  const isOtherBirth = before.born !== null && now.born !== null && before.born !== now.born;
  return before.file !== now.file || isOtherBirth;
}

type SettingsPorts = {
  readonly store: Store;
  readonly expo: string;
  /** The identity of the database file; null on a database server. */
  readonly place: Place | null;
  /** The store id for an empty or copied store. */
  readonly newId: string;
  /** The current time in epoch milliseconds. */
  readonly now: number;
  /** Called when a setting could not be written. */
  readonly onFault: (error: unknown) => void;
};

/** Opens the settings of a hub. @throws BadOption if the store belongs to another event */
export async function openSettings({
  store,
  expo,
  place,
  newId,
  now,
  onFault,
}: SettingsPorts): Promise<HubSettings> {
  const rows = await store.db.selectFrom('box_setting').selectAll().execute();
  const values = new Map(rows.map(({ name, value }) => [name, value]));
  const owner = values.get('expo');
  if (owner !== undefined && owner !== expo)
    throw new BadOption(`This folder is the hub of the event ${owner}; use another --data for ${expo}.`);
  if (place !== null) {
    const before = values.get('place');
    if (before !== undefined && isElsewhere(JSON.parse(before) as Place, place)) {
      await writeHubSetting(store, 'epoch', newId);
      await writeHubSetting(store, 'epochSince', String(now));
    }
    await writeHubSetting(store, 'place', JSON.stringify(place));
  }
  const hubStoreId = await settleHubSetting(store, 'epoch', newId);
  // Older versions did not store the start. In that case no fact counts as older than the store.
  const since = Number(await settleHubSetting(store, 'epochSince', String(values.has('epoch') ? 0 : now)));
  let last = Promise.resolve();
  const keep = (name: string, value: string): void => {
    if (values.get(name) === value) return;
    values.set(name, value);
    last = last.then(() => writeHubSetting(store, name, value)).catch(onFault);
  };
  const wholeLists = new Set((values.get('wholeLists') ?? '').split(','));
  return {
    hubStoreId,
    since,
    learnt: {
      get: (key) => values.get(key) ?? null,
      set: keep,
    },
    wholeLists: {
      has: (list) => wholeLists.has(list),
      add: (list) => keep('wholeLists', [...wholeLists.add(list)].join(',')),
      refresh: async () => {
        for (const list of ((await readHubSetting(store.db, 'wholeLists')) ?? '').split(','))
          wholeLists.add(list);
      },
    },
    keepEvent: () => writeHubSetting(store, 'expo', expo),
    written: () => last,
  };
}

export type Scheme = 'http' | 'https';

/** The scheme that the hub of this store serves, or will serve at its first start. */
export async function readScheme(store: Store): Promise<Scheme> {
  const kept = await readHubSetting(store.db, 'scheme');
  if (kept === 'http' || kept === 'https') return kept;
  return (await readHubSetting(store.db, 'expo')) === null ? 'https' : 'http';
}

/** Chooses the scheme at a start and stores it. `asked`: the option, or null. */
export async function settleScheme(store: Store, asked: Scheme | null): Promise<Scheme> {
  const scheme = asked ?? (await readScheme(store));
  await writeHubSetting(store, 'scheme', scheme);
  return scheme;
}
