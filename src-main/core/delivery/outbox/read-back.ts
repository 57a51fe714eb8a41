/**
 * Read-back: searches the platform's actions for our facts (docs/interface/undocumented.md#read-back).
 *
 * Invariants:
 * - A fact counts as found only when an action carries its id. Where the platform hides ids, the action must have the
 *   same badge or visitor, touchpoint, content, activity and time.
 * - One action proves one fact.
 * - Reading changes nothing on the platform.
 */
import type { ApiClient } from '../../foundations/api/client.ts';
import { stepAfter } from '../../foundations/api/cursor.ts';
import { listPage } from '../../foundations/api/endpoints.ts';
import { ApiError } from '../../foundations/api/error-class.ts';
import type { Page, WireRecord } from '../../foundations/api/page.ts';
import { yieldToIo } from '../../foundations/time/loops.ts';
import type { Later } from './delivery-store.ts';
import { createLikenesses, type Wanted } from './likeness.ts';

/** A fact of this device that the platform has. */
export type Seen = { readonly id: string; readonly action: string; readonly revision: bigint };

/**
 * Result of a read-back. `tells`: every action could be compared, so a fact that was not found is not on the platform.
 * `isWhole`: the read-back was not stopped early.
 */
export type Look = {
  readonly found: ReadonlySet<string>;
  readonly tells: boolean;
  readonly isWhole: boolean;
};

const PAGE = 100;

/** The number of facts in ten pages. Each page starts with the last record of the previous one. */
export const READ_BACK_LIMIT = 10 * (PAGE - 1);

/**
 * Searches the platform's actions from `fromRevision` on for `wanted`. Returns the facts it found.
 *
 * @param partner narrows the list to our own partner's actions, if known
 * @param onSeen called page by page, while the next page is being requested
 * @param mayStop called after a page with our facts: true ends the read-back early
 * @throws ApiError
 */
export async function readBack(
  client: ApiClient,
  expoId: string,
  wanted: readonly Wanted[],
  fromRevision: bigint,
  partner: string | null,
  onSeen: (seen: readonly Seen[]) => Later<unknown>,
  mayStop: () => Later<boolean>,
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
  // Confirmation is part of delivery, so it has the same priority over the mirror.
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
    const isWhole = step.done || found.size >= ids.size;
    const isEnd = isWhole || (seen.length > 0 && (await mayStop()));
    if (!isEnd) {
      revision = step.revision;
      coming = pageFrom(revision);
      await yieldToIo(coming);
    }
    await onSeen(seen);
    if (isEnd) return { found, tells, isWhole };
  }
}
