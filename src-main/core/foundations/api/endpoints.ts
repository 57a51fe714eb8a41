/**
 * The documented operations that the device uses (docs/interface/endpoints.md#operations).
 *
 * Invariants:
 * - A list by revision is always requested with `limit` and, where it is accepted, `showDeleted`, because their
 *   defaults are not documented.
 * - Ids in a path are always escaped.
 */

import type { ApiClient, Query } from './client.ts';
import { faultOf } from './cursor.ts';
import { ApiError } from './error-class.ts';
import { parseOrUndefined } from './json.ts';
import { type Page, readPage, readRecord, type WireRecord } from './page.ts';
import { pathOf } from './path.ts';

/** A request for one page of a list. */
type ListRequest = {
  /** Path segment of the resource, e.g. `visitors`. */
  readonly path: string;
  readonly idField: string;
  readonly fromRevision: bigint;
  readonly limit: number;
  /** Whether the resource accepts `showDeleted`. */
  readonly showsDeleted: boolean;
  /** False for a list without paging parameters (registration types). */
  readonly byRevision?: boolean;
  /** Further documented filters. */
  readonly filter?: Query;
};

/** One page of a resource, oldest revision first. An answer that ignores the request is `malformed`. @throws ApiError */
export async function listPage(
  client: Pick<ApiClient, 'get'>,
  expoId: string,
  request: ListRequest,
  signal?: AbortSignal,
): Promise<Page> {
  const page = readPage(await client.get(...listCall(expoId, request), signal), request.idField);
  if (page.kind === 'malformed' || request.byRevision === false) return page;
  const revisions = page.records.map(({ revision }) => revision);
  const fault = faultOf(request.fromRevision, revisions, page.length, request.limit);
  return fault === null ? page : { kind: 'malformed', reason: fault };
}

/** One page of a resource as the received bytes. @throws ApiError */
export function listBytes(
  client: Pick<ApiClient, 'getBytes'>,
  expoId: string,
  request: ListRequest,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  return client.getBytes(...listCall(expoId, request), signal);
}

function listCall(
  expoId: string,
  { path, byRevision = true, filter, fromRevision, limit, showsDeleted }: ListRequest,
): readonly [path: string, query: Query] {
  return [
    `/${path}/${encodeURIComponent(expoId)}`,
    byRevision
      ? { ...filter, fromRevision, limit, showDeleted: showsDeleted ? true : undefined }
      : (filter ?? {}),
  ];
}

/**
 * The detailed form of one record: `GET /{path}/{expoId}/{id}`. Null when the answer is not that record.
 * @throws ApiError, also when the answer is not JSON
 */
export async function readDetail(
  client: ApiClient,
  expoId: string,
  path: string,
  id: string,
  signal?: AbortSignal,
): Promise<WireRecord | null> {
  const answer = await client.get(`/${path}${pathOf`/${expoId}/${id}`}`, {}, signal);
  const value = parseOrUndefined(answer);
  if (value === undefined) throw new ApiError({ kind: 'retry', reached: 'no' }, 'a record is not JSON');
  const record = readRecord(value, 'id');
  return record?.id === id ? record : null;
}

/**
 * The event itself: `GET /expos/{expoId}` (docs/interface/resources.md#expo: its `id` is required).
 * @throws ApiError; an answer without an event is not accepted, because a captive portal answers every request
 */
export async function readExpo(
  client: ApiClient,
  expoId: string,
  signal?: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const value = parseOrUndefined(await client.get(`/expos/${encodeURIComponent(expoId)}`, {}, signal));
  if (value === undefined) throw new ApiError({ kind: 'retry', reached: 'no' }, 'the event is not JSON');
  const isEvent = typeof value === 'object' && value !== null && 'id' in value;
  if (!isEvent) throw new ApiError({ kind: 'stop', pause: 'notAPlatform' }, 'the answer is not an event');
  return value as Record<string, unknown>;
}
