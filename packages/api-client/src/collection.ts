/**
 * What every resource family has in common: list, read, create, update, remove.
 *
 * Invariants: `limit` and `showDeleted` are always sent, because their defaults are not shown; a record we cannot
 * use never spoils its page; an answer that holds no record is a fault, never an empty record; an answer is judged
 * after the platform may have acted, so a write whose answer cannot be read is `reached: 'maybe'`.
 * Source: docs/interface/endpoints.md#common-answers.
 */
import type { ApiRequest, PlatformClient, Query } from '../../../src-main/core/foundations/api/client.ts';
import { ApiError } from '../../../src-main/core/foundations/api/error-class.ts';
import { type Fields, type Readers, readFields } from '../../../src-main/core/foundations/api/fields.ts';
import { parseOrUndefined, stringifyJson } from '../../../src-main/core/foundations/api/json.ts';
import { readPage, readRecord, type WireRecord } from '../../../src-main/core/foundations/api/page.ts';
import { pathOf } from '../../../src-main/core/foundations/api/path.ts';

/** A resource family: its path segment and the fields of its records; what is left out is usual. */
export type Family<S extends Readers> = {
  readonly segment: string;
  readonly fields: S;
  /** The field that names its records; usually `id`. */
  readonly idField?: string;
  /** The most one list request gives; usually 100. */
  readonly most?: number;
  /** Whether its list takes `showDeleted`; usually not. */
  readonly showsDeleted?: boolean;
};

/** A record with the fields we know read out; `body` is the whole of it as it came. */
export type TypedRecord<S extends Readers> = WireRecord & Fields<S>;

/** One answer of a list, oldest revision first. */
export type ListPage<S extends Readers> = {
  readonly records: readonly TypedRecord<S>[];
  /** Entries the list had, unusable ones included. */
  readonly length: number;
  /** Entries without a usable id or revision. */
  readonly skipped: number;
};

/** "Common query parameters": from which revision (inclusive) and how many. */
export type Paging = { readonly fromRevision?: bigint; readonly limit?: number };
/** Lists that take `webhookId`: the records relevant to that webhook. */
export type ByWebhook = { readonly webhookId?: string };
/** Lists that take `showDeleted`. */
export type ShowDeleted = { readonly showDeleted?: boolean };

/** Lists of those who are children of a contact. */
export type ByContact = {
  /** Foreign key of the contact, globally unique across events. */
  readonly contactReference?: string;
  readonly contactId?: string;
};

/** Fields to write: those we know, and any other the platform knows. */
export type Draft<S extends Readers> = Fields<S> & Readonly<Record<string, unknown>>;

export type Collection<S extends Readers> = {
  readonly list: (query: Paging & ShowDeleted & Query, signal?: AbortSignal) => Promise<ListPage<S>>;
  readonly read: (id: string, signal?: AbortSignal) => Promise<TypedRecord<S>>;
  readonly create: (draft: Draft<S>, query?: Query, signal?: AbortSignal) => Promise<TypedRecord<S>>;
  /** The whole record as read, changed; the body's id must be the path's. */
  readonly update: (id: string, draft: Draft<S>, signal?: AbortSignal) => Promise<TypedRecord<S>>;
  /** The confirmation: empty or a sentence. */
  readonly remove: (id: string, signal?: AbortSignal) => Promise<string>;
};

/** The operations on one family of one event. Which of them the platform has is for the family's file to say. */
export function collectionOf<S extends Readers>(
  client: PlatformClient,
  expoId: string,
  { segment, fields, idField = 'id', most = 100, showsDeleted = false }: Family<S>,
): Collection<S> {
  const all = () => pathOf`/${segment}/${expoId}`;
  const one = (id: string) => pathOf`/${segment}/${expoId}/${id}`;
  const answerOf = (request: ApiRequest) => callForRecord(client, request, idField, fields);

  return {
    list: async ({ fromRevision = 0n, limit = most, showDeleted = false, ...filter }, signal) => {
      const query = { ...filter, fromRevision, limit, ...(showsDeleted ? { showDeleted } : {}) };
      return listPageOf(await client.call({ method: 'GET', path: all(), query, signal }), idField, fields);
    },
    read: async (id, signal) => answerOf({ method: 'GET', path: one(id), signal }),
    create: async (draft, query = {}, signal) =>
      answerOf({ method: 'POST', path: all(), query, body: stringifyJson(draft), signal }),
    update: async (id, draft, signal) =>
      answerOf({ method: 'PUT', path: one(id), body: stringifyJson({ [idField]: id, ...draft }), signal }),
    remove: async (id, signal) =>
      confirmationOf(await client.call({ method: 'DELETE', path: one(id), signal })),
  };
}

/** A list answer as typed records. @throws ApiError when it is no list */
export function listPageOf<S extends Readers>(answer: string, idField: string, fields: S): ListPage<S> {
  const page = readPage(answer, idField);
  if (page.kind === 'malformed') throw new ApiError({ kind: 'retry', reached: 'no' }, page.reason);
  return {
    records: page.records.map((record) => typed(record, fields)),
    length: page.length,
    skipped: page.skipped,
  };
}

/** A call whose answer is one record. @throws ApiError, also when the answer holds no record */
export async function callForRecord<S extends Readers>(
  client: PlatformClient,
  request: ApiRequest,
  idField: string,
  fields: S,
): Promise<TypedRecord<S>> {
  const record = readRecord(parseOrUndefined(await client.call(request)), idField);
  if (record !== null) return typed(record, fields);
  const reached = request.method === 'GET' ? 'no' : 'maybe';
  throw new ApiError({ kind: 'retry', reached }, `the answer to ${request.method} holds no record`);
}

function typed<S extends Readers>(record: WireRecord, fields: S): TypedRecord<S> {
  return {
    ...readFields(fields, record.body),
    ...record,
  };
}

function confirmationOf(answer: string): string {
  const value = parseOrUndefined(answer);
  return typeof value === 'string' ? value : answer;
}
