/**
 * A real platform for tests: real SQLite files, a real port, only the clock is given.
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
import { openSqlite } from '../../src-platform/store/open.ts';
import type { Store } from '../../src-platform/store/store.ts';

export type Exchange = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined when it is empty. */
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
  readonly folder: string;
  readonly logged: () => string;
  readonly request: (method: string, path: string, options?: RequestOptions) => Promise<Exchange>;
  /** Makes a key with these rights on top of none. */
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

/** Starts a platform on a free port with its own folder. */
export const startPlatform = async (
  options: { readonly seed?: SeedOption; readonly now?: () => Date; readonly mailer?: Mailer } = {},
): Promise<RunningPlatform> => {
  const folder = await mkdtemp(join(tmpdir(), 'platform-'));
  const now = options.now ?? (() => new Date());
  const store = await openSqlite(folder);
  await seed(store, options.seed ?? 'demo', now());
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const app = createPlatform({
    store,
    log,
    now,
    newId,
    basePath: '/create/v2',
    uploads: join(folder, 'uploads'),
    mailer: options.mailer ?? createFileOutbox(join(folder, 'outbox')),
  });
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  const base = `${origin}/create/v2`;
  return {
    base,
    origin,
    store,
    folder,
    logged: () => lines.join(''),
    request: async (method, path, { key = demoKey, body, raw, headers } = {}) => {
      const response = await fetch(base + path, {
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
      await app.close();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
