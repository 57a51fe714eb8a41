/**
 * Leads by their place in the list, fetched in pages as they come into view.
 *
 * Invariants: only pages in view are asked for; while a page is on its way its lines are there but empty; what
 * changed on the device is fetched again at most once a second.
 */
import { keepPreviousData, useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Lead, LeadPage } from '../../src-main/contract/lead.ts';
import type { Link } from '../link/link.ts';
import { staffTimes } from '../times.ts';

const pageSize = 100;

export type Leads = {
  /** All that match; null before the first answer. */
  readonly total: number | null;
  readonly at: (index: number) => Lead | null;
  readonly failed: boolean;
};

/** The leads that match `search`, with the lines `first` to `last` in view. `change` moves when the device's did. */
export function useLeads(
  link: Link,
  search: string,
  view: { first: number; last: number },
  change: string,
): Leads {
  const wanted = pagesOf(view);
  const answers = useQueries({
    queries: wanted.map((page) => ({
      queryKey: ['leads', search, page],
      queryFn: (): Promise<LeadPage> =>
        link.call((client, signal) =>
          client.leads.list({ search, offset: page * pageSize, limit: pageSize }, { signal }),
        ),
      placeholderData: page === 0 ? keepPreviousData : undefined,
      retry: true,
      retryDelay: staffTimes.retry,
    })),
  });
  useRefresh(change);

  const byPage = new Map(wanted.map((page, index) => [page, answers[index]?.data]));
  const known = answers.find(({ data }) => data)?.data?.total;
  const lastTotal = useRef<{ search: string; total: number } | null>(null);
  if (known !== undefined) lastTotal.current = { search, total: known };
  return {
    total: known ?? (lastTotal.current?.search === search ? lastTotal.current.total : null),
    at: (index) => byPage.get(Math.floor(index / pageSize))?.leads[index % pageSize] ?? null,
    failed: answers.some(({ failureCount, data }) => failureCount > 0 && !data),
  };
}

function pagesOf({ first, last }: { first: number; last: number }): readonly number[] {
  const from = Math.floor(first / pageSize);
  const to = Math.floor(Math.max(last, first) / pageSize);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function useRefresh(change: string): void {
  const queries = useQueryClient();
  const seen = useRef(change);
  useEffect(() => {
    if (seen.current === change) return;
    const timer = setTimeout(() => {
      seen.current = change;
      void queries.invalidateQueries({ queryKey: ['leads'] });
    }, staffTimes.refresh);
    return () => clearTimeout(timer);
  }, [change, queries]);
}
