/**
 * The current place on the staff pages as a URL hash: a section and its filters. Back works, and a view can be
 * bookmarked.
 *
 * Invariants:
 * - A hash that names no section is the visitor's display.
 * - Invalid parameters are dropped.
 * - The only personal data in it is the search text of a user.
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

/** The address of a section. */
export function addressOf(section: Section, params: URLSearchParams = new URLSearchParams()): string {
  const query = params.toString();
  return `${section === 'leads' ? root : `${root}/${section}`}${query === '' ? '' : `?${query}`}`;
}

/** Navigates to a place; `keep` adds a history entry that Back returns from. */
export function goTo(address: string, keep = true): void {
  if (keep) {
    window.location.hash = address;
    return;
  }
  window.history.replaceState(null, '', address);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

/** The current place, updated on every change. */
export function useAddress(): Address | null {
  const hash = useSyncExternalStore(onAddress, () => window.location.hash);
  return useMemo(() => addressAt(hash), [hash]);
}

function onAddress(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}
