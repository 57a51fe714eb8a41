/**
 * The hub as one process: creates all parts, in order.
 *
 * Invariants
 * - Standard output carries one line, when the hub is ready. Logs go elsewhere.
 * - A hub that never read its event does not listen: a device would take "no such event" as final. A hub that has its event
 *   listens at once, with or without the platform.
 * - One hub at a time works on a folder, and on a database.
 */
import { randomBytes } from 'node:crypto';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { openMirror } from '../src-main/core/event/mirror/mirror.ts';
import { knownEvent } from '../src-main/core/event/sync/event.ts';
import { createWebhookReceiver } from '../src-main/core/event/webhook/receiver.ts';
import { ApiError, type ErrorClass } from '../src-main/core/foundations/api/error-class.ts';
import type { Clock, Log } from '../src-main/core/foundations/ports.ts';
import { StartRefusal } from '../src-main/core/foundations/refusal.ts';
import { backoffMs } from '../src-main/core/foundations/time/backoff.ts';
import { RETRY } from '../src-main/core/foundations/time/times.ts';
import { readWebhookSettings } from '../src-main/data-folder/webhook-settings.ts';
import { realClock, realRandom } from '../src-main/machine/real-time.ts';
import { fingerprintOfKey } from '../src-main/provision/provision-file.ts';
import { openData } from '../src-platform/data.ts';
import { createSemaphore } from '../src-platform/http/semaphore.ts';
import { listenAt, stopOnSignal } from '../src-platform/listening.ts';
import { openLog } from '../src-platform/log.ts';
import { createFileOutbox } from '../src-platform/mail/mailer.ts';
import { BadOption } from '../src-platform/options.ts';
import { createPlatform } from '../src-platform/server.ts';
import { findExpo } from '../src-platform/store/expo.ts';
import type { Store } from '../src-platform/store/store.ts';
import { type Bridge, createBridge } from './bridge.ts';
import { type HubCertificate, openCertificate } from './certificate/certificate.ts';
import { openSigningKey } from './certificate/hub-keys.ts';
import { figuresForMetrics, readFigures } from './figures.ts';
import { createFleet } from './fleet/fleet.ts';
import { claim, noteHub } from './lease/claim.ts';
import { basePath, type HubOptions } from './options.ts';
import { closeFolder } from './private-folder.ts';
import { reportMissingRights } from './rights.ts';
import { openSettings, settleScheme } from './settings.ts';
import { createSnapshots } from './snapshot/snapshots.ts';

/** How long a shutdown waits for open connections, in milliseconds. */
const longestStop = 10_000;

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

/** Serves until a signal comes. @throws BadOption | StartRefusal where it cannot start */
export async function serve(options: HubOptions): Promise<void> {
  const { expo, data, name } = options;
  const clock = realClock;
  const random = realRandom;

  // The folder and the database, for this hub alone.
  const logger = openLog(options.log);
  const log = coreLog(logger);
  closeFolder(data);
  const webhook = readWebhookSettings(data);
  const held = await claim({
    data,
    database: options.database,
    name,
    isStandby: options.standby,
    leaseMs: options.leaseMs,
    store: await openStore(options),
    clock,
    log,
    say,
  });
  const { store } = held;

  // What devices know the hub by.
  const signingKey = openSigningKey(data);
  await noteHub(held, name, signingKey);
  const settings = await openSettings(store, expo, randomBytes(8).toString('hex'), clock.now(), (error) =>
    log.error('a setting could not be written', { error: String(error) }),
  );
  const scheme = await settleScheme(store, options.scheme);
  const certificate = scheme === 'https' ? await openOwnCertificate(data, name, signingKey) : null;

  // The platform behind it.
  const mirror = openMirror(join(data, 'mirror.db'), expo);
  const bridge = createBridge({ options, store, mirror, settings, clock, random, log, check: held.check });
  await awaitEvent(bridge, store, expo, clock);
  await settings.keepEvent();

  // What devices and the organiser's technician get.
  const fleet = createFleet({
    store,
    expo,
    hub: name,
    upstream: bridge.standing,
    clock,
    platformTime: () => bridge.platformTime() ?? clock.now(),
    privateKey: signingKey,
    timezone: () => knownEvent(mirror)?.timezone ?? 'UTC',
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
    isWhole: bridge.isWhole,
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
      upstream: bridge.standing,
      figures: async () => {
        const now = clock.now();
        return figuresForMetrics(
          await readFigures(store, expo, now),
          bridge.standing(),
          bridge.requests(),
          now,
        );
      },
      isServed: bridge.isServed,
      askForEmail: bridge.askForEmail,
      platformTime: bridge.platformTime,
      onTaken: bridge.wake,
      onReport: fleet.onReport,
      snapshots,
    },
  });
  fleet.mount(app);
  const authority = await listenAt(app, options);

  // What runs for as long as the hub does.
  const receiver =
    webhook === null
      ? null
      : createWebhookReceiver({ settings: webhook, expoId: expo, clock, log, poll: bridge.poll });
  await receiver?.start().catch((error: unknown) => {
    say(
      `Notifications of the platform cannot be listened for (${String(error)}); the hub asks it every ten seconds.`,
    );
  });
  const ended = new AbortController();
  const running = Promise.all([
    bridge.run(ended.signal),
    held.keep(exitForAnother, ended.signal),
    reportMissingRights(bridge.missingRights, say, clock, ended.signal),
  ]);
  const stop = async (): Promise<void> => {
    const force = setTimeout(() => app.server.closeAllConnections(), longestStop);
    ended.abort();
    await receiver?.stop();
    await app.close();
    await snapshots.close();
    await bridge.close();
    await running;
    clearTimeout(force);
    await settings.written();
    mirror.close();
    await held.release();
    await store.close();
  };
  stopOnSignal(stop, logger);
  announce(options, authority, certificate, signingKey);
}

