/**
 * Actions, the raw interaction records (docs/interface/endpoints.md#actions). Writing them is not documented:
 * `../write-extension.ts`.
 */
import type { PlatformClient } from '../../../../src-main/core/foundations/api/client.ts';
import { type ByWebhook, collectionOf, type Paging, type TypedRecord } from '../collection.ts';
import { actionShape } from '../undocumented/shapes.ts';

const family = { segment: 'actions', fields: actionShape } as const;

export type Action = TypedRecord<typeof actionShape>;

export type ActionQuery = Paging &
  ByWebhook & {
    readonly locationId?: string;
    readonly partnerId?: string;
    readonly visitorId?: string;
    readonly contentId?: string;
  };

/** Operations on the actions of one event. */
export function actionsOf(client: PlatformClient, expoId: string) {
  const { list } = collectionOf(client, expoId, family);
  return {
    /** `GET /actions/{expoId}`. @throws ApiError */
    list: (query: ActionQuery = {}, signal?: AbortSignal) => list(query, signal),
  };
}
