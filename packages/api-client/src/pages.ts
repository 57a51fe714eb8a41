/**
 * All pages of a list, one after the other.
 *
 * Invariants: pages are asked for with an inclusive revision, so no record between two pages is missed; a record is
 * given again only when it changed meanwhile; the end is a page that brings nothing higher, not a short page.
 * Source: docs/interface/lists.md#paging.
 */

import { stepAfter } from '../../../src-main/core/foundations/api/cursor.ts';
import type { Readers } from '../../../src-main/core/foundations/api/fields.ts';
import type { ListPage, Paging, TypedRecord } from './collection.ts';

/**
 * Walks a list from `fromRevision` to its end. `limit` is the most that list gives per request.
 *
 *     for await (const page of everyPage((paging) => event.visitors.list(paging), { limit: 100 })) …
 *
 * @throws ApiError as the list does
 */
export async function* everyPage<S extends Readers>(
  list: (paging: Required<Paging>) => Promise<ListPage<S>>,
  { fromRevision = 0n, limit }: Paging & { readonly limit: number },
): AsyncGenerator<readonly TypedRecord<S>[], void, undefined> {
  let revision = fromRevision;
  let atEdge = new Set<string>();
  for (;;) {
    const { records, length } = await list({ fromRevision: revision, limit });
    const fresh = records.filter((record) => record.revision !== revision || !atEdge.has(record.id));
    if (fresh.length > 0) yield fresh;
    const step = stepAfter(
      revision,
      records.map((record) => record.revision),
      length,
      limit,
    );
    if (step.done) return;
    const edge = records.filter((record) => record.revision === step.revision).map((record) => record.id);
    atEdge = new Set(edge);
    revision = step.revision;
  }
}
