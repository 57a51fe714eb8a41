/**
 * A signed webhook as a destination: one event per change of a lead, for Zapier, Make or a server of the exhibitor.
 *
 * The signature follows standardwebhooks.com (version 1.0.0): HMAC-SHA256 over `id.timestamp.body`, in
 * `webhook-signature`.
 *
 * Invariants:
 * - Every retry has the delivery id of the first attempt, so the receiver can drop repeats. Every later change has
 *   another id, even if it returns to an earlier content.
 * - A webhook cannot be read back, so a lead stays "sent" after a 2xx answer.
 * - A page of HTML acknowledges nothing, whatever its status: the sign-in page of a proxy also answers 200.
 */
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { ApiError } from '../../foundations/api/error-class.ts';
import { hubspotColumns } from '../formats/hubspot.ts';
import { type Adapter, type AdapterPorts, type DestinationKind, faultOf } from './adapter.ts';

/** Names of the events. */
export const WEBHOOK_EVENTS = ['lead.changed', 'lead.erased', 'webhook.test'] as const;
type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export const WEBHOOK: DestinationKind = {
  address: null,
  scopes: [],
  // A value is named after HubSpot's property, or after the column's title if HubSpot has none.
  columns: (setting) =>
    hubspotColumns(setting).map((column) => ({
      ...column,
      property: column.property ?? column.title.toLowerCase().replaceAll(' ', '_'),
    })),
  owner: null,
  reserved: new Map([['id', []]]),
  connect: createWebhook,
  oauth: null,
  permits: ({ method, path, webhookId, body }) =>
    method === 'POST' &&
    path === '' &&
    /^msg_\w{1,64}$/u.test(webhookId ?? '') &&
    eventSchema.safeParse(body).success,
};

/** The start of a page. The content type proves nothing: receivers in PHP or Flask answer "OK" as HTML by default. */
const HTML_PAGE = /^\s*<(!doctype html|html)\b/iu;

const eventSchema = z.strictObject({
  type: z.enum(WEBHOOK_EVENTS),
  timestamp: z.string(),
  data: z.record(z.string(), z.string()),
});

/** Whether a text is a signing secret of the standard: `whsec_` and the base64 of 24 to 64 bytes. */
export function isSigningSecret(text: string): boolean {
  const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/u.exec(text) ?? [];
  const { length } = Buffer.from(encoded, 'base64');
  return length >= 24 && length <= 64;
}

/**
 * The header `webhook-signature`. `secret`: `whsec_` and base64, or any text, which earlier versions accepted.
 * `seconds`: Unix time.
 */
export function signatureOf(secret: string, id: string, seconds: number, body: string): string {
  const key = secret.startsWith('whsec_')
    ? Buffer.from(secret.slice(6), 'base64')
    : Buffer.from(secret, 'utf8');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}

function createWebhook({ ask, clock, address }: AdapterPorts): Adapter {
  const post = async (
    type: WebhookEvent,
    id: string,
    data: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<void> => {
    const body = JSON.stringify({ type, timestamp: new Date(clock.now()).toISOString(), data });
    const headers = { 'content-type': 'application/json', 'webhook-id': id };
    const answer = await ask({ method: 'POST', url: address, headers, body }, signal);
    if (answer.status < 200 || answer.status > 299) throw faultOf(answer, clock.now());
    if (HTML_PAGE.test(answer.body))
      throw new ApiError({ kind: 'stop', pause: 'notAPlatform', reached: 'maybe' }, 'the answer is a page');
  };
  return {
    // Each event is a separate request, and its state changes as soon as it is acknowledged.
    batch: 1,
    send: async ([record], signal) => {
      if (record === undefined) return [];
      const { externalId, values, delivery } = record;
      try {
        await post('lead.changed', delivery, { id: externalId, ...values }, signal);
        return [{ kind: 'accepted', remoteId: externalId }];
      } catch (error) {
        const isRefusal = error instanceof ApiError && error.errorClass.kind === 'reject';
        if (!isRefusal) throw error;
        return [{ kind: 'refused', cause: 'other', why: error.message }];
      }
    },
    erase: ({ externalId, delivery }, signal) => post('lead.erased', delivery, { id: externalId }, signal),
    properties: async (signal) => {
      const id = `msg_test_${clock.now()}`;
      await post('webhook.test', id, {}, signal);
      return [];
    },
    prepare: () => Promise.resolve(),
  };
}
