/**
 * Participants, the attendance summaries, named by their visitor (docs/interface/endpoints.md#participants).
 */
import type { PlatformClient } from '../../../../src-main/core/foundations/api/client.ts';
import { type ByWebhook, collectionOf, type Paging, type TypedRecord } from '../collection.ts';
import { participantShape } from '../undocumented/shapes.ts';

const family = { segment: 'participants', idField: 'visitorID', fields: participantShape } as const;

export type Participant = TypedRecord<typeof participantShape>;

/** Operations on the participants of one event. */
export function participantsOf(client: PlatformClient, expoId: string) {
  const { list, read } = collectionOf(client, expoId, family);
  return {
    /** `GET /participants/{expoId}`. @throws ApiError */
    list: (query: Paging & ByWebhook = {}, signal?: AbortSignal) => list(query, signal),
    /** `GET /participants/{expoId}/{visitorId}`. @throws ApiError */
    read,
  };
}
