/**
 * The hub as one process: creates all parts, in order.
 *
 * Invariants
 * - Standard output carries one line, when the hub is ready. Logs go elsewhere.
 * - A hub that never read its event does not listen: a device would take "no such event" as final. A hub that has its
 *   event listens at once, with or without the platform.
 * - One process at a time works on a folder, and on a database. With `--serve` several processes work on a database,
 *   and one of them at a time talks to the platform.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { openCertificate, type ServerCertificate } from '../src-main/certificate/certificate.ts';
import type { Clock, Log } from '../src-main/core/foundations/ports.ts';
import { StartRefusal } from '../src-main/core/foundations/refusal.ts';
import { ownNetworks } from '../src-main/machine/networks.ts';
import { realClock, realRandom } from '../src-main/machine/real-time.ts';
import { fingerprintOfKey } from '../src-main/provision/provision-file.ts';
import { openData } from '../src-platform/data.ts';
import { createSemaphore } from '../src-platform/http/semaphore.ts';
import { forwardedResources } from '../src-platform/hub/operations.ts';
import { createStreams } from '../src-platform/hub/stream.ts';
import { listenAt, stopOnSignal } from '../src-platform/listening.ts';
import { openLog } from '../src-platform/log.ts';
import { createFileOutbox } from '../src-platform/mail/mailer.ts';
import { BadOption } from '../src-platform/options.ts';
import { registrationTypes } from '../src-platform/resources/registration-types.ts';
import { createPlatform } from '../src-platform/server.ts';
import { findExpo } from '../src-platform/store/expo.ts';
import { sqliteFile } from '../src-platform/store/open.ts';
import type { Store } from '../src-platform/store/store.ts';
import { openSigningKey, tlsKeyOf } from './certificate/hub-keys.ts';
import { createCountersigner } from './countersigner.ts';
import { openKeptDestinations } from './destinations/kept.ts';
import { createLender } from './destinations/lender.ts';
import { figuresForMetrics, readFigures } from './figures.ts';
import { createFleet } from './fleet/fleet.ts';
import { claim, noteHub } from './lease/claim.ts';
import { createNotifications, readWebhook } from './notifications.ts';
import { basePath, type HubOptions } from './options.ts';
import { closeFolder } from './private-folder.ts';
import { createSeat } from './seat.ts';
import { type HubSettings, openSettings, placeOf, settleScheme } from './settings.ts';
import { createSnapshots } from './snapshot/snapshots.ts';
import { createUpstreamWork } from './upstream-work.ts';

/** How long a shutdown waits for open connections, in milliseconds. */
const longestStop = 10_000;

/** How often a process polls the store for the event that another process reads, in milliseconds. */
const AGAIN_MS = 200;

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

/** Adds further routes to the server of a hub before it listens. */
export type AddRoutes = (app: FastifyInstance, store: Store, signingKey: string) => void;

/** Serves until a signal comes. @throws BadOption | StartRefusal if it cannot start */
export async function serve(options: HubOptions, addRoutes?: AddRoutes): Promise<void> {
  const { expo, data, name } = options;
  const clock = realClock;

  // The folder, and the database, alone or shared.
  const logger = openLog(options.log);
  const log = coreLog(logger);
  closeFolder(data);
  const webhook = readWebhook(data, expo);
  const opened = await openStore(options);
  const held = await claim({
    data,
    database: options.database,
    name,
    isStandby: options.standby,
    isShared: options.serve,
    leaseMs: options.leaseMs,
    store: opened,
    clock,
    log,
    say,
  });
  const { store } = held;

  // The keys and the certificate by which devices recognise the hub.
  const signingKey = openSigningKey(data);
  await noteHub(store, name, signingKey);
  const place = options.database === null ? placeOf(sqliteFile(data)) : null;
  const openOwnSettings = (): Promise<HubSettings> =>
    openSettings({
      store,
      expo,
      place,
      newId: randomBytes(8).toString('hex'),
      now: clock.now(),
      onFault: (error) => log.error('a setting could not be written', { error: String(error) }),
    });
  const settings = await openOwnSettings();
  const scheme = await settleScheme(store, options.scheme);
  const certificate = scheme === 'https' ? await openOwnCertificate(data, name, signingKey) : null;

  // The platform behind the hub, while this process talks to it.
  const seat = createSeat({ store: opened, wholeLists: settings.wholeLists, clock, log });
  const notifications = createNotifications({ webhook, expoId: expo, poll: seat.poll, clock, log, say });
  const workUpstream = createUpstreamWork({
    upstream: options.upstream,
    privateHttp: options.privateHttp,
    expoId: expo,
    mirrorFile: join(data, 'mirror.db'),
    openSettings: openOwnSettings,
    seat,
    notifications,
    clock,
    random: realRandom,
    log,
    say,
  });
  const ended = new AbortController();
  const talking = held.run(workUpstream, ended.signal);
  await Promise.race([talking, awaitStored(store, expo, clock)]);
  const { timezone } = (await findExpo(store.db, expo)) ?? { timezone: 'UTC' };

  // The servers for devices and for the organiser's technician.
  const countersigner = createCountersigner(name, signingKey, clock.now);
  const fleet = createFleet({
    store,
    expo,
    hub: name,
    upstream: seat.standing,
    clock,
    platformTime: () => seat.platformTime() ?? clock.now(),
    privateKey: signingKey,
    timezone: () => timezone,
    receiptFingerprint: countersigner.fingerprint,
  });
  const snapshots = createSnapshots({
    store,
    data,
    database: options.database,
    expoId: expo,
    clock,
    log,
    hubStoreId: settings.hubStoreId,
    signingKey,
    isWhole: seat.isWhole,
  });
  const destinations = createLender({ kept: openKeptDestinations(store, signingKey), clock, log });
  const streams = createStreams({
    store,
    expoId: expo,
    hubStoreId: settings.hubStoreId,
    name,
    upstream: seat.standing,
    signer: countersigner.fingerprint,
    commandsFor: fleet.commandsFor,
    resources: [...forwardedResources, registrationTypes],
    onFault: (error) => log.warn('the event streams could not be served', { error: String(error) }),
  });
  const app = createPlatform({
    store,
    log: logger,
    basePath,
    semaphore: createSemaphore(),
    now: () => new Date(),
    newId: () => randomBytes(10).toString('hex'),
    uploads: join(data, 'uploads'),
    mailer: createFileOutbox(join(data, 'outbox')),
    allowPrivateTargets: false,
    tls: certificate ?? undefined,
    hub: {
      name,
      hubStoreId: settings.hubStoreId,
      since: settings.since,
      upstream: seat.standing,
      figures: async () => {
        const now = clock.now();
        return figuresForMetrics(
          await readFigures(store, expo, now),
          seat.standing(),
          seat.requests(),
          streams,
          now,
        );
      },
      isServed: seat.isServed,
      askForEmail: seat.askForEmail,
      platformTime: seat.platformTime,
      signer: countersigner,
      onReport: fleet.onReport,
      snapshots,
      streams,
      destinations,
    },
  });
  fleet.mount(app);
  addRoutes?.(app, store, signingKey);
  const authority = await listenAt(app, options);

  // The loops that run until the hub shuts down.
  await notifications.start();
  const keeping = held.keep(exitForAnother, ended.signal);
  const stop = async (): Promise<void> => {
    const force = setTimeout(() => app.server.closeAllConnections(), longestStop);
    ended.abort();
    await notifications.stop();
    streams.close();
    await app.close();
    await Promise.all([snapshots.close(), destinations.close()]);
    await Promise.all([talking, keeping]);
    seat.close();
    clearTimeout(force);
    await held.release();
    await store.close();
  };
  stopOnSignal(stop, logger);
  announce(options, authority, certificate, signingKey);
}

