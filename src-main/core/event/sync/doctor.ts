/**
 * Compares a mirror with the platform, record by record.
 *
 * Invariants:
 * - Reads only, on both sides.
 * - A reported difference existed at the time of reading. A record that changed during the comparison may be reported
 *   once.
 */
import type { ApiClient, Query } from '../../foundations/api/client.ts';
import { stepAfter } from '../../foundations/api/cursor.ts';
import { listPage, readDetail } from '../../foundations/api/endpoints.ts';
import { ApiError, isRefusal } from '../../foundations/api/error-class.ts';
import { stringifyJson } from '../../foundations/api/json.ts';
import type { DetailReading } from '../mirror/reading.ts';
import type { Resource } from '../mirror/resources.ts';

/** One difference. `missing`: only the platform has it; `extra`: only the mirror; `different`: both, not equal. */
export type Difference = {
  readonly resource: string;
  readonly id: string;
  readonly kind: 'missing' | 'extra' | 'different';
  /** Names of the differing fields. No values, because they are personal data. */
  readonly fields: readonly string[];
};

/** Differences of one resource. @throws ApiError */
export async function examine(
  client: ApiClient,
  expoId: string,
  resource: Resource,
  filter: Query,
  ours: ReadonlyMap<string, string>,
): Promise<{ readonly records: number; readonly differences: readonly Difference[] }> {
  const theirs = await readAll(client, expoId, resource, filter);
  const differences: Difference[] = [];
  const differ = (id: string, kind: Difference['kind'], fields: readonly string[] = []): void => {
    differences.push({ resource: resource.name, id, kind, fields });
  };
  for (const [id, body] of theirs) {
    const mine = ours.get(id);
    if (mine === undefined) differ(id, 'missing');
    else if (mine !== body) differ(id, 'different', differingFields(mine, body));
  }
  for (const id of ours.keys()) if (!theirs.has(id)) differ(id, 'extra');
  return { records: theirs.size, differences };
}

/**
 * Differences of the detailed forms that the stand stores. If its record changed, a detailed form differs until the next
 * round has fetched it.
 * @throws ApiError
 */
export async function examineDetails(
  client: ApiClient,
  expoId: string,
  ours: readonly DetailReading[],
): Promise<readonly Difference[]> {
  const differences: Difference[] = [];
  for (const { resource, id, body } of ours) {
    const theirs = await readDetail(client, expoId, resource, id).catch((error: unknown) => {
      if (isRefusal(error)) return null;
      throw error;
    });
    const shown = theirs === null ? null : stringifyJson(theirs.body);
    if (shown === body) continue;
    const kind = shown === null ? 'extra' : body === null ? 'missing' : 'different';
    const fields = shown === null || body === null ? [] : differingFields(body, shown);
    differences.push({ resource: `${resource} in detail`, id, kind, fields });
  }
  return differences;
}

export async function readAll(
  client: ApiClient,
  expoId: string,
  resource: Resource,
  filter: Query,
): Promise<ReadonlyMap<string, string>> {
  const all = new Map<string, string>();
  let fromRevision = 0n;
  for (;;) {
    const page = await listPage(client, expoId, {
      ...resource,
      limit: resource.pageSize,
      fromRevision,
      filter,
    });
    if (page.kind === 'malformed') throw new ApiError({ kind: 'retry', reached: 'no' }, page.reason);
    for (const { id, deleted, body } of page.records) {
      if (deleted) all.delete(id);
      else all.set(id, stringifyJson(body));
    }
    const revisions = page.records.map((record) => record.revision);
    const step = stepAfter(fromRevision, revisions, page.length, resource.pageSize);
    if (step.done || !resource.byRevision) return all;
    fromRevision = step.revision;
  }
}

function differingFields(mine: string, body: string): readonly string[] {
  const left = JSON.parse(mine) as Record<string, unknown>;
  const right = JSON.parse(body) as Record<string, unknown>;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].filter((name) => JSON.stringify(left[name]) !== JSON.stringify(right[name]));
}