/** The platform's log in the form that the core uses. */
function coreLog(logger: Logger): Log {
  return {
    error: (what, details) => logger.error(details ?? {}, what),
    warn: (what, details) => logger.warn(details ?? {}, what),
    info: (what, details) => logger.info(details ?? {}, what),
  };
}

/** Opens the store; if PostgreSQL is configured and does not answer, the message names its package. */
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

/** Waits until the hub has its event. @throws BadOption if upstream refuses it for good */
async function awaitEvent(
  bridge: Pick<Bridge, 'readEvent'>,
  store: Store,
  expo: string,
  clock: Clock,
): Promise<void> {
  const never = new AbortController().signal;
  for (let failures = 1; (await findExpo(store.db, expo)) === undefined; failures += 1) {
    try {
      await bridge.readEvent(never);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { errorClass } = error;
      if (errorClass.kind === 'reject' || (errorClass.kind === 'stop' && !isPassing(errorClass.pause)))
        throw new BadOption(whyNoEvent(errorClass, expo, error.message));
      if (failures === 1) say(`The platform cannot be reached yet (${error.message}); the hub waits for it.`);
      await clock.sleep(backoffMs(RETRY, failures, realRandom.fraction()));
    }
  }
}

/** Why the platform does not give this hub its event, in one sentence. */
function whyNoEvent(errorClass: ErrorClass, expo: string, answer: string): string {
  switch (errorClass.kind === 'stop' ? errorClass.pause : errorClass.kind) {
    case 'keyRefused':
      return `The platform refuses the key (${answer}).`;
    case 'forbidden':
    case 'noWritePermission':
      return `The key may not read the event ${expo} (${answer}).`;
    case 'noEvent':
      return `The platform has no event ${expo} for this key (${answer}).`;
    default:
      return `The platform does not give this hub its event (${answer}). Is --upstream its base address, as ${basePath} at its end?`;
  }
}

function isPassing(pause: string): boolean {
  return ['offline', 'addressUnknown', 'tls', 'notAPlatform'].includes(pause);
}

/** The certificate of this hub, with the names that people may type. */
function openOwnCertificate(data: string, hub: string, signingKey: string): Promise<HubCertificate> {
  const hosts = ['localhost', hostname()];
  const addresses = ['127.0.0.1', ...ownAddresses()];
  return openCertificate(data, signingKey, { hub, hosts, addresses }, realClock.now());
}

function exitForAnother(): never {
  say('Another hub has taken over; this one ends.');
  // The other hub reads everything that this one stored. Nothing may be sent or written any more.
  process.exit(3);
}

/** Prints that the hub is ready, and its addresses. */
function announce(
  { host, expo }: Pick<HubOptions, 'host' | 'expo'>,
  authority: string,
  certificate: Pick<HubCertificate, 'fingerprint'> | null,
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
  return Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
}

/** Why the hub cannot start, in one sentence; null for a defect. */
export function sentenceOf(error: unknown): string | null {
  return error instanceof BadOption || error instanceof StartRefusal ? error.message : null;
}
