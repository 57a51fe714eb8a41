/**
 * Where the next page starts. Pure.
 *
 * Invariants: the cursor is inclusive (`fromRevision` is "equal to or higher"), so equal revisions across a page
 * edge are read again rather than stepped over; a pass ends when a page brings no higher revision; a run of equal
 * revisions longer than a page cannot be walked by any client, so it is stepped over and reported.
 * Source: docs/interface/lists.md#paging and docs/interface/lists.md#from-revision.
 */

/** Where a page leads next. */
export type Step = {
  /** Where the next request starts. */
  readonly revision: bigint;
  /** Whether this page ended the pass. */
  readonly done: boolean;
  /** A full page of one revision: records beyond it cannot be asked for. */
  readonly tieTooLong: boolean;
};

/** The step after a page that was asked from `from` with `limit`. `revisions` in any order; `length` as received. */
export function stepAfter(from: bigint, revisions: readonly bigint[], length: number, limit: number): Step {
  const highest = revisions.reduce((top, revision) => (revision > top ? revision : top), from);
  if (highest > from) return { revision: highest, done: false, tieTooLong: false };
  if (length >= limit && limit > 1) return { revision: from + 1n, done: false, tieTooLong: true };
  return { revision: from, done: true, tieTooLong: false };
}
