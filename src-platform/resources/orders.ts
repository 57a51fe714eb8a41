/**
 * Orders and their payments (docs/interface/states.md#order-states and docs/interface/states.md#payment-states).
 *
 * Invariants
 * - Orders are read-only here.
 * - Only the state of a payment can change, and only to paid, denied or pending.
 */
import { z } from 'zod';
import { rejectedField } from '../http/errors.ts';
import { findRecord, putRecord } from '../store/records.ts';
import { id, instant, queryList, queryText, revision, text } from './fields.ts';
import { type Resource, shapeOf } from './resource.ts';

export const orderStates = ['paying', 'paymentPending', 'completed', 'timeout', 'cancelled'] as const;
export const paymentStates = ['pending', 'paid', 'denied', 'refunded', 'cancelled'] as const;
export const paymentMethods = ['card', 'invoice', 'manual', 'free'] as const;
/**
 * The new state of an open order after its payment changed state. A denied payment leaves the order open for another.
 */
const ORDER_STATE: Readonly<Record<string, string>> = {
  paid: 'completed',
  pending: 'paymentPending',
  denied: 'paying',
};
const paymentTargets: readonly string[] = ['paid', 'denied', 'pending'];

const ownerFilters = {
  visitorId: { column: 'visitor_id', schema: queryText().optional() },
  partnerId: { column: 'partner_id', schema: queryText().optional() },
} as const;

export const orders: Resource = {
  kind: 'order',
  folder: 'orders',
  noun: 'order',
  parameter: 'orderId',
  basic: z.object({
    id: id(),
    expoID: id(),
    visitorID: id().optional(),
    partnerID: id().optional(),
    state: z.enum(orderStates),
    total: z.number(),
    currency: text(3),
    items: z.array(z.object({ name: text(), quantity: z.int(), price: z.number() })),
    created: instant(),
    revision: revision(),
  }),
  state: 'state',
  list: {
    most: 100,
    filters: {
      ...ownerFilters,
      orderStates: { column: 'state', schema: queryList(orderStates).optional(), many: true },
    },
    showDeleted: false,
    webhooks: ['order'],
    documented: true,
  },
  reads: { documented: true },
};

const paymentFields = z.object({
  id: id(),
  expoID: id(),
  orderID: id(),
  visitorID: id().optional(),
  partnerID: id().optional(),
  amount: z.number(),
  currency: text(3),
  method: z.enum(paymentMethods),
  state: z.enum(paymentStates),
  revision: revision(),
});

const fixedFields = ['orderID', 'visitorID', 'partnerID', 'amount', 'currency', 'method'] as const;

export const payments: Resource = {
  kind: 'payment',
  folder: 'payments',
  noun: 'payment',
  parameter: 'paymentId',
  basic: paymentFields,
  examples: { update: { state: 'pending' } },
  body: z.object({
    orderID: id().optional(),
    visitorID: id().optional(),
    partnerID: id().optional(),
    amount: z.number().optional(),
    currency: text(3).optional(),
    method: z.enum(paymentMethods).optional(),
    state: z.enum(paymentStates),
  }),
  state: 'state',
  category: 'method',
  list: {
    most: 100,
    filters: {
      ...ownerFilters,
      paymentStates: { column: 'state', schema: queryList(paymentStates).optional(), many: true },
      paymentMethods: { column: 'category', schema: queryList(paymentMethods).optional(), many: true },
    },
    showDeleted: false,
    webhooks: ['payment'],
    documented: true,
  },
  reads: { documented: true },
  writes: {
    documented: true,
    create: false,
    update: true,
    updateMeaning: 'Changes the state only. Send `state` alone, or the whole record with no other change.',
    rules: {
      complete: (_context, body, previous) => {
        const stored = previous?.doc ?? {};
        for (const field of fixedFields) {
          if (body[field] !== undefined && body[field] !== stored[field]) {
            throw rejectedField(field, 'readOnly', 'Only the state of a payment can be changed');
          }
        }
        if (!paymentTargets.includes(String(body.state))) {
          throw rejectedField('state', 'notAllowed', `A payment can be set to: ${paymentTargets.join(', ')}`);
        }
        return { ...stored, state: body.state };
      },
      follow: async ({ write, expo }, doc) => {
        const order = await findRecord(write.db, 'order', expo.id, String(doc.orderID));
        const state = ORDER_STATE[String(doc.state)];
        if (order === undefined || order.deleted || state === undefined) return;
        if (!['paying', 'paymentPending'].includes(String(order.doc.state))) return;
        if (order.doc.state !== state)
          await putRecord(write, shapeOf(orders), expo.id, { ...order.doc, state });
      },
    },
  },
};
