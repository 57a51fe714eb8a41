/**
 * Read-back: looking for our facts among the platform's actions (docs/interface/undocumented.md#read-back).
 *
 * Invariants: a fact counts as seen only when an action carries its id or, where the platform hides which fact an action
 * came from, when an action is of the same badge or visitor, touchpoint, content and moment; one action proves one fact;
 * reading changes nothing on the platform.
 */
import type { ApiClient } from '../../foundations/api/client.ts';
import { stepAfter } from '../../foundations/api/cursor.ts';
import { listPage } from '../../foundations/api/endpoints.ts';
import { ApiError } from '../../foundations/api/error-class.ts';
import type { Page, WireRecord } from '../../foundations/api/page.ts';
import { yieldToIo } from '../../foundations/time/loops.ts';
import type { Later } from './delivery-store.ts';
import { createLikenesses, type Wanted } from './likeness.ts';

/** A fact of ours that the platform shows. */
export type Seen = { readonly id: string; readonly action: string; readonly revision: bigint };

/** What a look found. `tells`: each action said enough to tell which fact it came from, so what was not found is not there. */
export type Look = { readonly found: ReadonlySet<string>; readonly tells: boolean };

const PAGE = 100;

/** So many facts are found in ten pages: each page begins with the record the one before ended with. */
export const READ_BACK_LIMIT = 10 * (PAGE - 1);

/**
 * Looks for `wanted` among the platform's actions from `fromRevision` on; answers which of them are there.
 *
 * @param partner narrows the list to our own partner's actions where we know it
 * @param onSeen called page by page, while the next page is on its way
 * @throws ApiError
 */
export async function readBack(
  client: ApiClient,
  expoId: string,
  wanted: readonly Wanted[],
  fromRevision: bigint,
  partner: string | null,
  onSeen: (seen: readonly Seen[]) => Later<unknown>,
  signal: AbortSignal,
): Promise<Look> {
  const ids = new Set(wanted.map(({ id }) => id));
  const likenesses = createLikenesses(wanted);
  const found = new Set<string>();
  let tells = true;
  const factOf = ({ id: action, body }: WireRecord): string | null => {
    if (typeof body.clientID === 'string') return ids.has(body.clientID) ? body.clientID : null;
    const like = likenesses.factLike(action, body);
    if (like === 'cannotTell') tells = false;
    return like === 'cannotTell' ? null : like;
  };
  // Proof is part of delivery: it goes before the mirror, as what it proves did.
  const urgent: ApiClient = { ...client, get: (path, query, end) => client.get(path, query, end, 'upload') };
  const request = { path: 'actions', idField: 'id', limit: PAGE, showsDeleted: false };
  const filter = partner === null ? {} : { partnerId: partner };
  const pageFrom = (revision: bigint): Promise<Page> =>
    listPage(urgent, expoId, { ...request, fromRevision: revision, filter }, signal);
  let revision = fromRevision;
  let coming = pageFrom(revision);
  for (;;) {
    const page = await coming;
    if (page.kind === 'malformed') throw new ApiError({ kind: 'retry', reached: 'no' }, page.reason);
    const seen = page.records.flatMap((record): readonly Seen[] => {
      const id = factOf(record);
      return id === null ? [] : [{ id, action: record.id, revision: record.revision }];
    });
    for (const { id } of seen) found.add(id);
    const revisions = page.records.map((record) => record.revision);
    const step = stepAfter(revision, revisions, page.length, PAGE);
    const isEnd = step.done || found.size >= ids.size;
    if (!isEnd) {
      revision = step.revision;
      coming = pageFrom(revision);
      await yieldToIo(coming);
    }
    await onSeen(seen);
    if (isEnd) return { found, tells };
  }
}
