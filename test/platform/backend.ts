/**
 * The storage of a platform under test. It is SQLite in a folder, or a separate database on the PostgreSQL server
 * that the environment variable `PLATFORM_TEST_SERVER` names. Two simulated processes use that database.
 */
import { createSemaphore, type Semaphore } from '../../src-platform/http/semaphore.ts';
import { openSharedSemaphore, type SharedSemaphore } from '../../src-platform/http/shared-semaphore.ts';
import { openSqlite } from '../../src-platform/store/open.ts';
import { openPostgres } from '../../src-platform/store/postgres.ts';
import type { Store } from '../../src-platform/store/store.ts';
import { newDatabase } from './postgres/cluster.ts';

/** One process's connection to the database, and its semaphore for the slots. */
export type Instance = { readonly store: Store; readonly semaphore: Semaphore };

export type Backend = {
  /** The address of the PostgreSQL database, or null for SQLite. */
  readonly database: string | null;
  /** One connection per process. The test uses the first one as well. */
  readonly instances: readonly [Instance, ...Instance[]];
  readonly close: () => Promise<void>;
};

const openOnPostgres = async (server: string): Promise<Backend> => {
  const database = await newDatabase(server);
  const openInstance = async (): Promise<{ store: Store; semaphore: SharedSemaphore }> => ({
    store: await openPostgres(database),
    semaphore: await openSharedSemaphore(database),
  });
  const [first, second] = await Promise.all([openInstance(), openInstance()]);
  return {
    database,
    instances: [first, second],
    close: async () => {
      await Promise.all([first, second].map(({ semaphore }) => semaphore.close()));
      await Promise.all([first, second].map(({ store }) => store.close()));
    },
  };
};

/** Opens an empty database for one platform. */
export const openBackend = async (folder: string): Promise<Backend> => {
  const server = process.env.PLATFORM_TEST_SERVER;
  if (server !== undefined) return openOnPostgres(server);
  const store = await openSqlite(folder);
  return { database: null, instances: [{ store, semaphore: createSemaphore() }], close: () => store.close() };
};
