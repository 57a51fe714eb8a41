/**
 * Leads by their place in the list, fetched in pages as they become visible.
 *
 * Invariants:
 * - Visible pages are requested first. When they are loaded and typing pauses, the following pages are prefetched.
 * - While a page loads, its lines exist but are empty. The previous content stays until the answer arrives.
 * - A change on the device triggers at most one refresh a second.
 */
import { type UseQueryResult, useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { LeadLine, LeadListPage } from '../../../src-main/contract/leads.ts';
import type { Link } from '../../link/link.ts';
import { staffTimes } from '../../times.ts';
import type { LeadView } from '../address/lead-view.ts';
import { useSettled } from '../parts/facets.ts';

/** The number of lines on a large screen. More would only delay the first of them. */
const pageSize = 25;

/** Number of pages prefetched after the visible ones, for scrolling and printing. */
const pagesAhead = 3;

export type InView = { readonly first: number; readonly last: number };

export type LeadPages = {
  /** Number of all matches; null before the first answer. */
  readonly counts: LeadListPage['counts'] | null;
  /** False while the device is still reading its leads after a start. */
  readonly ready: boolean;
  readonly at: (index: number) => LeadLine | null;
  /** The index of a lead among the visible lines; -1 if it is not among them. */
  readonly indexOf: (id: string) => number;
  /** Every loaded line, in list order. */
  readonly loaded: () => readonly { readonly index: number; readonly lead: LeadLine }[];
  readonly failed: boolean;
};

/** The leads of `view`. `first` to `last`: the visible lines. */
export function useLeadPages(link: Link, { filter, sort }: LeadView, inView: InView): LeadPages {
  const queries = useQueryClient();
  const wanted = pagesOf(inView).map((page) => pageQuery(link, { filter, sort }, page));
  const known = wanted.map(({ queryKey }) => queries.getQueryData<LeadListPage>(queryKey));
  const first = wanted[0]?.page ?? 0;
  const listed = JSON.stringify([filter, sort]);
  const isCalm = useSettled(listed) === listed;
  const people = isCalm && known.every(Boolean) ? (known[0]?.counts.people ?? 0) : 0;
  const ahead = pagesAfter(first + wanted.length, people).map((page) =>
    pageQuery(link, { filter, sort }, page),
  );
  const missing = ahead.findIndex(({ queryKey }) => queries.getQueryData(queryKey) === undefined);
  const [combine] = useState(createCombine);
  const { answers, failed } = useQueries({
    queries: [...wanted, ...(missing < 0 ? ahead : ahead.slice(0, missing + 1))],
    combine,
  })();
  const latest = useRef<Shown>({ answers, first });
  const isNew = answers !== latest.current.answers || first !== latest.current.first;
  if (isNew && answers.some(Boolean)) latest.current = { answers, first };
  const shown = latest.current;
  return useMemo(() => linesOf(shown, failed), [shown, failed]);
}

/** Requests the first lines of a view at once. Resolves when there is something to show. */
export function useAskAhead(link: Link): (view: LeadView) => Promise<void> {
  const queries = useQueryClient();
  return useCallback(
    async (view) => {
      const first = pageQuery(link, view, 0);
      const asked = queries.prefetchQuery(first);
      if (queries.getQueryData(first.queryKey) === undefined) await asked;
    },
    [link, queries],
  );
}

function pageQuery(link: Link, { filter, sort }: Pick<LeadView, 'filter' | 'sort'>, page: number) {
  return {
    page,
    queryKey: ['leads', filter, sort, page],
    queryFn: (): Promise<LeadListPage> =>
      link.call((client, signal) =>
        client.leads.page({ filter, sort, from: { position: page * pageSize }, limit: pageSize }, { signal }),
      ),
    retry: true,
    retryDelay: staffTimes.retry,
    // The list reuses pages that were requested in advance.
    staleTime: staffTimes.refresh,
  };
}

type Answers = readonly (LeadListPage | undefined)[];

/** Answers for consecutive pages, starting at page number `first`. */
type Shown = { readonly answers: Answers; readonly first: number };

type Combined = { readonly answers: Answers; readonly failed: boolean };

/**
 * Joins answers and keeps the identity of unchanged results. A function, because React Query compares two plain
 * values deeply on every update.
 */
function createCombine(): (found: readonly UseQueryResult<LeadListPage>[]) => () => Combined {
  let latest: Combined = { answers: [], failed: false };
  let combined = () => latest;
  return (found) => {
    const answers = found.map(({ data }) => data);
    const failed = found.some(({ failureCount, data }) => failureCount > 0 && !data);
    const before = latest.answers;
    const isSame = answers.length === before.length && answers.every((one, nth) => one === before[nth]);
    if (isSame && failed === latest.failed) return combined;
    const now = { answers: isSame ? before : answers, failed };
    latest = now;
    combined = () => now;
    return combined;
  };
}

function linesOf({ answers, first }: Shown, failed: boolean): LeadPages {
  const byPage = new Map(answers.map((answer, nth) => [first + nth, answer?.leads ?? []]));
  const known = answers.find(Boolean);
  return {
    counts: known?.counts ?? null,
    ready: known?.ready ?? true,
    at: (index) => byPage.get(Math.floor(index / pageSize))?.[index % pageSize] ?? null,
    indexOf: (id) => {
      for (const [page, leads] of byPage) {
        const found = leads.findIndex((lead) => lead.id === id);
        if (found >= 0) return page * pageSize + found;
      }
      return -1;
    },
    loaded: () =>
      [...byPage].flatMap(([page, leads]) =>
        leads.map((lead, index) => ({ index: page * pageSize + index, lead })),
      ),
    failed,
  };
}

function pagesOf({ first, last }: InView): readonly number[] {
  const from = Math.floor(first / pageSize);
  const to = Math.floor(Math.max(last, first) / pageSize);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** The pages from `page` on that are prefetched, for a list of this length. */
function pagesAfter(page: number, people: number): readonly number[] {
  return Array.from({ length: pagesAhead }, (_, index) => page + index).filter(
    (one) => one * pageSize < people,
  );
}

/** Refreshes every query about leads when the device reports a change. */
export function useLeadChanges(link: Link): void {
  const queries = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      timer = undefined;
      for (const key of ['leads', 'lead', 'lead-facets', 'lead-numbers', 'worklist', 'lead-words', 'parked'])
        void queries.invalidateQueries({ queryKey: [key] });
    };
    const stop = link.follow(
      (client, signal) => client.leads.watch(undefined, { signal }),
      () => {
        timer ??= setTimeout(refresh, staffTimes.refresh);
      },
    );
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [link, queries]);
}
