/**
 * Events (docs/interface/resources.md#expo and docs/interface/endpoints.md#expos).
 */

import type { PlatformClient } from '../../../../src-main/core/foundations/api/client.ts';
import { instant, text } from '../../../../src-main/core/foundations/api/fields.ts';
import { pathOf } from '../../../../src-main/core/foundations/api/path.ts';
import { callForRecord, type ListPage, listPageOf, type Paging, type TypedRecord } from '../collection.ts';
import { expoDetailShape } from '../undocumented/shapes.ts';

const MOST = 100;

const expoShape = {
  name: text,
  description: text,
  contactEmail: text,
  start: instant,
  end: instant,
  timezone: text,
  reference: text,
  ...expoDetailShape,
} as const;

export type Expo = TypedRecord<typeof expoShape>;

/** Operations on events. */
export function exposOf(client: PlatformClient) {
  return {
    /** `GET /expos`: the events in the key's scope. `reference`: exact, case-sensitive, not unique. @throws ApiError */
    list: async (
      { fromRevision = 0n, limit = MOST, ...filter }: Paging & { readonly reference?: string } = {},
      signal?: AbortSignal,
    ): Promise<ListPage<typeof expoShape>> => {
      const query = { ...filter, fromRevision, limit };
      return listPageOf(await client.call({ method: 'GET', path: '/expos', query, signal }), 'id', expoShape);
    },
    /** `GET /expos/{expoId}`: the detailed form. @throws ApiError */
    read: async (expoId: string, signal?: AbortSignal): Promise<Expo> =>
      callForRecord(client, { method: 'GET', path: pathOf`/expos/${expoId}`, signal }, 'id', expoShape),
  };
}
