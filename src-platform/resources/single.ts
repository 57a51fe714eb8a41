/**
 * Single records: read, create, update, delete, the same for every resource.
 *
 * Invariants
 * - An identifier in the body that differs from the path is a 400, before the record is looked up
 *   (docs/interface/endpoints.md#common-answers).
 * - A change that a resource forbids is a 422 that names the field.
 * - The record and all its consequences commit together.
 * - The answer to a deletion that removes fields means that they are in no file of SQLite any more.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { badRequest, notFound } from '../http/errors.ts';
import { JsonText } from '../http/json.ts';
import type { ExpoCall, Operation } from '../http/operation.ts';
import { mayUse } from '../keys/caller.ts';
import type { Doc } from '../store/records.ts';
import { detailText, findRecord, findRow, putRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import {
  bodySchema,
  detailSchema,
  type Resource,
  shapeOf,
  shownAs,
  type WriteContext,
  writableOf,
} from './resource.ts';

export type ResourcePorts = {
  readonly store: Store;
  readonly now: () => Date;
  readonly newId: () => string;
  /** Folder of uploaded images, by event and visitor. */
  readonly uploads: string;
  /** Webhooks may point to loopback and private addresses. */
  readonly allowPrivateTargets: boolean;
};

type Writes = NonNullable<Resource['writes']>;

function missing(resource: Resource): Error {
  return notFound(`${resource.noun.charAt(0).toUpperCase()}${resource.noun.slice(1)} not found`);
}

/** The id in the path. Every operation on a single record has one. */
function pathId(resource: Resource, call: ExpoCall): string {
  return call.params[resource.parameter] ?? '';
}

async function read(store: Store, resource: Resource, call: ExpoCall): Promise<JsonText> {
  const row = await findRow(store.db, resource.kind, call.expo.id, pathId(resource, call));
  const isHidden = Number(row?.deleted) === 1 && !resource.keepsDeleted;
  if (!row || isHidden || !isFor(resource, call, row.key_id)) throw missing(resource);
  return new JsonText(detailText(row));
}

function checkIdentifiers(body: Doc, expoId: string, recordId: string | null): void {
  if (recordId !== null && body.id !== undefined && body.id !== recordId) {
    throw badRequest('The identifier in the body does not match the path');
  }
  if (body.expoID !== undefined && body.expoID !== expoId) {
    throw badRequest('The event identifier in the body does not match the path');
  }
}

/** Whether a record exists as far as this key may see. */
function isFor(resource: Resource, call: ExpoCall, owner: string | null): boolean {
  return resource.belongsToKey !== true || mayUse(call.caller, owner);
}

function contextOf(around: ResourcePorts, call: ExpoCall, write: WriteContext['write']): WriteContext {
  return {
    write,
    expo: call.expo,
    query: call.query,
    now: around.now(),
    newId: around.newId,
    allowPrivateTargets: around.allowPrivateTargets,
    mayReadConnections: call.caller.connections,
  };
}

function create(
  around: ResourcePorts,
  resource: Resource,
  writes: Writes,
  schema: z.ZodObject,
  call: ExpoCall,
): Promise<JsonText> {
  const body = call.body as Doc;
  checkIdentifiers(body, call.expo.id, null);
  return around.store.write(async (write) => {
    const context = contextOf(around, call, write);
    const given = await writes.rules.complete(context, writableOf(resource, schema, body), null);
    const doc = { ...given, id: around.newId(), expoID: call.expo.id };
    const owner = resource.belongsToKey ? call.caller.keyId : undefined;
    const row = await putRecord(write, shapeOf(resource), call.expo.id, doc, owner);
    await writes.rules.follow?.(context, doc, null);
    return new JsonText(detailText(row));
  });
}

function update(
  around: ResourcePorts,
  resource: Resource,
  writes: Writes,
  schema: z.ZodObject,
  call: ExpoCall,
): Promise<JsonText> {
  const body = call.body as Doc;
  const recordId = pathId(resource, call);
  checkIdentifiers(body, call.expo.id, recordId);
  return around.store.write(async (write) => {
    const context = contextOf(around, call, write);
    const previous = await findRecord(write.db, resource.kind, call.expo.id, recordId);
    if (!previous || previous.deleted || !isFor(resource, call, previous.keyId)) throw missing(resource);
    const given = await writes.rules.complete(context, writableOf(resource, schema, body), previous);
    const doc = { ...given, id: recordId, expoID: call.expo.id };
    const row = await putRecord(write, shapeOf(resource), call.expo.id, doc);
    await writes.rules.follow?.(context, doc, previous);
    return new JsonText(detailText(row));
  });
}

