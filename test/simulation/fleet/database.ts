/**
 * The database server of a simulated world: one database for several hubs, which outlives their processes.
 *
 * Invariants:
 * - The lease is the real one (`src-platform/hub/lease.ts`). Its statements are adapted to SQLite: its
 *   transactions exclude each other without locks on rows, and the server's time is the world's.
 * - A transaction of a suspended process begins after it was resumed, one of a killed process never.
 */
import { mkdirSync } from 'node:fs';
import type { Kysely, KyselyPlugin, OperationNode, RawNode } from 'kysely';
import { openSqlite } from '../../../src-platform/store/open.ts';
import type { Store } from '../../../src-platform/store/store.ts';
import type { Process } from './process.ts';

export type Database = {
  readonly folder: string;
  /** For the commands of the organiser's technician, which are processes of their own. */
  readonly store: Store;
  /** The connection of a hub's process. */
  readonly connect: (process: Process) => Store;
};

const LOCKS = / for (?:key share|update)$/u;
const SERVER_TIME = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

const isRaw = (node: OperationNode): node is RawNode => node.kind === 'RawNode';

/** Opens an empty database. `now`: the world's time. */
export const openDatabase = async (folder: string, now: () => number): Promise<Database> => {
  mkdirSync(folder);
  const store = await openSqlite(folder);
  const adapt = (node: RawNode): RawNode => ({
    ...node,
    sqlFragments: node.sqlFragments.map((text) =>
      text.replace(LOCKS, '').replace(SERVER_TIME, String(Math.floor(now()))),
    ),
    parameters: node.parameters.map((one) => (isRaw(one) ? adapt(one) : one)),
  });
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => (isRaw(node) ? adapt(node) : node),
    transformResult: async ({ result }) => result,
  };
  const adapted = <Handle extends Kysely<never>>(db: Handle): Handle => db.withPlugin(plugin) as Handle;

  return {
    folder,
    store,
    connect: ({ goOn, ended }) => ({
      ...store,
      ownDb: adapted(store.ownDb as never),
      write: async (work) => {
        await goOn();
        return store.write((write) => work({ ...write, db: adapted(write.db as never) }));
      },
      transaction: async (work) => {
        await goOn();
        return store.transaction((db, notify) => work(adapted(db as never), notify));
      },
      onNotice: (listener) =>
        store.onNotice((notice) => {
          if (!ended.aborted)
            goOn().then(
              () => listener(notice),
              () => undefined,
            );
        }),
      close: async () => undefined,
    }),
  };
};
