/**
 * Filter and sort order of the list of leads, to and from the URL.
 *
 * Invariant: `viewOf(paramsOf(view))` equals `view`, except that the URL contains neither `filter.ids` nor
 * `filter.byHand`.
 */
import type { LeadFilter, LeadSort } from '../../../src-main/contract/leads.ts';
import { addressOf, currentHash } from './address.ts';

export type LeadView = {
  readonly filter: LeadFilter;
  readonly sort: LeadSort;
  /** The lead whose details are open; null means the first of the list. */
  readonly lead: string | null;
};

const flags = [
  'hot',
  'unrated',
  'unknown',
  'incomplete',
  'undone',
  'byHand',
  'undelivered',
  'parked',
  'again',
] as const;
const texts = ['company', 'consent', 'content', 'answer', 'met', 'staff'] as const;
const times = ['day', 'hour', 'followUpBy'] as const;
const sorts: readonly LeadSort[] = ['latest', 'hot', 'name', 'company'];

/** Whether any filter is set. */
export function isNarrowed(filter: LeadFilter): boolean {
  return Object.values(filter).some((value) => value !== '' && value !== undefined);
}

/** The view that URL parameters describe. */
export function viewOf(params: URLSearchParams): LeadView {
  const filter: LeadFilter = {};
  const search = params.get('q');
  if (search) filter.search = search.slice(0, 200);
  for (const flag of flags) {
    const value = params.get(flag);
    if (value === '1' || value === '0') filter[flag] = value === '1';
  }
  for (const name of texts) {
    const value = params.get(name);
    if (value) filter[name] = value;
  }
  for (const name of times) {
    const value = params.get(name) ?? '';
    // A user may type the address. The device refuses a time in any other format.
    const form = name === 'hour' ? /^\d{4}-\d{2}-\d{2} \d{2}$/ : /^\d{4}-\d{2}-\d{2}$/;
    if (form.test(value)) filter[name] = value;
  }
  const rating = (name: string): number | undefined => {
    const value = Number(params.get(name));
    return Number.isInteger(value) && value >= 1 && value <= 5 ? value : undefined;
  };
  const atLeast = rating('rating');
  if (atLeast !== undefined) filter.ratingAtLeast = atLeast;
  const stars = rating('stars');
  if (stars !== undefined) filter.rating = stars;
  const labels = params.getAll('label');
  if (labels.length > 0) filter.labels = labels;
  const sort = sorts.find((name) => name === params.get('sort')) ?? 'latest';
  return { filter, sort, lead: params.get('lead') };
}

/** The view in the URL. */
export function currentView(): LeadView {
  return viewOf(new URLSearchParams(currentHash().split('?')[1] ?? ''));
}

/** The URL parameters of a view. */
export function paramsOf({ filter, sort, lead }: LeadView): URLSearchParams {
  const params = new URLSearchParams();
  if (filter.search) params.set('q', filter.search);
  for (const flag of flags) if (filter[flag] !== undefined) params.set(flag, filter[flag] ? '1' : '0');
  for (const name of [...texts, ...times]) {
    const value = filter[name];
    if (value) params.set(name, value);
  }
  if (filter.ratingAtLeast) params.set('rating', String(filter.ratingAtLeast));
  if (filter.rating) params.set('stars', String(filter.rating));
  for (const label of filter.labels ?? []) params.append('label', label);
  if (sort !== 'latest') params.set('sort', sort);
  if (lead !== null) params.set('lead', lead);
  return params;
}

/** The URL hash of the list with this filter. */
export function listOf(filter: LeadFilter): string {
  return addressOf('leads', paramsOf({ filter, sort: 'latest', lead: null }));
}
