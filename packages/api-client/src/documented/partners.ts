/**
 * Partners, the exhibiting companies of one event (docs/interface/endpoints.md#partners).
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
import { partnerShape } from '../undocumented/shapes.ts';

const family = { segment: 'partners', showsDeleted: true, fields: partnerShape } as const;

export type Partner = TypedRecord<typeof partnerShape>;

export type PartnerQuery = Paging &
  ByWebhook &
  ShowDeleted &
  ByContact & {
    readonly registrationType?: readonly string[];
  };

/** Operations on the partners of one event. */
export function partnersOf(client: PlatformClient, expoId: string) {
  const { list, read, create, update, remove } = collectionOf(client, expoId, family);
  return {
    /** `GET /partners/{expoId}`. @throws ApiError */
    list: ({ registrationType, ...query }: PartnerQuery = {}, signal?: AbortSignal) =>
      list({ ...query, registrationType: registrationType?.join(',') }, signal),
    /** `GET /partners/{expoId}/{partnerId}`: the detailed form. @throws ApiError */
    read,
    /** `POST /partners/{expoId}`; a partner registration type is mandatory. @throws ApiError */
    create: (draft: Draft<typeof partnerShape>, signal?: AbortSignal) => create(draft, {}, signal),
    /** `PUT /partners/{expoId}/{partnerId}`: the whole detailed partner. @throws ApiError */
    update,
    /** `DELETE /partners/{expoId}/{partnerId}`; answers a sentence. @throws ApiError */
    remove,
  };
}
