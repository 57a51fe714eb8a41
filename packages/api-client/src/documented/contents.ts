/**
 * Contents: the profile of a partner and its products (docs/interface/resources.md#content and
 * docs/interface/endpoints.md#rule-1).
 */
import type { PlatformClient } from '../../../../src-main/core/foundations/api/client.ts';
import { text, word } from '../../../../src-main/core/foundations/api/fields.ts';
import { type ByWebhook, collectionOf, type Draft, type Paging, type TypedRecord } from '../collection.ts';
import { contentDetailShape } from '../undocumented/shapes.ts';

const contentShape = {
  expoID: text,
  partnerID: text,
  category: word('partner', 'product'),
  name: text,
  summary: text,
  source: word('internal', 'link'),
  ...contentDetailShape,
} as const;

const family = { segment: 'contents', fields: contentShape } as const;

export type Content = TypedRecord<typeof contentShape>;

/** Operations on the contents of one event. */
export function contentsOf(client: PlatformClient, expoId: string) {
  const { list, read, create, update, remove } = collectionOf(client, expoId, family);
  return {
    /** `GET /contents/{expoId}`. @throws ApiError */
    list: (query: Paging & ByWebhook & { readonly partnerId?: string } = {}, signal?: AbortSignal) =>
      list(query, signal),
    /** `GET /contents/{expoId}/{contentId}` with its additional properties. @throws ApiError */
    read,
    /**
     * `POST /contents/{expoId}`: a product. `partnerId` stands in where the body has no `partnerID`; one of the two
     * is required. @throws ApiError
     */
    create: (draft: Draft<typeof contentShape>, partnerId?: string, signal?: AbortSignal) =>
      create(draft, { partnerId }, signal),
    /** `PUT /contents/{expoId}/{contentId}`. @throws ApiError */
    update,
    /** `DELETE /contents/{expoId}/{contentId}`: products only. @throws ApiError */
    remove,
  };
}
