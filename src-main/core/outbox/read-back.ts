/**
 * Read-back: looking for our facts among the platform's actions (api-silences, "Read-back").
 *
 * Invariant: a fact counts as seen only when an action carries its id; reading changes nothing on the platform.
 */
import type { ApiClient } from '../api/client.ts';
import { listPage } from '../api/endpoints.ts';
import { ApiError } from '../api/verdict.ts';
import { stepAfter } from '../sync/cursor.ts';

/** A fact of ours that the platform shows. */
export type Seen = { readonly id: string; readonly action: string; readonly revision: bigint };

const PAGE = 100;

/** So many facts are found in ten pages: each page begins with the record the one before ended with. */
export const READ_BACK_LIMIT = 10 * (PAGE - 1);

/**
 * Which of `ids` the platform's actions carry, from `fromRevision` on.
 *
 * @param partner narrows the list to our own partner's actions where we know it
 * @throws ApiError
 */
export const readBack = async (
  client: ApiClient,
  expoId: string,
  ids: ReadonlySet<string>,
  fromRevision: bigint,
  partner: string | null,
  signal: AbortSignal,
): Promise<readonly Seen[]> => {
  const seen = new Map<string, Seen>();
  // Proof is part of delivery: it goes before the mirror, as what it proves did.
  const urgent: ApiClient = { ...client, get: (path, query, end) => client.get(path, query, end, 'upload') };
  let revision = fromRevision;
  for (;;) {
    const page = await listPage(
      urgent,
      expoId,
      {
        path: 'actions',
        idField: 'id',
        fromRevision: revision,
        limit: PAGE,
        showsDeleted: false,
        ...(partner === null ? {} : { filter: { partnerId: partner } }),
      },
      signal,
    );
    if (page.kind === 'malformed') throw new ApiError({ kind: 'retry', reached: 'no' }, page.reason);
    for (const { id: action, revision: at, body } of page.records) {
      const { clientID } = body;
      if (typeof clientID === 'string' && ids.has(clientID))
        seen.set(clientID, { id: clientID, action, revision: at });
    }
    if (seen.size >= ids.size) return [...seen.values()];
    const step = stepAfter(
      revision,
      page.records.map((record) => record.revision),
      page.length,
      PAGE,
    );
    if (step.done) return [...seen.values()];
    revision = step.revision;
  }
};
