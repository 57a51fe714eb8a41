/**
 * Payments (docs/interface/endpoints.md#payments and docs/interface/states.md#payment-states).
 */
import type { PlatformClient } from '../../../../src-main/core/foundations/api/client.ts';
import { type ByWebhook, collectionOf, type Paging, type TypedRecord } from '../collection.ts';
import { paymentShape } from '../undocumented/shapes.ts';

const family = { segment: 'payments', fields: paymentShape } as const;

export type Payment = TypedRecord<typeof paymentShape>;

export type PaymentQuery = Paging &
  ByWebhook & {
    readonly visitorId?: string;
    readonly partnerId?: string;
    readonly paymentStates?: readonly string[];
    readonly paymentMethods?: readonly string[];
  };

/** Operations on the payments of one event. */
export function paymentsOf(client: PlatformClient, expoId: string) {
  const { list, read, update } = collectionOf(client, expoId, family);
  return {
    /** `GET /payments/{expoId}`. @throws ApiError */
    list: ({ paymentStates, paymentMethods, ...query }: PaymentQuery = {}, signal?: AbortSignal) =>
      list(
        { ...query, paymentStates: paymentStates?.join(','), paymentMethods: paymentMethods?.join(',') },
        signal,
      ),
    /** `GET /payments/{expoId}/{paymentId}`. @throws ApiError */
    read,
    /**
     * `PUT /payments/{expoId}/{paymentId}`: the payment as it was read with another state; nothing else of it can
     * change. @throws ApiError
     */
    setState: (payment: Payment, state: 'paid' | 'denied' | 'pending', signal?: AbortSignal) =>
      update(payment.id, { ...payment.body, state }, signal),
  };
}
