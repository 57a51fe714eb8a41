/**
 * Serving: opens the data, listens, prints one line, and shuts down cleanly.
 *
 * Invariants
 * - Standard output carries exactly one line, when the platform is ready. Logs go elsewhere.
 * - On SIGTERM and SIGINT new connections are refused, requests in flight are finished, pending notifications are
 *   released, to be sent after the next start, then the database closes.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { openData } from './data.ts';
import { createSemaphore, type Semaphore } from './http/semaphore.ts';
import { findCaller } from './keys/keys.ts';
import { listenAt, stopOnSignal } from './listening.ts';
import { openLog } from './log.ts';
import { createFileOutbox, type Mailer } from './mail/mailer.ts';
import { callTarget } from './notifications/call.ts';
import { systemClock } from './notifications/clock.ts';
import { createNotifier, type Notifier } from './notifications/notifier.ts';
import { systemResolve } from './notifications/target.ts';
import type { ServeOptions } from './options.ts';
import { demoExpoId, demoKey } from './seed/demo.ts';
import { keepRegistering, type Register, registerLateComers } from './seed/late-registration.ts';
import { seed } from './seed/seed.ts';
import { createPlatform } from './server.ts';
import type { Store } from './store/store.ts';

/** How long a shutdown waits for requests in flight, in milliseconds. */
const longestStop = 10_000;

/**
 * A new alphanumeric identifier: the second, then 60 random bits. Records that are created together are neighbours in
 * the index, so a batch changes few of its pages. `randomUUID` reads randomness in advance, `randomBytes` for each call.
 */
export function newId(): string {
  const second = Math.floor(Date.now() / 1000);
  return second.toString(16).padStart(8, '0') + randomUUID().slice(-16).replace('-', '');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Processes that share a database also share the slots of its keys. */
async function openSemaphore(
  database: string | null,
): Promise<Semaphore & { readonly close?: () => Promise<void> }> {
  if (database === null) return createSemaphore();
  const { openSharedSemaphore } = await import('./http/shared-semaphore.ts');
  return openSharedSemaphore(database);
}

/** The mailer. The mail client is loaded only if a server is configured. */
async function openMailer({ smtp, data }: ServeOptions): Promise<Mailer> {
  if (smtp === null) return createFileOutbox(join(data, 'outbox'));
  const { createSmtpMailer } = await import('./mail/smtp.ts');
  return createSmtpMailer(smtp);
}

function openNotifier(store: Store, { allowPrivateTargets }: ServeOptions, log: Logger): Notifier {
  return createNotifier({
    store,
    clock: systemClock,
    call: (call, signal) =>
      callTarget({ clock: systemClock, resolve: systemResolve, allowPrivateTargets }, call, signal),
    newId,
    onDefect: (error) => log.error({ err: error }, 'Notifying of new data failed'),
  });
}

async function announce(store: Store, options: ServeOptions, base: string): Promise<void> {
  const hasDemo = options.seed === 'demo' && (await findCaller(store.db, demoKey, new Date())) !== null;
  say(hasDemo ? `Demo platform: ${base} key ${demoKey} expo ${demoExpoId}` : `Platform: ${base}`);
}

/** Registers a visitor of the demo in the way any client would. */
function registerWith(app: ReturnType<typeof createPlatform>, basePath: string): Register {
  return async (visitor) => {
    const { statusCode } = await app.inject({
      method: 'POST',
      url: `${basePath}/visitors/${demoExpoId}`,
      headers: { authorization: `Basic ${Buffer.from(`${demoKey}:`).toString('base64')}` },
      payload: visitor,
    });
    return statusCode < 300;
  };
}

/** A platform that serves. `stop` shuts it down cleanly. */
type Serving = { readonly store: Store; readonly base: string; readonly stop: () => Promise<void> };

/** Opens the data of these options, and listens. */
export async function startServing(options: ServeOptions, log: Logger): Promise<Serving> {
  const store = await openData(options.data, options.database);
  if (options.seed !== null) await seed(store, options.seed, new Date());
  const semaphore = await openSemaphore(options.database);
  const app = createPlatform({
    store,
    semaphore,
    log,
    now: () => new Date(),
    newId,
    basePath: options.basePath,
    uploads: join(options.data, 'uploads'),
    mailer: await openMailer(options),
    allowPrivateTargets: options.allowPrivateTargets,
    publicUrl: options.publicUrl,
    faults: options.faults ? { die: () => process.kill(process.pid, 'SIGKILL') } : undefined,
  });
  const notifier = openNotifier(store, options, log);
  const authority = await listenAt(app, options).catch(async (error: unknown) => {
    await semaphore.close?.();
    await store.close();
    throw error;
  });
  if (options.notifies) notifier.start();
  const stopRegistering = options.registersLate
    ? keepRegistering(
        () => registerLateComers(store, registerWith(app, options.basePath), new Date()),
        (error) => log.error({ err: error }, 'A late registration failed'),
      )
    : () => undefined;
  const stop = async (): Promise<void> => {
    const force = setTimeout(() => app.server.closeAllConnections(), longestStop);
    stopRegistering();
    await Promise.all([app.close(), notifier.stop()]);
    clearTimeout(force);
    await semaphore.close?.();
    await store.close();
  };
  return { store, base: `http://${authority}${options.basePath}`, stop };
}

/** Serves until a signal arrives. */
export async function serve(options: ServeOptions): Promise<void> {
  const log = openLog(options.log);
  const { store, base, stop } = await startServing(options, log);
  stopOnSignal(stop, log);
  await announce(store, options, base);
}
