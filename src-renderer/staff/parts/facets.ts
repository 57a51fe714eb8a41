/**
 * The filters of the list, with the number of people who match each, among all leads or among those of the current
 * search and filters.
 *
 * Invariant: nothing is counted while the user types, so that the search answers first.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { LeadFacets, LeadFilter } from '../../../src-main/contract/leads.ts';
import type { Link } from '../../link/link.ts';
import { staffTimes } from '../../times.ts';
import { isNarrowed } from '../address/lead-view.ts';

/** Counts over all leads; undefined until known. */
export function useAllFacets(link: Link): LeadFacets | undefined {
  return useFacetsOf(link, {}, true) ?? undefined;
}

/** Counts of the leads that match `filter` and the search; `ofAll`: too many match, so the counts are over all leads. */
export function useFacets(
  link: Link,
  filter: LeadFilter,
  search: string,
): { readonly facets: LeadFacets | undefined; readonly ofAll: boolean } {
  const both = search === '' ? filter : { ...filter, search };
  const narrowed = isNarrowed(both);
  const all = useAllFacets(link);
  const own = useFacetsOf(link, both, narrowed);
  return narrowed ? { facets: own ?? all, ofAll: own === null } : { facets: all, ofAll: false };
}

function useFacetsOf(link: Link, filter: LeadFilter, wanted: boolean): LeadFacets | null | undefined {
  return useQuery({
    queryKey: ['lead-facets', filter],
    queryFn: () => link.call((client, signal) => client.leads.facets({ filter }, { signal })),
    enabled: wanted,
    placeholderData: keepPreviousData,
  }).data;
}

/** The typed text, after typing has paused. */
export function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), staffTimes.typed);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
