/**
 * Registration types of the organisation and of the event, in one answer
 * (docs/interface/endpoints.md#registration-types).
 */
import type { PlatformClient } from '../../../../src-main/core/foundations/api/client.ts';
import { pathOf } from '../../../../src-main/core/foundations/api/path.ts';
import { type ListPage, listPageOf } from '../collection.ts';
import { registrationTypeShape } from '../undocumented/shapes.ts';

/** Operations on the registration types an event can use. */
export function registrationTypesOf(client: PlatformClient, expoId: string) {
  return {
    /** `GET /registrationTypes/{expoId}`: all of them, without paging. @throws ApiError */
    list: async (signal?: AbortSignal): Promise<ListPage<typeof registrationTypeShape>> => {
      const path = pathOf`/registrationTypes/${expoId}`;
      return listPageOf(await client.call({ method: 'GET', path, signal }), 'id', registrationTypeShape);
    },
  };
}
