/**
 * Computes where the next page starts. Pure.
 *
 * Invariants:
 * - The cursor is inclusive (`fromRevision` is "equal to or higher"), so equal revisions across a page edge are read
 *   again rather than skipped.
 * - A pass ends when a page has no higher revision.
 * - If more records than fit in a page share a revision, no client can page through them. They are skipped and
 *   reported.
 * - A platform or a cache that ignores `fromRevision` never leads to another page (`faultOf`).
 *
 * Source: docs/interface/lists.md#paging and docs/interface/lists.md#from-revision.
 */

/** The result of a page. */
export type Step = {
  /** Where the next request starts. */
  readonly revision: bigint;
  /** Whether this page ended the pass. */
  readonly done: boolean;
  /** A full page of one revision: the API offers no way to read the other records of that revision. */
  readonly tieTooLong: boolean;
};

/** The step after a page requested from `from` with `limit`. `revisions` in any order. `length` as received. */
export function stepAfter(from: bigint, revisions: readonly bigint[], length: number, limit: number): Step {
  const highest = revisions.reduce((top, revision) => (revision > top ? revision : top), from);
  if (highest > from) return { revision: highest, done: false, tieTooLong: false };
  if (length >= limit && limit > 1) return { revision: from + 1n, done: false, tieTooLong: true };
  return { revision: from, done: true, tieTooLong: false };
}

/**
 * The reason why a page cannot be an answer to `from` and `limit`, or null. The caller requests no page after such a
 * page, because the records would repeat.
 */
export function faultOf(
  from: bigint,
  revisions: readonly bigint[],
  length: number,
  limit: number,
): string | null {
  if (revisions.some((revision) => revision < from))
    return 'the answer holds records below the requested revision';
  const isStuck = length >= limit && revisions.length < length && revisions.every((one) => one === from);
  return isStuck ? 'a full answer holds no revision to continue from' : null;
}
