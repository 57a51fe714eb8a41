/**
 * Destinations of leads whose token is at the hub: which ones a device may use, and its requests to them. Our own extension, and only at
 * a hub (docs/hub.md).
 *
 * Invariants
 * - A device sees and uses only destinations of its own partner (docs/laws.md#law-14). A destination of another partner looks absent.
 * - A device names a destination and a path, never a host, and receives no token.
 * - These requests take no slot: no fact waits for a CRM.
 */
import { z } from 'zod';
import { ApiError, badRequest, notFound } from '../http/errors.ts';
import type { Operation } from '../http/operation.ts';
import { deviceOf } from './access.ts';

/** A destination as its partner's devices see it. */
export type OfferedDestination = {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly origin: string;
};

const requestBody = z.strictObject({
  method: z.enum(['GET', 'POST', 'PATCH', 'DELETE']),
  path: z.string().max(1_000),
  webhookId: z.string().max(100).nullable(),
  /** JSON text. */
  body: z.string().nullable(),
});

/** A request of a device. */
export type DestinationRequest = z.infer<typeof requestBody>;

const fault = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('busy'), retryAfterMs: z.number().nullable() }),
  z.object({ kind: z.literal('retry'), reached: z.enum(['no', 'maybe']) }),
  z.object({ kind: z.literal('stop'), pause: z.string() }),
]);

/** `none`: the partner has no such destination. `notPermitted`: no device may send this. `busy`: the device must wait. */
export type DestinationAnswer =
  | { readonly kind: 'none' | 'notPermitted' }
  | { readonly kind: 'busy'; readonly seconds: number }
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly retryAfter: string | null;
      readonly body: string;
    }
  | { readonly kind: 'fault'; readonly fault: z.infer<typeof fault> };

/** The destinations of a hub. `partner`: that of the calling device. */
export type LentDestinations = {
  readonly offers: (partner: string) => Promise<readonly OfferedDestination[]>;
  readonly ask: (
    device: { readonly id: string; readonly partner: string },
    destination: string,
    request: DestinationRequest,
  ) => Promise<DestinationAnswer>;
};

function offersOperation(destinations: LentDestinations): Operation {
  return {
    method: 'GET',
    path: '/hub/destinations/{expoId}',
    tag: 'hub',
    summary: "The partner's destinations whose token is at this hub",
    documented: false,
    right: 'read',
    slotless: true,
    answer: z.object({
      destinations: z.array(
        z.object({ id: z.string(), kind: z.string(), name: z.string(), origin: z.string() }),
      ),
    }),
    onExpo: true,
    handle: async (call) => {
      const { partnerId } = deviceOf(call);
      return { destinations: partnerId === null ? [] : [...(await destinations.offers(partnerId))] };
    },
  };
}

function askOperation(destinations: LentDestinations): Operation {
  return {
    method: 'POST',
    path: '/hub/destinations/{expoId}/{destinationId}',
    tag: 'hub',
    summary: "Send a request to one of the partner's destinations, with the token of this hub",
    documented: false,
    right: 'write',
    slotless: true,
    mayMiss: true,
    body: requestBody,
    bodyShape: requestBody,
    answer: z.union([
      z.object({ status: z.number(), retryAfter: z.string().nullable(), body: z.string() }),
      z.object({ fault }),
    ]),
    onExpo: true,
    handle: async (call) => {
      const { id, partnerId } = deviceOf(call);
      const { destinationId = '' } = call.params;
      const answer: DestinationAnswer =
        partnerId === null
          ? { kind: 'none' }
          : await destinations.ask(
              { id, partner: partnerId },
              destinationId,
              call.body as DestinationRequest,
            );
      switch (answer.kind) {
        case 'none':
          throw notFound('This hub has no such destination');
        case 'notPermitted':
          throw badRequest('This hub does not send such a request');
        case 'busy':
          throw new ApiError(429, 'The limit for this destination is reached', undefined, {
            'retry-after': String(answer.seconds),
          });
        case 'answer':
          return { status: answer.status, retryAfter: answer.retryAfter, body: answer.body };
        case 'fault':
          return { fault: answer.fault };
      }
    },
  };
}

/** The operations for destinations. */
export function destinationOperations(destinations: LentDestinations): readonly Operation[] {
  return [offersOperation(destinations), askOperation(destinations)];
}
