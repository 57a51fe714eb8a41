/**
 * Destinations whose token is at the hub: the hub sends this device's requests and adds the token.
 *
 * Invariants:
 * - No token reaches this device. Nothing is stored here, so there is nothing to revoke here.
 * - The device names a destination and a path. The hub knows the address, and permits what `DestinationKind.permits`
 *   lists.
 * - Staff see whether the fault is at the hub or at the destination.
 * - It uses its own connection, so that no fact waits for a CRM.
 */
import { z } from 'zod';
import { destinationKindSchema, type HubFault } from '../../../contract/destinations.ts';
import { pauseSchema } from '../../../contract/device.ts';
import type { ApiClient } from '../../foundations/api/client.ts';
import { ApiError, type ErrorClass } from '../../foundations/api/error-class.ts';
import { parseOrUndefined } from '../../foundations/api/json.ts';
import { pathOf } from '../../foundations/api/path.ts';
import type { SendWebRequest } from '../../foundations/api/web-request.ts';
import type { Access } from './access.ts';

const offersSchema = z.object({
  destinations: z
    .array(
      z.object({
        id: z.string().max(64),
        kind: destinationKindSchema,
        name: z.string().max(80),
        /** Origin of the destination. The path of a webhook stays at the hub, because it may be a secret. */
        origin: z.string().max(500),
      }),
    )
    .max(100),
});

/** A destination that the hub offers to this device's partner. */
export type Offer = z.infer<typeof offersSchema>['destinations'][number];

/** A request to the hub. `path` is below the address of the destination, `body` is JSON text. */
export const lentRequestSchema = z.strictObject({
  method: z.enum(['GET', 'POST', 'PATCH', 'DELETE']),
  path: z.string().max(1_000),
  webhookId: z.string().max(100).nullable(),
  body: z.string().nullable(),
});

/** The answer of the hub to a request: the destination's answer, or why there is none. */
const lentAnswerSchema = z.union([
  z.object({ status: z.number().int(), retryAfter: z.string().nullable(), body: z.string() }),
  z.object({
    fault: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('busy'), retryAfterMs: z.number().nullable() }),
      z.object({ kind: z.literal('retry'), reached: z.enum(['no', 'maybe']) }),
      z.object({ kind: z.literal('stop'), pause: pauseSchema }),
    ]),
  }),
]);
export type LentAnswer = z.infer<typeof lentAnswerSchema>;

export type HubDestinations = {
  /** The offers to this device. Empty without a hub, or at an older hub. @throws ApiError */
  readonly offers: (signal: AbortSignal) => Promise<readonly Offer[]>;
  /** Access to an offered destination. */
  readonly access: (id: string, origin: string) => Access;
};

/** The destinations at the hub of this device. */
export function createHubDestinations(
  client: Pick<ApiClient, 'get' | 'post'>,
  expoId: string,
  isAtHub: () => boolean,
): HubDestinations {
  return {
    offers: async (signal) => {
      if (!isAtHub()) return [];
      try {
        const text = await client.get(pathOf`/hub/destinations/${expoId}`, {}, signal);
        return offersSchema.safeParse(parseOrUndefined(text)).data?.destinations ?? [];
      } catch (error) {
        if (error instanceof ApiError && error.errorClass.kind === 'reject') return [];
        throw error;
      }
    },
    access: (id, origin) => {
      let fault: HubFault | null = null;
      const ask: SendWebRequest = async ({ method, url, headers, body }, signal) => {
        const webhookId = headers['webhook-id'] ?? null;
        const asked: z.infer<typeof lentRequestSchema> = {
          method,
          path: url.slice(origin.length),
          webhookId,
          body,
        };
        let answer: string;
        try {
          answer = await client.post(
            pathOf`/hub/destinations/${expoId}/${id}`,
            JSON.stringify(asked),
            signal,
          );
          fault = null;
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          fault = faultAtHub(error.errorClass);
          throw new ApiError(classAtHub(error.errorClass, fault), error.message);
        }
        const { data: lent } = lentAnswerSchema.safeParse(parseOrUndefined(answer));
        if (lent === undefined)
          throw new ApiError({ kind: 'retry', reached: 'maybe' }, 'the hub answered in another form');
        if ('fault' in lent)
          throw new ApiError(lent.fault, 'the hub did not get an answer of the destination');
        const { status, retryAfter } = lent;
        return { status, headers: retryAfter === null ? {} : { 'retry-after': retryAfter }, body: lent.body };
      };
      const no = () => Promise.resolve(false);
      return { ask, hubFault: () => fault, replace: no, revoke: no };
    },
  };
}

/** What a failed request to the hub means for staff. Null if the fault is temporary or concerns only this request. */
export function faultAtHub(errorClass: ErrorClass): HubFault | null {
  switch (errorClass.kind) {
    case 'busy':
      return null;
    case 'retry':
      return 'hubAway';
    case 'stop':
      return errorClass.pause === 'keyRefused' || errorClass.pause === 'forbidden' ? 'hubRefuses' : 'hubAway';
    case 'reject':
      return errorClass.status === 404 ? 'notOffered' : null;
  }
}

/** If a destination is not offered, sending stops. Treating it as a refusal would park a lead. */
function classAtHub(errorClass: ErrorClass, fault: HubFault | null): ErrorClass {
  return fault === 'notOffered' ? { kind: 'stop', pause: 'keyMissing' } : errorClass;
}
