/**
 * PouchDB replicates the same documents, for comparison with the first sync.
 *
 * PouchDB with LevelDB on disk replicates from an express-pouchdb server, which holds the documents in memory in its
 * own process. Both use default options.
 *
 * Invariants:
 * - The packages are installed here, in exact versions and without their scripts, into a cache folder that git ignores.
 * - They are not a dependency of the project.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { visitorPages } from './bare.ts';
import type { Access } from './processes.ts';

const PACKAGES = [
  'pouchdb@9.0.0',
  'pouchdb-adapter-memory@9.0.0',
  'express-pouchdb@4.2.0',
  'express@4.22.3',
] as const;
const cache = join(import.meta.dirname, '../../../.bench-cache/pouchdb-9.0.0');
const INSTALL_MS = 180_000;

type Documents = readonly Record<string, unknown>[];
type Database = {
  readonly bulkDocs: (documents: Documents) => Promise<readonly { readonly ok?: boolean }[]>;
  readonly info: () => Promise<{ readonly doc_count: number }>;
  readonly close: () => Promise<void>;
};
type Pouch = {
  new (name: string): Database;
  readonly plugin: (plugin: unknown) => void;
  readonly defaults: (options: { readonly adapter: string }) => Pouch;
  readonly replicate: (from: string, to: Database) => Promise<{ readonly ok: boolean }>;
};
type Express = () => {
  readonly use: (path: string, handler: unknown) => void;
  readonly listen: (port: number, host: string) => Server;
};
type ExpressPouch = (pouch: Pouch, options: Readonly<Record<string, unknown>>) => unknown;

// They are loaded by path, because no file of the project may depend on them.
const load = (name: string): unknown => createRequire(join(cache, 'package.json'))(name);

/** Installs the packages unless they are present. Returns the reason if that fails, or null. */
export const installPouch = async (): Promise<string | null> => {
  const complete = join(cache, 'complete');
  if (existsSync(complete)) return null;
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'package.json'), '{ "private": true }\n');
  const options = ['--ignore-scripts', '--save-exact', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await promisify(execFile)('npm', ['install', ...options, ...PACKAGES], {
      cwd: cache,
      timeout: INSTALL_MS,
      shell: process.platform === 'win32',
    });
  } catch (error) {
    const words = error instanceof Error ? (error.message.split('\n')[1] ?? error.message) : 'unknown fault';
    return `its packages could not be installed (${words.trim()})`;
  }
  writeFileSync(complete, `${PACKAGES.join('\n')}\n`);
  return null;
};

/** Serves the visitors of `access` with the CouchDB protocol; `folder` takes its log. Returns the port. */
export const serveVisitors = async (access: Access, folder: string): Promise<number> => {
  const pouch = load('pouchdb') as Pouch;
  pouch.plugin(load('pouchdb-adapter-memory'));
  const inMemory = pouch.defaults({ adapter: 'memory' });
  const database = new inMemory('visitors');
  for await (const page of visitorPages(access)) {
    const results = await database.bulkDocs(page.map((visitor) => ({ _id: visitor.id, ...visitor })));
    // The last page repeats the last record, which conflicts with itself.
    if (page.length > 1 && results.filter(({ ok }) => ok === true).length < page.length - 1)
      throw new Error('PouchDB did not take the documents');
  }
  const app = (load('express') as Express)();
  const handler = (load('express-pouchdb') as ExpressPouch)(inMemory, {
    mode: 'minimumForPouchDB',
    inMemoryConfig: true,
    logPath: join(folder, 'pouch.log'),
  });
  app.use('/', handler);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

/** Replicates everything from `source` into a new database at `target`. */
export const replicate = async (task: {
  readonly source: string;
  readonly target: string;
}): Promise<{ readonly seconds: number; readonly documents: number }> => {
  const pouch = load('pouchdb') as Pouch;
  const start = performance.now();
  const database = new pouch(task.target);
  const { ok } = await pouch.replicate(task.source, database);
  const seconds = (performance.now() - start) / 1000;
  if (!ok) throw new Error('PouchDB did not replicate');
  const { doc_count: documents } = await database.info();
  await database.close();
  return { seconds, documents };
};
