/**
 * Connections, the interactions between participants (docs/interface/endpoints.md#connections and
 * docs/interface/endpoints.md#rule-4: only for keys they are enabled for).
 */
import type { PlatformClient } from '../../../../src-main/core/foundations/api/client.ts';
import { type ByWebhook, collectionOf, type Paging, type TypedRecord } from '../collection.ts';
import { connectionShape } from '../undocumented/shapes.ts';

const family = { segment: 'connections', fields: connectionShape } as const;

export type Connection = TypedRecord<typeof connectionShape>;

export type ConnectionQuery = Paging &
  ByWebhook & {
    /** Owner type; found out by the platform when `partnerId` or `visitorId` is given. */
    readonly type?: string;
    readonly partnerId?: string;
    readonly visitorId?: string;
  };

/** Operations on the connections of one event. */
export function connectionsOf(client: PlatformClient, expoId: string) {
  const { list, read } = collectionOf(client, expoId, family);
  return {
    /** `GET /connections/{expoId}`. @throws ApiError */
    list: (query: ConnectionQuery = {}, signal?: AbortSignal) => list(query, signal),
    /** `GET /connections/{expoId}/{connectionId}`. @throws ApiError */
    read,
  };
}
