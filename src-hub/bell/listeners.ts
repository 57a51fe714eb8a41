/**
 * Who may listen: the devices that told a key, as users of nats-server.
 *
 * Invariants: a revoked device is none within seconds; a key that two devices tell of is nobody's; nothing of it is kept, since
 * every device tells its key again with every report.
 */
import { isBellKey } from '../../src-main/core/bell/link.ts';
import type { Clock } from '../../src-main/core/ports.ts';
import { createWakeableSleep } from '../../src-main/core/time/wakeable-sleep.ts';
import type { CallingDevice } from '../../src-platform/keys/caller.ts';
import type { Store } from '../../src-platform/store/store.ts';
import { type Listener, subjectsFor } from './users.ts';

/** New keys are gathered so long before nats-server reads its users again. */
const GATHER_MS = 250;
/** Devices that were revoked are looked for this often. */
const LOOK_EVERY_MS = 5_000;

export type ListenerPorts = {
  readonly store: Store;
  readonly expo: string;
  readonly clock: Clock;
};

export type Listeners = {
  /** This device listens with this key from now on. */
  readonly add: (device: Pick<CallingDevice, 'id' | 'partnerId'>, key: string) => void;
  readonly count: () => number;
  /** Calls `change` with everybody, whenever that may be others than before, until `signal` aborts. */
  readonly follow: (change: (listeners: readonly Listener[]) => void, signal: AbortSignal) => Promise<void>;
};

type Known = { readonly key: string; readonly partner: string | null };

/** The listeners of one box, nobody yet. */
export function createListeners({ store, expo, clock }: ListenerPorts): Listeners {
  const known = new Map<string, Known>();
  const waker = createWakeableSleep(clock);
  return {
    add: ({ id, partnerId }, key) => {
      if (known.get(id)?.key === key) return;
      known.set(id, { key, partner: partnerId });
      waker.wake();
    },
    count: () => known.size,
    follow: async (change, signal) => {
      while (!signal.aborted) {
        for (const id of await revokedOf(store, expo)) known.delete(id);
        change(await listenersOf(expo, known));
        await waker.sleep(LOOK_EVERY_MS, signal);
        await clock.sleep(GATHER_MS, signal);
      }
    },
  };
}

async function listenersOf(expo: string, known: ReadonlyMap<string, Known>): Promise<readonly Listener[]> {
  const uses = Map.groupBy(known.values(), ({ key }) => key);
  const listeners: Listener[] = [];
  for (const [id, { key, partner }] of known) {
    if (uses.get(key)?.length !== 1 || !(await isBellKey(key))) continue;
    const { event, device, team } = subjectsFor(expo, { id, partner });
    listeners.push({ key, subjects: [event, device, ...(team == null ? [] : [team])] });
  }
  return listeners;
}

async function revokedOf(store: Store, expo: string): Promise<readonly string[]> {
  const rows = await store.db
    .selectFrom('device')
    .select('id')
    .where('expo_id', '=', expo)
    .where('revoked', 'is not', null)
    .execute();
  return rows.map(({ id }) => id);
}
