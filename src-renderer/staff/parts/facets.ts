/**
 * What the list can be narrowed to, with how many people each choice leaves: of all, or of what is narrowed to already.
 *
 * Invariant: while somebody types nothing is counted, so that the search answers first.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { LeadFacets, LeadFilter } from '../../../src-main/contract/leads.ts';
import type { Link } from '../../link/link.ts';
import { staffTimes } from '../../times.ts';
import { isNarrowed } from '../address/lead-view.ts';

/** Counted among all leads; undefined until they are known. */
export function useAllFacets(link: Link): LeadFacets | undefined {
  return useFacetsOf(link, {}, true) ?? undefined;
}

/** Counted among what `filter` and the search leave; `ofAll`: these are too many, so the numbers are of all leads. */
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

/** What was typed once nothing more came for a moment. */
export function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), staffTimes.typed);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
