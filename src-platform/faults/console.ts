/**
 * The fault console: `/faults`, for tests and rehearsals. Described in `docs/platform-faults.md`.
 *
 * Invariants
 * - Without `--faults` nothing of this exists: the paths are unknown (404) and no hook runs.
 * - It lies outside the base address, is no part of the interface, and answers this machine only.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApiError, badRequest, notFound } from '../http/errors.ts';
import { isListed } from '../keys/address.ts';
import type { Store } from '../store/store.ts';
import { createFaultList, faultSchema } from './fault.ts';
import { injectFaults } from './inject.ts';
import { restoreSnapshot, takeSnapshot } from './snapshot.ts';

export type FaultPorts = {
  readonly store: Store;
  readonly basePath: string;
  /** Ends the process at once. */
  readonly die: () => void;
};

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

/** Adds the console and injects its faults; call it before the operations are mounted. */
export function addFaultConsole(app: FastifyInstance, { store, basePath, die }: FaultPorts): void {
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
