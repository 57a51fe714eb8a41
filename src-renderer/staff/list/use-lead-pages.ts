/**
 * Leads by their place in the list, fetched in pages as they come into view.
 *
 * Invariants: only pages in view are asked for; while a page is on its way its lines are there but empty, and what was
 * there before stays until the new answer has come; what changed on the device is asked for again at most once a second.
 */
import { keepPreviousData, useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { LeadLine, LeadListPage } from '../../../src-main/contract/leads.ts';
import type { Link } from '../../link/link.ts';
import { staffTimes } from '../../times.ts';
import type { LeadView } from '../address/lead-view.ts';

const pageSize = 100;

export type InView = { readonly first: number; readonly last: number };

export type LeadPages = {
  /** Of all that match; null before the first answer. */
  readonly counts: LeadListPage['counts'] | null;
  /** False while the device is still reading its leads after a start. */
  readonly ready: boolean;
  readonly at: (index: number) => LeadLine | null;
  /** Where a lead stands, among the lines in view; -1 where it is not among them. */
  readonly indexOf: (id: string) => number;
  /** Every line that is here, in the order of the list. */
  readonly loaded: () => readonly { readonly index: number; readonly lead: LeadLine }[];
  readonly failed: boolean;
};

/** The leads of `view`, with the lines `first` to `last` in view. */
export function useLeadPages(link: Link, { filter, sort }: LeadView, inView: InView): LeadPages {
  const wanted = pagesOf(inView);
  const answers = useQueries({
    queries: wanted.map((page) => ({
      queryKey: ['leads', filter, sort, page],
      queryFn: (): Promise<LeadListPage> =>
        link.call((client, signal) =>
          client.leads.page(
            { filter, sort, from: { position: page * pageSize }, limit: pageSize },
            { signal },
          ),
        ),
      placeholderData: page === 0 ? keepPreviousData : undefined,
      retry: true,
      retryDelay: staffTimes.retry,
    })),
  });
  const byPage = new Map(wanted.map((page, index) => [page, answers[index]?.data?.leads ?? []]));
  const known = answers.find(({ data }) => data)?.data;
  const latest = useRef<LeadListPage['counts'] | null>(null);
  if (known) latest.current = known.counts;
  return {
    counts: latest.current,
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
    failed: answers.some(({ failureCount, data }) => failureCount > 0 && !data),
  };
}

function pagesOf({ first, last }: InView): readonly number[] {
  const from = Math.floor(first / pageSize);
  const to = Math.floor(Math.max(last, first) / pageSize);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** Asks again for everything about leads when the device says that something changed. */
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
