/**
 * Visitors, the pre-event registrations. Documented is the list by webhook only (docs/interface/endpoints.md#rule-6).
 *
 * Invariant: undocumented but for `list({ webhookId })`; paths, filters and bodies are our answer to that gap
 * (docs/interface/undocumented.md#visitor).
 */
import type { PlatformClient } from '../../../../src-main/core/foundations/api/client.ts';
import {
  type ByContact,
  type ByWebhook,
  collectionOf,
  type Draft,
  type Paging,
  type ShowDeleted,
  type TypedRecord,
} from '../collection.ts';
import { visitorShape } from './shapes.ts';

const family = { segment: 'visitors', showsDeleted: true, fields: visitorShape } as const;

export type Visitor = TypedRecord<typeof visitorShape>;

export type VisitorQuery = Paging &
  ByWebhook &
  ShowDeleted &
  ByContact & {
    readonly registrationStates?: readonly string[];
    readonly registrationTypes?: readonly string[];
  };

/** Operations on the visitors of one event. */
export function visitorsOf(client: PlatformClient, expoId: string) {
  const { list, read, create, update, remove } = collectionOf(client, expoId, family);
  return {
    /** `GET /visitors/{expoId}`. @throws ApiError */
    list: ({ registrationStates, registrationTypes, ...query }: VisitorQuery = {}, signal?: AbortSignal) =>
      list(
        {
          ...query,
          registrationStates: registrationStates?.join(','),
          registrationTypes: registrationTypes?.join(','),
        },
        signal,
      ),
    /** `GET /visitors/{expoId}/{visitorId}`. @throws ApiError */
    read,
    /** `POST /visitors/{expoId}`. @throws ApiError */
    create: (draft: Draft<typeof visitorShape>, signal?: AbortSignal) => create(draft, {}, signal),
    /** `PUT /visitors/{expoId}/{visitorId}`: the whole visitor. @throws ApiError */
    update,
    /** `DELETE /visitors/{expoId}/{visitorId}`. @throws ApiError */
    remove,
  };
}
