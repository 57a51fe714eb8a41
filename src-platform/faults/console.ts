/**
 * The fault console: `/faults`, for tests and rehearsals. Described in `docs/platform-faults.md`.
 *
 * Invariants
 * - Without `--faults` the paths are unknown (404) and no hook runs.
 * - It is outside the base address and not part of the interface. It answers only this machine.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { ApiError, badRequest, notFound } from '../http/errors.ts';
import { isListed } from '../keys/address.ts';
import type { Tables } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { createFaultList, faultSchema } from './fault.ts';
import { injectFaults } from './inject.ts';

const faultsSchema = z.union([faultSchema, z.array(faultSchema).max(1000)]);
const nameSchema = z.object({ name: z.string().regex(/^[a-z0-9]{1,30}$/) });

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw badRequest(`${issue?.path.join('.') || 'The body'}: ${issue?.message ?? 'not valid'}`);
}

async function onlyFromHere(request: FastifyRequest): Promise<void> {
  if (!isListed(['127.0.0.0/8', '::1'], request.ip)) throw new ApiError(404, 'There is no such operation');
}

/**
 * Adds the console and injects its faults. Call it before the operations are mounted. `die` ends the process at once.
 */
export function addFaultConsole(app: FastifyInstance, store: Store, basePath: string, die: () => void): void {
  const list = createFaultList();
  injectFaults(app, basePath, list, die);
  const onRequest = onlyFromHere;
  app.get('/faults', { onRequest }, async () => list.all());
  app.post('/faults', { onRequest }, async (request) => {
    const given = parse(faultsSchema, request.body);
    for (const fault of Array.isArray(given) ? given : [given]) list.add(fault);
    return list.all();
  });
  app.delete('/faults', { onRequest }, async () => {
    list.clear();
    return list.all();
  });
  app.post('/faults/snapshot', { onRequest }, async (request) => {
    const { name } = parse(nameSchema, request.body);
    await takeSnapshot(store, name);
    return { name };
  });
  app.post('/faults/restore', { onRequest }, async (request) => {
    const { name } = parse(nameSchema, request.body);
    if (!(await restoreSnapshot(store, name))) throw notFound('There is no snapshot of this name');
    return { name };
  });
}

/** Tables of a snapshot. Keys are not included, because otherwise no client could continue after a restore. */
const tables = [
  'record',
  'badge',
  'badge_past',
  'fact',
  'webhook_mark',
  'webhook_delivery',
  'email',
] as const satisfies readonly (keyof Tables)[];

function copyOf(table: string, name: string): string {
  return `snapshot_${name}_${table}`;
}

async function hasCopy(db: Transaction<Tables>, store: Store, name: string): Promise<boolean> {
  const table = copyOf('counter', name);
  const { rows } =
    store.engine === 'sqlite'
      ? await sql`select 1 from sqlite_master where name = ${table}`.execute(db)
      : await sql`select 1 from pg_tables where tablename = ${table}`.execute(db);
  return rows.length > 0;
}

/**
 * Stores the current state under a name (lower-case letters and digits), replacing an older snapshot of that name.
 */
function takeSnapshot(store: Store, name: string): Promise<void> {
  return store.write(async ({ db }) => {
    for (const table of [...tables, 'counter']) {
      const copy = sql.table(copyOf(table, name));
      await sql`drop table if exists ${copy}`.execute(db);
      await sql`create table ${copy} as select * from ${sql.table(table)}`.execute(db);
    }
  });
}

/** Restores a snapshot. Returns false if there is none with this name. */
function restoreSnapshot(store: Store, name: string): Promise<boolean> {
  return store.write(async ({ db }) => {
    if (!(await hasCopy(db, store, name))) return false;
    for (const table of tables) {
      await sql`delete from ${sql.table(table)}`.execute(db);
      await sql`insert into ${sql.table(table)} select * from ${sql.table(copyOf(table, name))}`.execute(db);
    }
    await sql`update counter set value = (select value from ${sql.table(copyOf('counter', name))})`.execute(
      db,
    );
    return true;
  });
}
