/**
 * The current place on the staff pages as a URL hash: a section and its filters. The browser's Back works, and a view
 * can be bookmarked.
 *
 * Invariants:
 * - A hash that names no section is the visitor's display.
 * - Invalid parameters are dropped.
 * - The hash contains no data of a visitor except the search text, the company of a filter, and the id of a lead.
 * - On a team phone the place is in memory (`data-place` of the document), because a browser keeps a history of
 *   addresses. There, Back goes from a lead to the list.
 */
import { useMemo, useSyncExternalStore } from 'react';

export const sections = [
  ...([
    'leads',
    'worklist',
    'numbers',
    'companies',
    'delivery',
    'crm',
    'handover',
    'sheet',
    'team',
    'health',
    'setup',
    'about',
  ] as const),
] as const;

export type Section = (typeof sections)[number];

export type Address = { readonly section: Section; readonly params: URLSearchParams };

const root = '#/staff';

/** The place at `hash`, or null for the display. */
export function addressAt(hash: string): Address | null {
  const [path = '', query = ''] = hash.split('?');
  const params = new URLSearchParams(query);
  if (path === root) return { section: 'leads', params };
  const section = sections.find((name) => path === `${root}/${name}`);
  return section ? { section, params } : null;
}

/** The URL hash of a section. */
export function addressOf(section: Section, params: URLSearchParams = new URLSearchParams()): string {
  const query = params.toString();
  return `${section === 'leads' ? root : `${root}/${section}`}${query === '' ? '' : `?${query}`}`;
}

/** The hash of the current place. */
export function currentHash(): string {
  return document.documentElement.dataset.place ?? window.location.hash;
}

/** Keeps the place of this page in memory. Links between staff pages then change only this place. */
export function keepPlaceInMemory(page: Window): void {
  page.document.documentElement.dataset.place = root;
  page.addEventListener('popstate', () => goTo(currentHash().split('?')[0] ?? root));
  page.document.addEventListener(
    'click',
    (event) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      const address = link?.getAttribute('href') ?? '';
      if (!address.startsWith(root)) return;
      event.preventDefault();
      goTo(address);
    },
    { capture: true },
  );
}

/** Navigates to a place; `keep` adds a history entry, so that Back returns. */
export function goTo(address: string, keep = true): void {
  const { dataset } = document.documentElement;
  if (dataset.place !== undefined) {
    const isLead = (place: string) => new URLSearchParams(place.split('?')[1]).has('lead');
    if (isLead(address) && !isLead(dataset.place)) window.history.pushState(null, '');
    dataset.place = address;
    window.dispatchEvent(new HashChangeEvent('hashchange'));
    return;
  }
  if (keep) {
    window.location.hash = address;
    return;
  }
  window.history.replaceState(null, '', address);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

/** The current place, updated on every change. */
export function useAddress(): Address | null {
  const hash = useSyncExternalStore(onAddress, currentHash);
  return useMemo(() => addressAt(hash), [hash]);
}

function onAddress(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}
