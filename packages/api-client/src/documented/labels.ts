/**
 * Labels (docs/interface/endpoints.md#labels).
 */
import type { PlatformClient } from '../../../../src-main/core/foundations/api/client.ts';
import { collectionOf, type Draft, type Paging, type ShowDeleted, type TypedRecord } from '../collection.ts';
import { labelShape } from '../undocumented/shapes.ts';

const family = { segment: 'labels', showsDeleted: true, fields: labelShape } as const;

export type Label = TypedRecord<typeof labelShape>;

/** Operations on the labels of one event. */
export function labelsOf(client: PlatformClient, expoId: string) {
  const { list, read, create, update, remove } = collectionOf(client, expoId, family);
  return {
    /** `GET /labels/{expoId}`. @throws ApiError */
    list: (query: Paging & ShowDeleted = {}, signal?: AbortSignal) => list(query, signal),
    /** `GET /labels/{expoId}/{labelId}`. @throws ApiError */
    read,
    /** `POST /labels/{expoId}`. @throws ApiError */
    create: (draft: Draft<typeof labelShape>, signal?: AbortSignal) => create(draft, {}, signal),
    /** `PUT /labels/{expoId}/{labelId}`. @throws ApiError */
    update,
    /** `DELETE /labels/{expoId}/{labelId}`. @throws ApiError */
    remove,
  };
}
