/**
 * Orders (docs/interface/endpoints.md#orders and docs/interface/states.md#order-states). They cannot be created or
 * changed (docs/interface/endpoints.md#rule-5).
 */
import type { PlatformClient } from '../../../../src-main/core/foundations/api/client.ts';
import { type ByWebhook, collectionOf, type Paging, type TypedRecord } from '../collection.ts';
import { orderShape } from '../undocumented/shapes.ts';

const family = { segment: 'orders', fields: orderShape } as const;

export type Order = TypedRecord<typeof orderShape>;
export type OrderState = 'paying' | 'paymentPending' | 'completed' | 'timeout' | 'cancelled';

export type OrderQuery = Paging &
  ByWebhook & {
    readonly visitorId?: string;
    readonly partnerId?: string;
    readonly orderStates?: readonly OrderState[];
  };

/** Operations on the orders of one event. */
export function ordersOf(client: PlatformClient, expoId: string) {
  const { list, read } = collectionOf(client, expoId, family);
  return {
    /** `GET /orders/{expoId}`. @throws ApiError */
    list: ({ orderStates, ...query }: OrderQuery = {}, signal?: AbortSignal) =>
      list({ ...query, orderStates: orderStates?.join(',') }, signal),
    /** `GET /orders/{expoId}/{orderId}`. @throws ApiError */
    read,
  };
}
