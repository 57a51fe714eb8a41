/**
 * The hub's connection to the platform: the puller that keeps the mirror of the event, the replicator that writes it
 * into the store, and the sender that delivers the devices' facts. They share one client, which uses both request
 * slots of the key.
 *
 *     upstream ──► puller ──► mirror ──► replicator ──► store ──► devices
 *     upstream ◄── sender ◄──────────────────────── relay_fact ◄── devices
 *
 * Invariants
 * - The hub uses the kiosk's puller, sender and mirror.
 * - Only the client uses upstream's key.
 * - A loop that ends with an unexpected error is restarted.
 */
import type { Pause } from '../src-main/contract/device.ts';
import { createDelivery } from '../src-main/core/delivery/outbox/sender.ts';
import type { Mirror } from '../src-main/core/event/mirror/mirror.ts';
import type { ResourceName } from '../src-main/core/event/mirror/resources.ts';
import { createPuller } from '../src-main/core/event/sync/puller.ts';
import {
  type ApiClient,
  createClient,
  type PlatformAccess,
} from '../src-main/core/foundations/api/client.ts';
import { createConnection } from '../src-main/core/foundations/api/connection.ts';
import type { Clock, Log, PollNow, Random } from '../src-main/core/foundations/ports.ts';
import { createWakeableSleep, keepRunning } from '../src-main/core/foundations/time/loops.ts';
import { DETAILS_ROUND_MS } from '../src-main/core/foundations/time/windows.ts';
import { whyOf } from '../src-main/core/foundations/trace.ts';
import type { UpstreamStanding } from '../src-platform/hub/hub-operations.ts';
import type { AskForEmail } from '../src-platform/hub/operations.ts';
import type { Store } from '../src-platform/store/store.ts';
import { createAskForEmail } from './email.ts';
import { createDetails } from './mirror/details.ts';
import { createReplicator } from './mirror/replicator.ts';
import { HUB_RESOURCES, SNAPSHOT_RESOURCES } from './mirror/resources.ts';
import type { HubOptions } from './options.ts';
import { createHubStore, type HubStore } from './outbox/hub-store.ts';
import { missingRightsOf } from './rights.ts';
import type { HubSettings } from './settings.ts';
import { registerWebhooks } from './webhooks.ts';

