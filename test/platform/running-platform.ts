/**
 * A real platform for tests, with a real database and real ports. A test can replace its clock and its mailer. On
 * PostgreSQL it consists of two servers, and requests go to them in turn.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { addKey, type NewKey } from '../../src-platform/keys/keys.ts';
import { createFileOutbox, type Mailer } from '../../src-platform/mail/mailer.ts';
import { demoKey } from '../../src-platform/seed/demo.ts';
import { type SeedOption, seed } from '../../src-platform/seed/seed.ts';
import { newId } from '../../src-platform/serve.ts';
import { createPlatform } from '../../src-platform/server.ts';
import type { Store } from '../../src-platform/store/store.ts';
import { isThorough } from '../thoroughness.ts';
import { type Backend, type Instance, openBackend } from './backend.ts';
import { startProcess } from './postgres/processes.ts';

const basePath = '/create/v2';

export type Exchange = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined if it is empty. */
  // biome-ignore lint/suspicious/noExplicitAny: the tests read answers of unknown shape, as any client does.
  readonly json: any;
};

export type RequestOptions = {
  readonly key?: string | null;
  readonly body?: unknown;
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
};

export type RunningPlatform = {
  readonly base: string;
  readonly origin: string;
  readonly store: Store;
  /** The store of each process. The first one is `store`. */
  readonly stores: readonly Store[];
  /** The address of the PostgreSQL database, or null for SQLite in the folder. */
  readonly database: string | null;
  readonly folder: string;
  readonly logged: () => string;
  readonly request: (method: string, path: string, options?: RequestOptions) => Promise<Exchange>;
  /** Creates a key with these rights only. */
  readonly makeKey: (key: string, about?: Partial<NewKey>) => Promise<string>;
  readonly stop: () => Promise<void>;
};

const noRights: NewKey = {
  name: 'Test',
  expos: null,
  addresses: null,
  canWrite: false,
  connections: false,
  partnerId: null,
  expires: null,
};

const authorization = (key: string): string => `Basic ${Buffer.from(`${key}:`).toString('base64')}`;

export type PlatformOptions = {
  readonly seed?: SeedOption;
  readonly now?: () => Date;
  readonly mailer?: Mailer;
  readonly publicUrl?: string;
  readonly allowPrivateTargets?: boolean;
  readonly faults?: { readonly die: () => void };
  /** The maximum number of serving processes. State in the memory of one process needs 1. */
  readonly most?: number;
};

type Served = { readonly origin: string; readonly logged: () => string; readonly stop: () => Promise<void> };

/** Serves from this process, so that the test's own clock and mailer are used. */
const serveHere = async (
  { store, semaphore }: Instance,
  folder: string,
  options: PlatformOptions,
): Promise<Served> => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const app = createPlatform({
    store,
    semaphore,
    log,
    now: options.now ?? (() => new Date()),
    newId,
    basePath,
    uploads: join(folder, 'uploads'),
    mailer: options.mailer ?? createFileOutbox(join(folder, 'outbox')),
    allowPrivateTargets: options.allowPrivateTargets ?? true,
    publicUrl: options.publicUrl ?? null,
    ...(options.faults ? { faults: options.faults } : {}),
  });
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  return { origin, logged: () => lines.join(''), stop: () => app.close() };
};

/**
 * On PostgreSQL a platform is two servers on one database, each with its own connections and slots. The
 * nightly run starts a process for each, unless the test has its own clock or mailer.
 */
const serveAll = ({ database, instances }: Backend, folder: string, options: PlatformOptions) => {
  const { seed: _seed, ...own } = options;
  if (database === null || !isThorough() || Object.keys(own).length > 0) {
    const used = instances.slice(0, options.most);
    return Promise.all(used.map((instance) => serveHere(instance, folder, options)));
  }
  const more = ['--allow-private-targets', '--no-notifications'];
  return Promise.all(instances.map((_, index) => startProcess(database, folder, `process-${index}`, more)));
};

/** Starts a platform on a free port with its own folder. */
export const startPlatform = async (options: PlatformOptions = {}): Promise<RunningPlatform> => {
  const folder = await mkdtemp(join(tmpdir(), 'platform-'));
  const backend = await openBackend(folder);
  const { store } = backend.instances[0];
  const now = options.now ?? (() => new Date());
  await seed(store, options.seed ?? 'demo', now());
  const served = await serveAll(backend, folder, options);
  const origin = served[0]?.origin ?? '';
  const base = origin + basePath;
  let turn = 0;
  /** Where the next request goes: to each process in turn. */
  const nextBase = (): string => {
    turn += 1;
    return (served[turn % served.length]?.origin ?? origin) + basePath;
  };
  return {
    base,
    origin,
    store,
    stores: backend.instances.map((instance) => instance.store),
    database: backend.database,
    folder,
    logged: () => served.map((process) => process.logged()).join(''),
    request: async (method, path, { key = demoKey, body, raw, headers } = {}) => {
      const response = await fetch(nextBase() + path, {
        method,
        headers: {
          ...(key === null ? {} : { authorization: authorization(key) }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(raw === undefined ? {} : { body: raw }),
      });
      const text = await response.text();
      let json: unknown;
      try {
        json = JSON.parse(text);
      } catch {
        json = undefined;
      }
      return { status: response.status, headers: response.headers, text, json };
    },
    makeKey: (key, about = {}) =>
      store.write((write) => addKey(write, key, { ...noRights, ...about }, now())),
    stop: async () => {
      await Promise.all(served.map((process) => process.stop()));
      await backend.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
