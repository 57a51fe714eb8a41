/**
 * Sets up the fleet bench: a platform whose event has a touchpoint for each device, a hub behind a counting proxy, and
 * the enrolled devices of the hub.
 *
 * Invariants:
 * - Platform, hub and database are the real programs, each in its own process.
 * - The bench has its own platform key, so it uses none of the hub's slots.
 * - PostgreSQL writes to disk before it answers, as Debian configures it.
 */
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprintOfKey } from '../../../src-main/provision/provision-file.ts';
import { openExistingData } from '../../../src-platform/data.ts';
import { touchpoints } from '../../../src-platform/resources/derived.ts';
import { shapeOf } from '../../../src-platform/resources/resource.ts';
import { createBulk } from '../../../src-platform/seed/bulk.ts';
import type { Store } from '../../../src-platform/store/store.ts';
import { realClock } from '../../core/real-parts.ts';
import { freePort } from '../../free-port.ts';
import { newDatabase, postgresPrograms, startCluster } from '../../platform/postgres/cluster.ts';
import { addDevices, enrol, startHub } from '../sync/hub.ts';
import { type Access, addPlatformKey, type Child, startPlatform } from '../sync/processes.ts';
import { type CountingProxy, startCountingProxy } from './counting-proxy.ts';
import type { FleetDevice, Hall } from './device.ts';
import type { Memory } from './memory-probe.ts';
import { type Meter, startMeter } from './process-meter.ts';

export type HallOptions = {
  readonly folder: string;
  readonly visitors: number;
  readonly devices: number;
  readonly engine: 'postgres' | 'sqlite';
  /** Whether the platform notifies the hub of changes. */
  readonly isNotified: boolean;
  /** Number of serving processes of the hub. More than one needs PostgreSQL. */
  readonly processes: number;
};

export type RunningHall = {
  readonly hall: Hall;
  readonly devices: readonly FleetDevice[];
  /** The platform, with a key for the bench. */
  readonly upstream: Access;
  readonly upstreamStore: Store;
  readonly hubStore: Store;
  readonly proxy: CountingProxy;
  readonly meters: Readonly<Record<string, Meter>>;
  /** The memory of all processes of the hub, after a garbage collection in each process. */
  readonly memory: () => Promise<Memory>;
  readonly stop: () => Promise<void>;
};

const ENROLLED_AT_ONCE = 20;
const PROBE_FLAGS = ['--expose-gc', '--import', new URL('memory-probe.ts', import.meta.url).href];
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** The functions that stop the started parts, in the order of the starts. */
type Ends = (() => Promise<void> | void)[];

const endAll = async (ends: Ends): Promise<void> => {
  for (const end of ends.toReversed()) await end();
};

/** Gives the event this many touchpoints for leads, spread over its partners. */
const addTouchpoints = async (store: Store, expoId: string, count: number): Promise<void> => {
  const partners = await store.db
    .selectFrom('record')
    .select('id')
    .where('kind', '=', 'partner')
    .orderBy('id')
    .execute();
  await store.write(async (write) => {
    const bulk = createBulk(write);
    for (let number = 0; number < count; number += 1) {
      const id = `${expoId}F${String(number).padStart(4, '0')}`;
      const { id: partnerID } = partners[number % partners.length] ?? { id: '' };
      await bulk.add(shapeOf(touchpoints), expoId, {
        ...{ id, expoID: expoId, name: `Fair ${number}`, purpose: 'lead', partnerID, serial: id },
      });
    }
    await bulk.flush();
  });
};

/** Starts PostgreSQL and returns the address of a new database. Returns null for SQLite. */
const startDatabase = async (
  engine: HallOptions['engine'],
  meters: Record<string, Meter>,
  ends: Ends,
): Promise<string | null> => {
  if (engine === 'sqlite') return null;
  const programs = postgresPrograms();
  if (programs === null) throw new Error('PostgreSQL is not installed; --database sqlite does without it');
  const cluster = await startCluster(programs, true);
  ends.push(cluster.stop);
  meters.postgres = startMeter(cluster.pid, true);
  return newDatabase(cluster.address);
};

const databaseOption = (database: string | null): readonly string[] =>
  database === null ? [] : ['--database', database];