export type Bridge = {
  readonly hub: HubStore;
  readonly standing: () => UpstreamStanding;
  /** Number of requests to the platform that are in flight or wait for one of the key's slots. */
  readonly requests: () => number;
  /** Whether devices can read the whole event here. */
  readonly isWhole: () => boolean;
  /** Whether this list is complete here, or was complete earlier. Otherwise devices may not read it. */
  readonly isServed: (list: string) => boolean;
  /** Why the sender is paused, or null. */
  readonly pause: () => Pause | null;
  readonly askForEmail: AskForEmail;
  /** The platform's time in epoch milliseconds; null before its first answer. */
  readonly platformTime: () => number | null;
  readonly poll: PollNow;
  /** Reads the event into the store. Devices need the event before anything else. @throws ApiError */
  readonly readEvent: (signal: AbortSignal) => Promise<void>;
  /** One sentence for each right that the hub needs and its key lacks. @throws ApiError */
  readonly missingRights: (signal: AbortSignal) => Promise<readonly string[]>;
  /** Registers this address at the platform for notifications. See `webhooks.ts`. */
  readonly registerWebhooks: (
    url: string,
    say: (sentence: string) => void,
    signal: AbortSignal,
  ) => ReturnType<typeof registerWebhooks>;
  /** Runs until `signal` aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The platform's lists that omit deleted records. */
const HIDING_DELETIONS = HUB_RESOURCES.filter(({ showsDeleted }) => !showsDeleted).map(({ name }) => name);

/** The replicator compares the mirror at least this often. */
const REPLICATE_EVERY_MS = 60_000;

/**
 * The bridge of one hub. `check` throws after another hub has taken over; it is absent if no other hub can take over.
 * `connect` opens the client of upstream with both of the key's slots. The default is HTTP; a simulation replaces it.
 */
export function createBridge({
  upstream,
  privateHttp,
  expoId,
  store,
  mirror,
  settings,
  clock,
  random,
  log,
  check,
  connect = (access, time) => createClient(access, time, { slots: 2, privateHttp }),
}: {
  readonly upstream: HubOptions['upstream'];
  readonly privateHttp: boolean;
  readonly expoId: string;
  readonly store: Store;
  readonly mirror: Mirror;
  readonly settings: Pick<HubSettings, 'learnt' | 'wholeLists'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly check?: () => Promise<void>;
  readonly connect?: (access: PlatformAccess, clock: Clock) => ApiClient;
}): Bridge {
  // The platform behind the hub, and the store between that platform and the devices.
  const { client, requests } = counted(
    connect({ baseUrl: upstream.url, key: upstream.key, password: upstream.password, expoId }, clock),
  );
  const connection = createConnection(() => log.info('upstream', { state: connection.state() }));
  const hub = createHubStore(store, expoId, settings.learnt, clock, check);

  // Mirror to devices.
  const details = createDetails({ client, expoId, store, clock });
  const replicator = createReplicator({ store, mirror, expoId });
  const replicatorSleep = createWakeableSleep(clock);
  const replicateSoon = (resource: ResourceName, ids: readonly string[]): void => {
    replicator.note(resource, ids);
    replicatorSleep.wake();
  };
  let isUpToDate = false;
  const runReplicator = async (signal: AbortSignal): Promise<void> => {
    let isCompared = false;
    while (!signal.aborted) {
      if (!isCompared && (isUpToDate || (await replicator.isSource()))) {
        await replicator.compare();
        isCompared = true;
      }
      if (replicator.hasWork()) await replicator.replicate();
      await replicatorSleep.sleep(REPLICATE_EVERY_MS, signal);
    }
  };
  const isReplicated = (name: ResourceName): boolean =>
    (mirror.progress(name).complete || mirror.isRefused(name)) && !replicator.hasWork(name);

  // Devices to the platform.
  const sender = createDelivery({
    client,
    expoId,
    store: hub,
    clock,
    random,
    log,
    connection,
    owner: () => ({ touchpoint: null, partner: null }),
    onChange: () => undefined,
  });

  const unsubscribe = store.onNotice(({ topic }) => {
    if (topic === 'taken' || topic === 'missed') sender.wake();
  });

  // The platform to the mirror.
  const recheck = async (wentBack: boolean): Promise<void> => {
    const rechecked = await hub.recheck(wentBack, clock.now());
    log.info('confirmed facts are read back again after a full comparison', { rechecked });
    sender.wake();
  };
  const puller = createPuller({
    client,
    expoId,
    mirror,
    clock,
    random,
    log,
    connection,
    resources: HUB_RESOURCES,
    partner: () => null,
    onPage: (resource, changed) =>
      replicateSoon(
        resource,
        changed.map(({ id }) => id),
      ),
    onRemoved: replicateSoon,
    onCompared: ({ wentBack }) => {
      recheck(wentBack).catch((error: unknown) =>
        log.error('confirmed facts could not be marked for read-back', { error: String(error) }),
      );
    },
    backgroundJobs: async (signal) => {
      await details.readEvent(signal);
      await details.readMissing(DETAILS_ROUND_MS, signal);
    },
    onRound: () => {
      if (!isUpToDate) replicatorSleep.wake();
      isUpToDate = true;
    },
  });
  const pause = (): Pause | null => sender.pause() ?? puller.pause();

  return {
    hub,
    standing: createStanding(clock, () => standingOf(pause(), connection.state())),
    requests,
    isWhole: () => SNAPSHOT_RESOURCES.every(({ name }) => isReplicated(name)),
    isServed: createServed(settings.wholeLists, isReplicated),
    pause,
    askForEmail: createAskForEmail(client, expoId),
    poll: puller.poll,
    platformTime: () => {
      const offset = client.clockOffset();
      return offset === null ? null : clock.now() + offset;
    },
    readEvent: details.readEvent,
    registerWebhooks: (url, say, signal) => registerWebhooks({ client, expoId, url, clock, say, signal }),
    missingRights: (signal) => missingRightsOf(client, expoId, signal),
    run: async (signal) => {
      // Some lists never show a deletion, so an old mirror still has deleted records. It would restore them in a store
      // that another mirror filled. So these lists are compared with the platform first.
      if (!(await replicator.isSource())) puller.reconcile(HIDING_DELETIONS);
      const onFault = (error: unknown): void =>
        log.error('a loop failed and restarts', { error: whyOf(error) });
      const loops = [puller.run, sender.run, runReplicator];
      await Promise.all(loops.map((loop) => keepRunning({ clock, random }, loop, onFault, signal)));
    },
    close: async () => {
      unsubscribe();
      await client.close();
    },
  };
}

/** The client, and the number of its unanswered requests. */
function counted(client: ApiClient): { readonly client: ApiClient; readonly requests: () => number } {
  let open = 0;
  const count = async <Answer>(request: Promise<Answer>): Promise<Answer> => {
    open += 1;
    try {
      return await request;
    } finally {
      open -= 1;
    }
  };
  return {
    requests: () => open,
    client: {
      ...client,
      get: (...asked) => count(client.get(...asked)),
      getBytes: (...asked) => count(client.getBytes(...asked)),
      post: (...asked) => count(client.post(...asked)),
    },
  };
}

/** Whether the store holds a list completely, or did so earlier. The settings keep the names of such lists. */
function createServed(
  noted: HubSettings['wholeLists'],
  isReplicated: (name: ResourceName) => boolean,
): Bridge['isServed'] {
  return (list) => {
    if (noted.has(list)) return true;
    const name = HUB_RESOURCES.find(({ path }) => path === list)?.name;
    if (name !== undefined && !isReplicated(name)) return false;
    noted.add(list);
    return true;
  };
}

function standingOf(
  pause: Pause | null,
  network: 'unknown' | 'online' | 'offline',
): UpstreamStanding['state'] {
  if (pause !== null && pause !== 'offline') return 'refused';
  return pause === null && network === 'online' ? 'online' : 'offline';
}

/** The state of the connection to the platform, and when a call first observed it. Null before the first change. */
function createStanding(clock: Clock, now: () => UpstreamStanding['state']): () => UpstreamStanding {
  let last: UpstreamStanding = { state: now(), since: null };
  return () => {
    const state = now();
    if (state !== last.state) last = { state, since: clock.now() };
    return last;
  };
}
