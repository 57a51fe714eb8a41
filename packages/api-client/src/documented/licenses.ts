/**
 * Licenses of partners (docs/interface/endpoints.md#licenses and docs/interface/endpoints.md#rule-2).
 */
import type { PlatformClient } from '../../../../src-main/core/foundations/api/client.ts';
import { collectionOf, type Draft, type Paging, type TypedRecord } from '../collection.ts';
import { licenseShape } from '../undocumented/shapes.ts';

const family = { segment: 'licenses', most: 1000, fields: licenseShape } as const;

export type License = TypedRecord<typeof licenseShape>;

/** Operations on the licenses of one event. */
export function licensesOf(client: PlatformClient, expoId: string) {
  const { list, read, create, update, remove } = collectionOf(client, expoId, family);
  return {
    /** `GET /licenses/{expoId}`, at most 1000 per request. @throws ApiError */
    list: (query: Paging & { readonly partnerId?: string } = {}, signal?: AbortSignal) => list(query, signal),
    /** `GET /licenses/{expoId}/{licenseId}`. @throws ApiError */
    read,
    /**
     * `POST /licenses/{expoId}`. `partnerId` stands in where the body has no `partnerID`; one of the two is
     * required. @throws ApiError
     */
    create: (draft: Draft<typeof licenseShape>, partnerId?: string, signal?: AbortSignal) =>
      create(draft, { partnerId }, signal),
    /** `PUT /licenses/{expoId}/{licenseId}`. @throws ApiError */
    update,
    /** `DELETE /licenses/{expoId}/{licenseId}`; answers a sentence. @throws ApiError */
    remove,
  };
}
