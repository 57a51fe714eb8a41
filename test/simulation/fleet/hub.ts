/**
 * A hub of a simulated world: the server, the bridge and both databases of `src-hub`, in this process. It has
 * its store in its own folder, or works under the lease on a database that it shares with another hub.
 *
 * Invariants:
 * - Composed like `src-hub/hub.ts`, except the sockets, the pages and the snapshots.
 * - A run that has ended changes nothing.
 * - After a power cut only committed data is left.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { type Bridge, createBridge } from '../../../src-hub/bridge.ts';
import { claim } from '../../../src-hub/lease/claim.ts';
import { basePath } from '../../../src-hub/options.ts';
import { type HubSettings, openSettings } from '../../../src-hub/settings.ts';
import { type Mirror, openMirror } from '../../../src-main/core/event/mirror/mirror.ts';
import type { ApiClient } from '../../../src-main/core/foundations/api/client.ts';
import { ApiError } from '../../../src-main/core/foundations/api/error-class.ts';
import type { Clock } from '../../../src-main/core/foundations/ports.ts';
import { createSemaphore } from '../../../src-platform/http/semaphore.ts';
import { addDevice, enrolDevice, revokeDevice } from '../../../src-platform/keys/devices.ts';
import { createPlatform } from '../../../src-platform/server.ts';
import { findExpo } from '../../../src-platform/store/expo.ts';
import { openSqlite } from '../../../src-platform/store/open.ts';
import type { Store } from '../../../src-platform/store/store.ts';
import type { Chance } from '../chance.ts';
import { copyDisk } from '../device.ts';
import type { Answer, Asked } from '../model-network.ts';
import type { VirtualTime } from '../virtual-time.ts';
import type { Database } from './database.ts';
import { createProcess, type Process } from './process.ts';

export type HubPorts = {
  readonly owner: number;
  /** The beginning of the paths of its data folders. It uses a new folder after a power cut and after a disk loss. */
  readonly folder: string;
  /** The database that it shares with another hub, or null. */
  readonly database: Database | null;
  readonly skew: number;
  readonly expo: string;
  readonly time: VirtualTime;
  readonly chance: Chance;
  readonly connect: (clock: Clock, process: Process) => ApiClient;
  /** Called when it begins to serve, and when another hub has taken over. */
  readonly note: (what: string) => void;
};

/** Resources of one run while it serves. */
type Run = {
  readonly process: Process;
  readonly store: Store;
  readonly mirror: Mirror;
  readonly bridge: Bridge;
  readonly app: ReturnType<typeof createPlatform>;
};

export type Hub = ReturnType<typeof createHub>;

const DAY_MS = 86_400_000;
/** The time without a renewal of the lease after which another hub takes over. */
export const LEASE_MS = 3_000;

