/**
 * A few things the hub must remember with its facts: which event it is for, its epoch, what it knows of upstream.
 *
 * Invariants: they answer at once, from memory, and are written behind; what is lost by a kill in between is learnt anew;
 * a hub whose store is empty is a new epoch; a mistyped event that the platform does not know binds no store.
 */
import type { DeliveryStore } from '../src-main/core/delivery/outbox/delivery-store.ts';
import { BadOption } from '../src-platform/options.ts';
import { writeHubSetting } from '../src-platform/store/hub-setting.ts';
import type { Store } from '../src-platform/store/store.ts';

export type HubSettings = {
  readonly epoch: string;
  /** When the epoch began, in epoch milliseconds. */
  readonly since: number;
  /** As the sender keeps what it learnt of upstream. */
  readonly learnt: DeliveryStore['settings'];
  /** Lists of the event that this store held whole at least once. */
  readonly wholeLists: {
    readonly has: (list: string) => boolean;
    readonly add: (list: string) => void;
  };
  /** From now on this store is the hub of this event and of no other. */
  readonly keepEvent: () => Promise<void>;
  /** Resolves when everything is written. */
  readonly written: () => Promise<void>;
};

/**
 * Opens the settings of a hub for `expo`.
 *
 * @throws BadOption where the store is another event's
 */
export async function openSettings(
  store: Store,
  expo: string,
  newEpoch: string,
  now: number,
  onFault: (error: unknown) => void,
): Promise<HubSettings> {
  const rows = await store.db.selectFrom('box_setting').selectAll().execute();
  const values = new Map(rows.map(({ name, value }) => [name, value]));
  const owner = values.get('expo');
  if (owner !== undefined && owner !== expo)
    throw new BadOption(`This folder is the hub of the event ${owner}; take another --data for ${expo}.`);
  const epoch = values.get('epoch') ?? newEpoch;
  // A store from before hubs knew when they began: nothing is doubted.
  const since = Number(values.get('epochSince') ?? (values.has('epoch') ? 0 : now));
  await writeHubSetting(store, 'epoch', epoch);
  await writeHubSetting(store, 'epochSince', String(since));
  let last = Promise.resolve();
  const keep = (name: string, value: string): void => {
    if (values.get(name) === value) return;
    values.set(name, value);
    last = last.then(() => writeHubSetting(store, name, value)).catch(onFault);
  };
  const wholeLists = new Set((values.get('wholeLists') ?? '').split(','));
  return {
    epoch,
    since,
    learnt: {
      get: (key) => values.get(key) ?? null,
      set: keep,
    },
    wholeLists: {
      has: (list) => wholeLists.has(list),
      add: (list) => keep('wholeLists', [...wholeLists.add(list)].join(',')),
    },
    keepEvent: () => writeHubSetting(store, 'expo', expo),
    written: () => last,
  };
}
