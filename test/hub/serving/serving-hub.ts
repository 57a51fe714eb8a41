/**
 * A hub in this process, without a platform behind it. Its event is the demo's.
 *
 * Invariants:
 * - It serves real HTTP on its own port, and stops when the test ends.
 * - Its store is SQLite in its folder, or its own database on the PostgreSQL server in `PLATFORM_TEST_SERVER`, or
 *   `database`.
 */
import { existsSync } from 'node:fs';
import pino from 'pino';
import { onTestFinished } from 'vitest';
import { createHubStore } from '../../../src-hub/outbox/hub-store.ts';
import { openSettings, placeOf } from '../../../src-hub/settings.ts';
import { openData } from '../../../src-platform/data.ts';
import { createSemaphore } from '../../../src-platform/http/semaphore.ts';
import type { LentDestinations } from '../../../src-platform/hub/destinations.ts';
import { type AskForEmail, forwardedResources } from '../../../src-platform/hub/operations.ts';
import type { SnapshotSource } from '../../../src-platform/hub/snapshot-operations.ts';
import { createStreams } from '../../../src-platform/hub/stream.ts';
import { addDevice } from '../../../src-platform/keys/devices.ts';
import { createFileOutbox } from '../../../src-platform/mail/mailer.ts';
import { registrationTypes } from '../../../src-platform/resources/registration-types.ts';
import { seed } from '../../../src-platform/seed/seed.ts';
import { newId } from '../../../src-platform/serve.ts';
import { createPlatform } from '../../../src-platform/server.ts';
import { sqliteFile } from '../../../src-platform/store/open.ts';
import type { Store } from '../../../src-platform/store/store.ts';
import { ownFolder } from '../../core/fixture.ts';
import { newDatabase } from '../../platform/postgres/cluster.ts';

export const expo = 'AD2026';
type Answer = { readonly status: number; readonly json: never };

/**
 * A hub with one device that is not enrolled. `hubStoreId`: for an empty or copied store. `folder`: that of another
 * hub, or a new one.
 */
export const startHub = async ({
  days = 1,
  folder = ownFolder(),
  database: given = null,
  hubStoreId: newStoreId = 'e1',
  since = 0,
  askForEmail = async () => 'away',
  platformTime = () => null,
  snapshots,
  destinations,
  isServed = () => true,
  commandsFor = async () => [],
  heartbeatMs = 10_000,
}: {
  readonly days?: number;
  readonly folder?: string;
  readonly database?: string | null;
  readonly hubStoreId?: string;
  readonly since?: number;
  readonly platformTime?: () => number | null;
  readonly snapshots?: SnapshotSource;
  readonly destinations?: (store: Store) => LentDestinations;
  readonly askForEmail?: AskForEmail;
  readonly isServed?: (list: string) => boolean;
  readonly commandsFor?: (device: string) => Promise<readonly string[]>;
  readonly heartbeatMs?: number;
} = {}) => {
  const server = process.env.PLATFORM_TEST_SERVER;
  const database = given ?? (server === undefined ? null : await newDatabase(server));
  const isNew = database !== null || !existsSync(sqliteFile(folder));
  const store = await openData(folder, database);
  const place = database === null ? placeOf(sqliteFile(folder)) : null;
  const { hubStoreId } = await openSettings({
    ...{ store, expo, place, newId: newStoreId, now: since, onFault: () => undefined },
  });
  if (isNew) await seed(store, 'demo', new Date());
  let woken = 0;
  store.onNotice(({ topic }) => {
    if (topic === 'taken') woken += 1;
  });
  const upstream = () => ({ state: 'offline', since: 5 }) as const;
  const streams = createStreams({
    ...{ store, expoId: expo, hubStoreId, name: 'Hall 3', upstream, commandsFor, heartbeatMs },
    resources: [...forwardedResources, registrationTypes],
    onFault: (error) => {
      throw error;
    },
  });
  const app = createPlatform({
    store,
    semaphore: createSemaphore(),
    log: pino({ level: 'silent' }),
    newId,
    now: () => new Date(),
    basePath: '/create/v2',
    uploads: folder,
    allowPrivateTargets: false,
    mailer: createFileOutbox(folder),
    hub: {
      name: 'Hall 3',
      hubStoreId,
      since,
      askForEmail,
      platformTime,
      isServed,
      snapshots,
      streams,
      ...(destinations === undefined ? {} : { destinations: destinations(store) }),
      upstream,
    },
  });
  onTestFinished(async () => {
    streams.close();
    await app.close();
    await store.close();
  });
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  const request = async (method: 'GET' | 'POST', path: string, user: string, body?: object) => {
    const response = await fetch(`${origin}/create/v2${path}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${user}:`).toString('base64')}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = (text === '' ? null : JSON.parse(text)) as Answer['json'];
    return { status: response.status, json };
  };
  const until = new Date(Date.now() + days * 86_400_000);
  const about = { expoId: expo, name: 'Left', touchpointId: 'AD2026T01', partnerId: 'AD2026P001' };
  const device = await addDevice(store, about, new Date(), until);
  const enrol = (one: { id: string; key: string }, made: string) =>
    request('POST', '/hub/enrol', one.key, { device: one.id, key: made });
  const hub = createHubStore(store, expo, { get: () => null, set: () => undefined }, { now: Date.now });
  return {
    baseUrl: `${origin}/create/v2`,
    folder,
    /** The options of a command on the data of this hub. */
    where: ['--data', folder, ...(database === null ? [] : ['--database', database])],
    database,
    store,
    streams,
    hub,
    request,
    device,
    enrol,
    about,
    until,
    woken: () => woken,
  };
};
