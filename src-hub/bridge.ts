/**
 * Between the hub and the platform behind it: the puller that keeps the copy of the event, the sender that brings the
 * devices' facts there, on one client with both slots of the key.
 *
 *     upstream ──► puller ──► mirror ──► copier ──► store ──► devices
 *     upstream ◄── sender ◄────────────────────── relay_fact ◄── devices
 *
 * Invariants: the parts are the kiosk's own; the key of upstream is handed to the client and to nothing else; a loop that
 * meets a fault of its own begins anew.
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
import type { AskForEmail } from '../src-platform/hub/email.ts';
import type { UpstreamStanding } from '../src-platform/hub/hub-operations.ts';
import type { Store } from '../src-platform/store/store.ts';
import { createCopier } from './copy/copier.ts';
import { copyDetails, copyExpo } from './copy/details.ts';
import { HUB_RESOURCES } from './copy/resources.ts';
import { createAskForEmail } from './email.ts';
import type { HubOptions } from './options.ts';
import { createHubStore, type HubStore } from './outbox/hub-store.ts';
import { lacksOf } from './rights.ts';
import type { HubSettings } from './settings.ts';
import { SNAPSHOT_RESOURCES } from './snapshot/resources.ts';

export type BridgePorts = {
  readonly options: Pick<HubOptions, 'upstream' | 'expo' | 'privateHttp'>;
  readonly store: Store;
  readonly mirror: Mirror;
  readonly settings: HubSettings;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Throws where another hub has taken over; absent where none can. */
  readonly check?: () => Promise<void>;
  /** How upstream is reached, with both slots of its key; HTTP unless a simulation stands in. */
  readonly connect?: (access: PlatformAccess, clock: Clock) => ApiClient;
};

export type Bridge = {
  readonly hub: HubStore;
  readonly standing: () => UpstreamStanding;
  /** Whether devices can read all of the event here. */
  readonly isWhole: () => boolean;
  /** Whether devices can read all of this list here, or could once. */
  readonly isServed: (list: string) => boolean;
  /** Why nothing goes upstream, or null. */
  readonly pause: () => Pause | null;
  readonly askForEmail: AskForEmail;
  /** The platform's time in epoch milliseconds; null while it never answered. */
  readonly platformTime: () => number | null;
  /** Items were taken in. */
  readonly wake: () => void;
  readonly poll: PollNow;
  /** Reads the event, so that devices have one. @throws ApiError */
  readonly greet: (signal: AbortSignal) => Promise<void>;
  /** What the key lacks that a hub needs, a sentence each. @throws ApiError */
  readonly lacks: (signal: AbortSignal) => Promise<readonly string[]>;
  /** Runs until `signal` aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The store looks for changes of the mirror at least this often. */
const COPY_EVERY_MS = 60_000;

/** The bridge of one hub. */
export function createBridge(ports: BridgePorts): Bridge {
  const { options, store, mirror, settings, clock, random, log } = ports;
  const { expo: expoId } = options;
  const { url: baseUrl, key, password } = options.upstream;
  const client = (ports.connect ?? connectOver(options))({ baseUrl, key, password, expoId }, clock);
  const hub = createHubStore(store, expoId, settings.learnt, clock, ports.check);
  const copier = createCopier({ store, mirror, expoId });
  const copied = createWakeableSleep(clock);
  const copyAgain = (resource: ResourceName, ids: readonly string[]): void => {
    copier.note(resource, ids);
    copied.wake();
  };
  const details = { client, expoId, store, clock };
  const connection = createConnection(() => log.info('upstream', { state: connection.state() }));
  const common = { client, expoId, clock, random, log, connection };
  const sender = createDelivery({
    ...{ ...common, store: hub, onChange: () => undefined },
    owner: () => ({ touchpoint: null, partner: null }),
  });
  const puller = createPuller({
    ...{ ...common, mirror, resources: HUB_RESOURCES, partner: () => null },
    onPage: (resource, changed) =>
      copyAgain(
        resource,
        changed.map(({ id }) => id),
      ),
    onRemoved: copyAgain,
    onCompared: ({ wentBack }) => {
      hub.recheck(wentBack, clock.now()).then(
        (rechecked) => {
          log.info('what upstream had confirmed is looked for again', { rechecked });
          sender.wake();
        },
        (error: unknown) =>
          log.error('what was confirmed could not be looked for again', { error: String(error) }),
      );
    },
    backgroundJobs: async (signal) => {
      await copyExpo(details, signal);
      await copyDetails(details, DETAILS_ROUND_MS, signal);
    },
    onRound: () => undefined,
  });
  const copy = async (signal: AbortSignal): Promise<void> => {
    await copier.compare();
    while (!signal.aborted) {
      if (copier.hasWork()) await copier.copy();
      await copied.sleep(COPY_EVERY_MS, signal);
    }
  };
  const isCopied = (name: ResourceName): boolean =>
    (mirror.progress(name).complete || mirror.isRefused(name)) && !copier.hasWork(name);
  const pause = (): Pause | null => sender.pause() ?? puller.pause();

  return {
    hub,
    standing: createStanding(clock, () => standingOf(pause(), connection.state())),
    isWhole: () => SNAPSHOT_RESOURCES.every(({ name }) => isCopied(name)),
    isServed: createServed(settings.wholeLists, isCopied),
    pause,
    askForEmail: createAskForEmail(client, expoId),
    poll: puller.poll,
    platformTime: () => {
      const offset = client.clockOffset();
      return offset === null ? null : clock.now() + offset;
    },
    wake: sender.wake,
    greet: (signal) => copyExpo(details, signal),
    lacks: (signal) => lacksOf(client, expoId, signal),
    run: async (signal) => {
      const onFault = (error: unknown): void =>
        log.error('a loop was ended by a fault; it is begun again', {
          error: error instanceof Error ? error.message : 'unknown',
        });
      const loops = [puller.run, sender.run, copy];
      await Promise.all(loops.map((loop) => keepRunning({ clock, random }, loop, onFault, signal)));
    },
    close: client.close,
  };
}

/** The way upstream over HTTP, with both slots of the key. */
function connectOver({ privateHttp }: BridgePorts['options']): NonNullable<BridgePorts['connect']> {
  return (access, clock) => createClient(access, clock, { slots: 2, privateHttp });
}

/** Whether a list is or was whole in the store; noted there once it is. */
function createServed(
  noted: HubSettings['wholeLists'],
  isCopied: (name: ResourceName) => boolean,
): Bridge['isServed'] {
  return (list) => {
    if (noted.has(list)) return true;
    const name = HUB_RESOURCES.find(({ path }) => path === list)?.name;
    if (name !== undefined && !isCopied(name)) return false;
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

/** A standing with the time since when it is so; it is looked at whenever somebody asks. */
function createStanding(clock: Clock, now: () => UpstreamStanding['state']): () => UpstreamStanding {
  let last: UpstreamStanding = { state: now(), since: null };
  return () => {
    const state = now();
    if (state !== last.state) last = { state, since: clock.now() };
    return last;
  };
}