async function remove(around: ResourcePorts, resource: Resource, writes: Writes, call: ExpoCall) {
  const recordId = pathId(resource, call);
  if (!/^[A-Za-z0-9]+$/.test(recordId)) throw badRequest('The identifier is not alphanumeric');
  await around.store.write(async (write) => {
    const previous = await findRecord(write.db, resource.kind, call.expo.id, recordId);
    if (!previous || !isFor(resource, call, previous.keyId)) throw missing(resource);
    if (previous.deleted) throw badRequest(`The ${resource.noun} is already deleted`);
    writes.rules.mayRemove?.(previous);
    const doc = { ...(writes.rules.tombstone?.(previous.doc) ?? previous.doc), deleted: true };
    await putRecord(write, shapeOf(resource), call.expo.id, doc);
    await writes.rules.follow?.(contextOf(around, call, write), doc, previous);
  });
  if (resource.hasUploads === true)
    await rm(join(around.uploads, call.expo.id, recordId), { recursive: true, force: true });
  if (writes.rules.tombstone !== undefined) await around.store.emptyLog();
  return writes.remove === 'text' ? `The ${resource.noun} ${recordId} was deleted.` : null;
}

type Described = Pick<Operation, 'tag' | 'answer' | 'shows'> & { readonly onExpo: true };

const replaces =
  'Replaces the record: read it, change it and send all of it back. Omitted fields are removed, read-only fields are ' +
  'ignored.';

/** Create and update, for a resource whose records have a body. */
function writeOperations(
  around: ResourcePorts,
  resource: Resource,
  writes: Writes,
  common: Described,
  single: string,
): readonly Operation[] {
  const { body, updateBody = body, examples } = resource;
  if (body === undefined || updateBody === undefined) return [];
  const shared = { ...common, documented: writes.documented, right: writes.right ?? 'write' } as const;
  const operations: Operation[] = [];
  if (writes.create) {
    operations.push({
      ...shared,
      method: 'POST',
      path: `/${resource.folder}/{expoId}`,
      summary: `Create one ${resource.noun}`,
      ...(writes.createQuery ? { query: writes.createQuery } : {}),
      undocumentedQuery: writes.undocumentedQuery ?? [],
      body: bodySchema(resource, body),
      bodyShape: body,
      example: examples?.create,
      handle: (call: ExpoCall) => create(around, resource, writes, body, call),
    });
  }
  if (writes.update) {
    operations.push({
      ...shared,
      method: 'PUT',
      path: single,
      summary: `Update one ${resource.noun}`,
      description: writes.updateMeaning ?? replaces,
      mayMiss: true,
      body: bodySchema(resource, updateBody),
      bodyShape: updateBody,
      example: examples?.update,
      handle: (call: ExpoCall) => update(around, resource, writes, updateBody, call),
    });
  }
  return operations;
}

/** The read, create, update and delete operations that a resource has. */
export function singleOperations(around: ResourcePorts, resource: Resource): readonly Operation[] {
  const operations: Operation[] = [];
  const single = `/${resource.folder}/{expoId}/{${resource.parameter}}`;
  const shows = shownAs(resource, 'single');
  const common = { tag: resource.folder, onExpo: true, answer: detailSchema(resource), shows } as const;
  if (resource.reads) {
    operations.push({
      ...common,
      method: 'GET',
      path: single,
      summary: `Read one ${resource.noun}`,
      documented: resource.reads.documented,
      right: resource.kind === 'connection' ? 'connections' : 'read',
      mayMiss: true,
      handle: (call: ExpoCall) => read(around.store, resource, call),
    });
  }
  const { writes } = resource;
  if (!writes) return operations;
  operations.push(...writeOperations(around, resource, writes, common, single));
  if (writes.remove) {
    operations.push({
      ...common,
      method: 'DELETE',
      path: single,
      summary: `Delete one ${resource.noun}`,
      documented: writes.documented,
      right: writes.right ?? 'write',
      mayMiss: true,
      answer: writes.remove === 'text' ? z.string() : null,
      handle: (call: ExpoCall) => remove(around, resource, writes, call),
    });
  }
  return operations;
}
