/**
 * Destinations of leads whose token is at the hub: which destinations a device may use, and its requests to them. This
 * is our own extension, which only a hub has (docs/hub.md).
 *
 * Invariants
 * - A device sees and uses only destinations of its own partner (docs/laws.md#law-14). A destination of another
 *   partner looks absent.
 * - A device names a destination and a path, never a host, and receives no token.
 * - These requests take no slot: no fact waits for a CRM.
 * - Requests and answers are not checked here. `src-hub/destinations/lender.ts` reads and writes them with the
 *   schemas of devices.
 */
import { z } from 'zod';
import { ApiError, badRequest, notFound } from '../http/errors.ts';
import type { Operation } from '../http/operation.ts';
import { deviceOf } from './access.ts';

/**
 * `none`: the partner has no such destination. `notPermitted`: no device may send this. `busy`: the device must wait.
 * `answer`: in the form that devices read (`lentAnswerSchema` in `src-main/core/team/destinations/hub-access.ts`).
 */
export type DestinationAnswer =
  | { readonly kind: 'none' | 'notPermitted' }
  | { readonly kind: 'busy'; readonly seconds: number }
  | { readonly kind: 'answer'; readonly answer: object };

/** The destinations of a hub. `partner`: that of the calling device. `request`: the body as it arrived. */
export type LentDestinations = {
  readonly offers: (partner: string) => Promise<readonly object[]>;
  readonly ask: (
    device: { readonly id: string; readonly partner: string },
    destination: string,
    request: unknown,
  ) => Promise<DestinationAnswer>;
};

const anyObject = z.record(z.string(), z.unknown());

function offersOperation(destinations: LentDestinations): Operation {
  return {
    method: 'GET',
    path: '/hub/destinations/{expoId}',
    tag: 'hub',
    summary: "The partner's destinations whose token is at this hub",
    documented: false,
    right: 'read',
    slotless: true,
    answer: z.object({ destinations: z.array(anyObject) }),
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
    body: anyObject,
    answer: anyObject,
    onExpo: true,
    handle: async (call) => {
      const { id, partnerId } = deviceOf(call);
      const { destinationId = '' } = call.params;
      const answer: DestinationAnswer =
        partnerId === null
          ? { kind: 'none' }
          : await destinations.ask({ id, partner: partnerId }, destinationId, call.body);
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
          return answer.answer;
      }
    },
  };
}

/** The operations for destinations. */
export function destinationOperations(destinations: LentDestinations): readonly Operation[] {
  return [offersOperation(destinations), askOperation(destinations)];
}
