/**
 * Activities: presentations, workshops and similar (docs/interface/endpoints.md#activities).
 */
import type { PlatformClient } from '../../../../src-main/core/foundations/api/client.ts';
import {
  type ByWebhook,
  collectionOf,
  type Paging,
  type ShowDeleted,
  type TypedRecord,
} from '../collection.ts';
import { activityShape } from '../undocumented/shapes.ts';

const family = { segment: 'activities', showsDeleted: true, fields: activityShape } as const;

export type Activity = TypedRecord<typeof activityShape>;

/** Operations on the activities of one event. */
export function activitiesOf(client: PlatformClient, expoId: string) {
  const { list, read, create, update, remove } = collectionOf(client, expoId, family);
  return {
    /** `GET /activities/{expoId}`. @throws ApiError */
    list: (query: Paging & ByWebhook & ShowDeleted = {}, signal?: AbortSignal) => list(query, signal),
    /** `GET /activities/{expoId}/{activityId}`: the detailed form. @throws ApiError */
    read,
    /** `POST /activities/{expoId}`. @throws ApiError */
    create: (draft: Parameters<typeof create>[0], signal?: AbortSignal) => create(draft, {}, signal),
    /** `PUT /activities/{expoId}/{activityId}`: the whole detailed activity. @throws ApiError */
    update,
    /** `DELETE /activities/{expoId}/{activityId}`. @throws ApiError */
    remove,
  };
}
