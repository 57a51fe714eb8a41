/**
 * The hub of a simulated world: the server, the bridge and both databases of `src-hub`, in this process.
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
import { basePath } from '../../../src-hub/options.ts';
import { type HubSettings, openSettings } from '../../../src-hub/settings.ts';
import { type Mirror, openMirror } from '../../../src-main/core/event/mirror/mirror.ts';
import type { ApiClient } from '../../../src-main/core/foundations/api/client.ts';
import { ApiError } from '../../../src-main/core/foundations/api/error-class.ts';
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

export type HubPorts = {
  readonly owner: number;
  /** Folder of its data folders. It uses a new one after each end. */
  readonly folder: string;
  readonly skew: number;
  readonly expo: string;
  readonly time: VirtualTime;
  readonly chance: Chance;
  readonly connect: () => ApiClient;
};

/** Resources of one run of the process. */
type Run = {
  readonly store: Store;
  readonly settings: HubSettings;
  readonly mirror: Mirror;
  readonly bridge: Bridge;
  readonly app: ReturnType<typeof createPlatform>;
  readonly ended: AbortController;
  running: Promise<void>;
};

export type Hub = ReturnType<typeof createHub>;

const DAY_MS = 86_400_000;

/** A hub that is not started. */
export const createHub = (ports: HubPorts) => {
  const { expo, time, chance } = ports;
  const errors: string[] = [];
  const log = {
    error: (what: string, details?: object) => void errors.push(`${what} ${JSON.stringify(details)}`),
    warn: () => undefined,
    info: () => undefined,
  };
  let skew = ports.skew;
  const clock = time.clockOf(ports.owner, () => skew);
  let folders = 0;
  let folder = `${ports.folder}-0`;
  let epochs = 1;
  let runs = 0;
  let serving = 0;
  let run: Run | null = null;
  mkdirSync(folder);

  const awaitEvent = async ({ store, bridge, ended }: Run): Promise<void> => {
    while ((await findExpo(store.db, expo)) === undefined && !ended.signal.aborted) {
      await bridge.readEvent(ended.signal).catch((error: unknown) => {
        if (!(error instanceof ApiError || ended.signal.aborted)) throw error;
      });
      await clock.sleep(1_000, ended.signal);
    }
  };

  const serve = async (one: Run, number: number): Promise<void> => {
    await awaitEvent(one);
    if (one.ended.signal.aborted) return;
    await one.settings.keepEvent();
    serving = number;
    await one.bridge.run(one.ended.signal);
  };

  const start = async (): Promise<void> => {
    if (run !== null) return;
    runs += 1;
    const store = await openSqlite(folder);
    const settings = await openSettings({
      ...{ store, expo, place: null, newId: `epoch${epochs}`, now: clock.now() },
      onFault: (error) => log.error('a setting could not be written', { error: String(error) }),
    });
    const mirror = openMirror(join(folder, 'mirror.db'), expo);
    const bridge = createBridge({
      upstream: { url: 'http://upstream.invalid', key: 'k', password: '' },
      privateHttp: false,
      expoId: expo,
      store,
      mirror,
      settings,
      log,
      clock,
      random: chance,
      connect: ports.connect,
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
      },
    });
    const one: Run = {
      ...{ store, settings, mirror, bridge, app, ended: new AbortController() },
      running: Promise.resolve(),
    };
    run = one;
    one.running = serve(one, runs);
  };

  /** Stops the run properly. Its data stays in `folder`. */
  const stop = async (): Promise<void> => {
    const one = run;
    if (one === null) return;
    run = null;
    serving = 0;
    one.ended.abort();
    await one.app.close();
    await one.bridge.close();
    await one.running;
    await one.settings.written();
    one.mirror.close();
    await one.store.close();
  };

  /** Ends the run and continues in another folder, to which `keep` copies what is left. */
  const end = async (keep: (from: string, to: string) => void): Promise<void> => {
    const before = folder;
    folders += 1;
    folder = `${ports.folder}-${folders}`;
    keep(before, folder);
    await stop();
    rmSync(before, { recursive: true, force: true });
  };

  const running = (): Run => {
    if (run === null) throw new Error('Expected the hub to run');
    return run;
  };

  return {
    errors,
    folder: () => folder,
    /** Number of the current run. 0 when none runs. */
    run: () => serving,
    isUp: () => run !== null,
    clock,
    start,
    stop,
    /** The power is cut, or the process is killed. */
    losePower: () => end(copyDisk),
    /** The disk is lost with all devices and accepted facts. */
    loseDisk: async (): Promise<void> => {
      epochs += 1;
      await end((_before, to) => void mkdirSync(to));
    },
    /** A request of a device. */
    ask: async ({ path, query, body }: Asked, key: string): Promise<Answer> => {
      if (run === null) return { status: 503, body: '', contentType: 'text/plain' };
      const asked = Object.entries(query).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] as [string, string]],
      );
      const response = await run.app.inject({
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
      };
    },
    /** Adds a device for a touchpoint, enrolled with its own key. Returns its id and that key. */
    addDevice: async (touchpointId: string, partnerId: string): Promise<{ id: string; key: string }> => {
      const { store } = running();
      const now = new Date(clock.now());
      const about = { expoId: expo, name: touchpointId, touchpointId, partnerId };
      const { id } = await addDevice(store, about, now, new Date(now.getTime() + DAY_MS));
      const key = Buffer.from(chance.bytes(32)).toString('base64url');
      await enrolDevice(store, id, key, now);
      return { id, key };
    },
    revoke: (id: string): Promise<boolean> => revokeDevice(running().store, id, new Date(clock.now())),
    /** Simulates the next day: the hub compares everything with the platform. */
    nextDay: (): void => {
      skew += 25 * 3_600_000;
    },
    /** Sends what is due. */
    wake: async (): Promise<void> => {
      await run?.store.transaction(async (_db, notify) => notify('taken'));
    },
    mirror: () => running().mirror,
    counts: () => running().bridge.hub.counts(),
    pause: () => run?.bridge.pause() ?? null,
  };
};