/** Adds and enrols devices, a few at a time. */
const enrolDevices = async (
  data: string,
  addresses: readonly string[],
  database: string | null,
  count: number,
): Promise<{ readonly devices: readonly FleetDevice[]; readonly pin: string }> => {
  const [baseUrl = ''] = addresses;
  const out = join(data, '../devices.json');
  const devices = await addDevices<FleetDevice>(data, baseUrl, count, out, databaseOption(database));
  if (devices === null) throw new Error('The hub added no devices');
  const enrolled: FleetDevice[] = [];
  for (let at = 0; at < devices.length; at += ENROLLED_AT_ONCE) {
    const some = devices.slice(at, at + ENROLLED_AT_ONCE);
    const made = await Promise.all(
      some.map(async (device, place) => {
        const own = addresses[(at + place) % addresses.length] ?? baseUrl;
        const others = addresses.filter((address) => address !== own);
        return { ...device, key: await enrol(baseUrl, device), baseUrl: own, others };
      }),
    );
    enrolled.push(...made);
  }
  const { pin } = JSON.parse(readFileSync(out, 'utf8')) as { readonly pin: string };
  return { devices: enrolled, pin };
};

const countRecords = async ({ db }: Store, kind: string): Promise<number> => {
  const row = await db
    .selectFrom('record')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('kind', '=', kind)
    .where('deleted', '=', 0)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
};

/** Waits until the hub has mirrored the touchpoints, partners and visitors. */
const awaitCopy = async (from: Store, to: Store): Promise<void> => {
  for (const kind of ['touchpoint', 'partner', 'visitor']) {
    const wanted = await countRecords(from, kind);
    while ((await countRecords(to, kind)) < wanted) await realClock.sleep(200);
  }
};

/** Writes the settings with which the hub in `data` registers its webhooks at the platform. */
const writeWebhookSettings = async (data: string): Promise<void> => {
  const port = await freePort();
  const settings = { port, secret: randomBytes(24).toString('hex'), url: `http://127.0.0.1:${port}` };
  writeFileSync(join(data, 'webhook.json'), JSON.stringify(settings));
};

/** Starts all parts. `stop` ends them. */
export const startHall = async (options: HallOptions): Promise<RunningHall> => {
  const ends: Ends = [];
  const meters: Record<string, Meter> = {};
  // PostgreSQL is not a child process that ends with its parent.
  const interrupt = (): void => void endAll(ends).finally(() => process.exit(130));
  for (const signal of SIGNALS) process.once(signal, interrupt);
  ends.push(() => {
    for (const signal of SIGNALS) process.off(signal, interrupt);
  });
  const place = (name: string): string => {
    const path = join(options.folder, name);
    mkdirSync(path);
    return path;
  };
  try {
    const platformFolder = place('platform');
    const platform = await startPlatform(platformFolder, options.visitors, ['--allow-private-targets']);
    ends.push(platform.stop);
    const upstreamStore = await openExistingData(platformFolder, null);
    ends.push(upstreamStore.close);
    const { expoId } = platform.access;
    await addTouchpoints(upstreamStore, expoId, options.devices);
    const proxy = await startCountingProxy(platform.access.baseUrl);
    ends.push(proxy.stop);
    const database = await startDatabase(options.engine, meters, ends);
    const data = place('hub');
    const behind = { ...platform.access, baseUrl: proxy.through(platform.access.baseUrl) };
    const addresses: string[] = [];
    const hubs: Child[] = [];
    for (let number = 1; number <= options.processes; number += 1) {
      const own = number === 1 ? data : place(`hub-${number}`);
      if (options.isNotified) await writeWebhookSettings(own);
      if (number > 1) copyFileSync(join(data, 'box-key.pem'), join(own, 'box-key.pem'));
      const together = options.processes > 1 ? ['--serve'] : [];
      const how = [...databaseOption(database), ...together];
      const { hub, baseUrl } = await startHub(own, behind, how, 'https', PROBE_FLAGS);
      ends.push(hub.stop);
      hubs.push(hub);
      meters[`hub ${number}`] = startMeter(hub.pid);
      addresses.push(baseUrl);
    }
    const hubStore = await openExistingData(data, database);
    ends.push(hubStore.close, () => {
      for (const { stop } of Object.values(meters)) stop();
    });
    await awaitCopy(upstreamStore, hubStore);
    const { devices, pin } = await enrolDevices(data, addresses, database, options.devices);
    const fingerprint = fingerprintOfKey(readFileSync(join(data, 'box-key.pem'), 'utf8'));
    return {
      hall: { expoId, pin, fingerprint, folder: place('devices') },
      ...{ devices, upstreamStore, hubStore, proxy, meters },
      memory: async () => {
        const all = (await Promise.all(hubs.map(({ ask }) => ask('memory')))) as Memory[];
        const sum = (field: keyof Memory): number => all.reduce((total, one) => total + one[field], 0);
        return { used: sum('used'), resident: sum('resident') };
      },
      upstream: { ...platform.access, key: await addPlatformKey(platformFolder) },
      stop: () => endAll(ends),
    };
  } catch (error) {
    await endAll(ends);
    throw error;
  }
};