/** A hub that is not started. */
export const createHub = (ports: HubPorts) => {
  const { expo, time, chance, database } = ports;
  const errors: string[] = [];
  let { skew } = ports;
  const clock = time.clockOf(ports.owner, () => skew);
  let folders = 0;
  let folder = `${ports.folder}-0`;
  let epochs = 1;
  let runs = 0;
  let serving = 0;
  let run: Run | null = null;
  let present: { readonly process: Process; readonly stopping: AbortController; life: Promise<void> } | null =
    null;
  /** The end of the latest run. */
  let before: Promise<void> = Promise.resolve();
  mkdirSync(folder);

  const logOf = ({ ended }: Process) => ({
    error: (what: string, details?: object) => {
      if (!ended.aborted) errors.push(`${what} ${JSON.stringify(details)}`);
    },
    warn: () => undefined,
    info: () => undefined,
  });

  const serve = async ({ process, store, bridge }: Run, settings: HubSettings, signal: AbortSignal) => {
    const own = process.clockOf(clock);
    while ((await findExpo(store.db, expo)) === undefined && !signal.aborted) {
      await bridge.readEvent(signal).catch((error: unknown) => {
        if (!(error instanceof ApiError || signal.aborted)) throw error;
      });
      await own.sleep(1_000, signal);
    }
    if (signal.aborted) return;
    await settings.keepEvent();
    serving = runs;
    ports.note('a hub begins to serve');
    await bridge.run(signal);
  };

  /** Opens the parts of a run over `store`, serves until `signal` aborts, and closes them. */
  const work = async (
    process: Process,
    { store, check }: { readonly store: Store; readonly check: () => Promise<void> },
    isUp: () => void,
    signal: AbortSignal,
  ): Promise<void> => {
    const own = process.clockOf(clock);
    const log = logOf(process);
    const settings = await openSettings({
      ...{ store, expo, place: null, newId: `epoch${epochs}`, now: clock.now() },
      onFault: (error) => log.error('a setting could not be written', { error: String(error) }),
    });
    const mirror = openMirror(join(folder, 'mirror.db'), expo);
    const bridge = createBridge({
      upstream: { url: 'http://upstream.invalid', key: 'k', password: '' },
      privateHttp: false,
      expoId: expo,
      ...{ store, mirror, settings, log, check, clock: own, random: chance },
      connect: () => process.clientOf(ports.connect(own, process)),
    });
    const app = createPlatform({
      ...{ store, log: pino({ level: 'silent' }), basePath, semaphore: createSemaphore() },
      ...{
        now: () => new Date(clock.now()),
        newId: () => 'none',
        uploads: folder,
        allowPrivateTargets: false,
      },
      mailer: { send: async () => undefined },
      hub: {
        name: 'Hall',
        hubStoreId: settings.hubStoreId,
        since: settings.since,
        upstream: bridge.standing,
        askForEmail: bridge.askForEmail,
        isServed: bridge.isServed,
        platformTime: () => bridge.platformTime() ?? clock.now(),
      },
    });
    const one: Run = { process, store, mirror, bridge, app };
    run = one;
    isUp();
    try {
      await serve(one, settings, signal);
    } finally {
      await app.close();
      await bridge.close();
      await settings.written();
      mirror.close();
    }
  };

  const live = async (process: Process, stopping: AbortController, isUp: () => void): Promise<void> => {
    const own = process.clockOf(clock);
    const { signal } = stopping;
    const opened = database === null ? await openSqlite(folder) : database.connect(process);
    const held = await claim({
      ...{ data: folder, database: database?.folder ?? null, name: `Hub ${ports.owner}` },
      ...{ isStandby: true, isShared: false, leaseMs: LEASE_MS },
      ...{ store: opened, clock: own, log: logOf(process), say: () => undefined },
    });
    const isReplaced = (): void => {
      ports.note('a hub was replaced');
      void exit();
    };
    const keeping = held.keep(isReplaced, signal);
    try {
      await held.run((given) => work(process, given, isUp, signal), signal);
    } finally {
      // A process that was killed while it was suspended renews nothing more.
      await Promise.allSettled([keeping]);
      await held.release();
      await opened.close();
    }
  };

  const start = async (): Promise<void> => {
    if (present !== null) return;
    await before;
    runs += 1;
    const process = createProcess();
    const stopping = new AbortController();
    const up = Promise.withResolvers<void>();
    const life = live(process, stopping, up.resolve).catch((error: unknown) => {
      if (!process.ended.aborted) errors.push(`it ended: ${String(error)}`);
    });
    present = { process, stopping, life };
    before = life;
    // A hub on a shared database may wait for the lease.
    if (database === null) await Promise.race([up.promise, life]);
  };

  /** Ends the process without a further effect. */
  const exit = (): Promise<void> => {
    present?.process.kill();
    return stop();
  };

  /** Stops the run properly. Its data stays in `folder`. A standby has nothing to stop. */
  const stop = async (): Promise<void> => {
    const stopped = present;
    const isStandby = run === null;
    [present, run, serving] = [null, null, 0];
    if (isStandby) stopped?.process.kill();
    stopped?.process.resume();
    stopped?.stopping.abort();
    await stopped?.life;
  };

  /** Ends the run and continues in another folder, to which `keep` copies the remaining files. */
  const continueElsewhere = async (keep: (from: string, to: string) => void): Promise<void> => {
    const left = folder;
    folders += 1;
    folder = `${ports.folder}-${folders}`;
    keep(left, folder);
    await stop();
    rmSync(left, { recursive: true, force: true });
  };

  const running = (): Run => {
    if (run === null) throw new Error('Expected the hub to run');
    return run;
  };
  const commandStore = (): Store => database?.store ?? running().store;

  return {
    errors,
    /** The folders with its mirror and with its store. */
    folders: () => ({ mirror: folder, store: database?.folder ?? folder }),
    /** Number of the current run while it serves. 0 when none does. */
    run: () => serving,
    /** Whether its process runs. It may be a standby. */
    isUp: () => present !== null,
    isSuspended: () => present?.process.isSuspended() ?? false,
    suspend: () => present?.process.suspend(),
    resume: () => present?.process.resume(),
    /** Sets its wall clock this many milliseconds ahead of the world's. */
    setClock: (ms: number): void => {
      skew = ms;
    },
    start,
    stop,
    /** The power is cut, or the process is killed. */
    losePower: () => (database === null ? continueElsewhere(copyDisk) : exit()),
    /** The disk is lost with all devices and accepted facts. */
    loseDisk: async (): Promise<void> => {
      epochs += 1;
      await continueElsewhere((_before, to) => void mkdirSync(to));
    },
    /** A request of a device. It waits while the process is suspended. */
    ask: async ({ path, query, body }: Asked, key: string): Promise<Answer> => {
      const asking = run;
      const isAway = (): boolean => asking === null || asking.process.ended.aborted;
      await asking?.process.goOn().catch(() => undefined);
      if (asking === null || isAway()) return { status: 503, body: '', contentType: 'text/plain' };
      const asked = Object.entries(query).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] as [string, string]],
      );
      const response = await asking.app.inject({
        method: body === null ? 'GET' : 'POST',
        url: `${basePath}${path}${asked.length === 0 ? '' : `?${new URLSearchParams(asked)}`}`,
        headers: {
          authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
          ...(body === null ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === null ? {} : { payload: body }),
      });
      const { headers } = response;
      return {
        status: response.statusCode,
        body: response.body,
        contentType: String(headers['content-type'] ?? ''),
        retryAfter: headers['retry-after'] === undefined ? null : String(headers['retry-after']),
        date: Date.parse(String(headers.date)),
      };
    },
    /** Adds a device for a touchpoint, enrolled with its own key. Returns its id and that key. */
    addDevice: async (touchpointId: string, partnerId: string): Promise<{ id: string; key: string }> => {
      const store = commandStore();
      const now = new Date(clock.now());
      const about = { expoId: expo, name: touchpointId, touchpointId, partnerId };
      const { id } = await addDevice(store, about, now, new Date(now.getTime() + DAY_MS));
      const key = Buffer.from(chance.bytes(32)).toString('base64url');
      await enrolDevice(store, id, key, now);
      return { id, key };
    },
    revoke: (id: string): Promise<boolean> => revokeDevice(commandStore(), id, new Date(clock.now())),
    /** Simulates the next day: the hub compares everything with the platform. */
    nextDay: (): void => {
      skew += 25 * 3_600_000;
    },
    /** Sends what is due. */
    wake: async (): Promise<void> => {
      await commandStore().transaction(async (_db, notify) => notify('taken'));
    },
    mirror: () => running().mirror,
    counts: () => running().bridge.hub.counts(),
  };
};
