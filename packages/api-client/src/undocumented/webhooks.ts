/**
 * Management of webhooks. Their types, their two states and that every key may manage them are documented
 * (docs/interface/webhooks.md#types, docs/interface/states.md#webhook-states,
 * docs/interface/authentication.md#rights).
 *
 * Invariant: undocumented paths and fields (docs/interface/webhooks.md#management); they are our answer to that gap
 * (docs/interface/undocumented.md#webhook).
 */
import type { PlatformClient } from '../../../../src-main/core/foundations/api/client.ts';
import { collectionOf, type Draft, type Paging, type TypedRecord } from '../collection.ts';
import { webhookShape } from './shapes.ts';

const family = { segment: 'webhooks', fields: webhookShape } as const;

export type Webhook = TypedRecord<typeof webhookShape>;

/** Operations on the webhooks of one event. */
export function webhooksOf(client: PlatformClient, expoId: string) {
  const { list, read, create, update, remove } = collectionOf(client, expoId, family);
  return {
    /** `GET /webhooks/{expoId}`. @throws ApiError */
    list: (query: Paging = {}, signal?: AbortSignal) => list(query, signal),
    /** `GET /webhooks/{expoId}/{webhookId}`. @throws ApiError */
    read,
    /** `POST /webhooks/{expoId}`. @throws ApiError */
    create: (draft: Draft<typeof webhookShape>, signal?: AbortSignal) => create(draft, {}, signal),
    /** `PUT /webhooks/{expoId}/{webhookId}`. @throws ApiError */
    update,
    /** `PUT` of the webhook with state `wait`: after an `error` the platform notifies again. @throws ApiError */
    reset: (webhook: Webhook, signal?: AbortSignal) =>
      update(webhook.id, { ...webhook.body, state: 'wait' }, signal),
    /** `DELETE /webhooks/{expoId}/{webhookId}`. @throws ApiError */
    remove,
  };
}
