/**
 * Posts items to the platform and reads the results.
 *
 * Invariant: an answer that lists none of the items is a fault, because a platform that accepts items lists them. The
 * items may have arrived anyway.
 */
import type { ApiClient } from '../../foundations/api/client.ts';
import { ApiError } from '../../foundations/api/error-class.ts';
import { type ItemResult, type PostPath, postActions } from '../../foundations/api/write-extension.ts';

/** Posts items. Returns the results by id, at least one of these items among them. @throws ApiError */
export async function postItems(
  client: ApiClient,
  expoId: string,
  items: readonly { readonly id: string; readonly wire: string }[],
  signal: AbortSignal,
  path: PostPath = '/actions',
): Promise<ReadonlyMap<string, ItemResult>> {
  const wires = items.map((item) => item.wire);
  const results = await postActions(client, expoId, wires, signal, path);
  const byId = new Map(results.map((result) => [result.id, result]));
  if (items.some(({ id }) => byId.has(id))) return byId;
  throw new ApiError(
    { kind: 'stop', pause: 'takesNoScans', reached: 'maybe' },
    'the answer to a write names none of its items',
  );
}
