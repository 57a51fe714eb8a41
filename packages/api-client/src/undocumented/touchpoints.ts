/**
 * Touchpoints, the devices that log badge scans.
 *
 * Invariant: undocumented (docs/interface/endpoints.md#rule-6); paths and filters are our answer to that gap
 * (docs/interface/undocumented.md#touchpoint).
 */
import type { PlatformClient } from '../../../../src-main/core/foundations/api/client.ts';
import { collectionOf, type Paging, type TypedRecord } from '../collection.ts';
import { touchpointShape } from './shapes.ts';

const family = { segment: 'touchpoints', most: 1000, fields: touchpointShape } as const;

export type Touchpoint = TypedRecord<typeof touchpointShape>;

/** Operations on the touchpoints of one event. */
export function touchpointsOf(client: PlatformClient, expoId: string) {
  const { list, read } = collectionOf(client, expoId, family);
  return {
    /** `GET /touchpoints/{expoId}`, at most 1000 per request. @throws ApiError */
    list: (query: Paging & { readonly partnerId?: string } = {}, signal?: AbortSignal) => list(query, signal),
    /** `GET /touchpoints/{expoId}/{touchpointId}`. @throws ApiError */
    read,
  };
}