/** Resolves when the store holds the event. Any process may have read it. */
async function awaitStored(store: Store, expo: string, clock: Clock): Promise<void> {
  while ((await findExpo(store.db, expo)) === undefined) await clock.sleep(AGAIN_MS);
}

/** The platform's log behind the core's log interface. */
function coreLog(logger: Logger): Log {
  return {
    error: (what, details) => logger.error(details ?? {}, what),
    warn: (what, details) => logger.warn(details ?? {}, what),
    info: (what, details) => logger.info(details ?? {}, what),
  };
}

/** Opens the store; if PostgreSQL is configured and does not answer, the message names the missing package. */
async function openStore({ data, database }: Pick<HubOptions, 'data' | 'database'>): Promise<Store> {
  try {
    return await openData(data, database);
  } catch (error) {
    if (database === null || !(error instanceof BadOption)) throw error;
    throw new BadOption(
      `${error.message} Debian has the server in the package postgresql; without --database the hub needs none.`,
    );
  }
}

/** The certificate of this hub, with the host names that people may type. */
function openOwnCertificate(data: string, server: string, signingKey: string): Promise<ServerCertificate> {
  const hosts = ['localhost', hostname()];
  const addresses = ['127.0.0.1', ...ownAddresses()];
  return openCertificate(
    join(data, 'box-certificate.pem'),
    tlsKeyOf(signingKey),
    { server, hosts, addresses },
    realClock.now(),
  );
}

function exitForAnother(): never {
  say('Another hub has taken over; this one ends.');
  // The other hub reads everything that this hub stored. This hub must not send or write any more.
  process.exit(3);
}

/** Prints that the hub is ready, and its addresses. */
function announce(
  { host, expo }: Pick<HubOptions, 'host' | 'expo'>,
  authority: string,
  certificate: Pick<ServerCertificate, 'fingerprint'> | null,
  signingKey: string,
): void {
  const scheme = certificate === null ? 'http' : 'https';
  const port = authority.slice(authority.lastIndexOf(':') + 1);
  for (const address of host === '0.0.0.0' ? ownAddresses() : [])
    say(`Devices in its network reach it at ${scheme}://${address}:${port}${basePath}`);
  if (certificate !== null)
    say(`A browser must show this SHA-256 of its certificate: ${certificate.fingerprint}`);
  say(`A laptop must show this fingerprint of the hub: ${fingerprintOfKey(signingKey)}`);
  const here = host === '0.0.0.0' ? `127.0.0.1:${port}` : authority;
  process.stdout.write(`Hub: ${scheme}://${here}${basePath} expo ${expo}\n`);
}

/** The IPv4 addresses of this machine in its networks. */
function ownAddresses(): readonly string[] {
  return ownNetworks().map(({ address }) => address);
}

/** Why the hub cannot start, in one sentence; null for a defect. */
export function sentenceOf(error: unknown): string | null {
  return error instanceof BadOption || error instanceof StartRefusal ? error.message : null;
}
