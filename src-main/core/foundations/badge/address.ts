/**
 * Reads the badge id in a web address. Pure; never throws, never opens anything.
 *
 * Invariants:
 * - An address is an identifier, not a credential and not a page to open.
 * - The host is checked before an id is read.
 */
import type { BadgeProfile } from './profile.ts';

/** Result of reading an address. */
type AddressReading =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'content'; readonly contentId: string }
  | { readonly kind: 'refused'; readonly reason: 'address' | 'foreignHost' | 'noId' };

/** Query parameters with a badge's id, in the order of preference. */
const idParameters: readonly string[] = ['badge', 'badgeid', 'badge_id', 'id', 'code', 'uid', 'b'];

/** Whether the text is a web address. Other text with a colon may be a badge code. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/**
 * Reads an `http` or `https` address. It looks first for content of the event's own pages, then for the id in the
 * query, then in the last part of the path.
 */
export function readAddress(text: string, profile: BadgeProfile): AddressReading {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !isWebAddress(text) || url.username !== '' || url.password !== '')
    return { kind: 'refused', reason: 'address' };
  const contentId = contentIdOf(url, profile.discoverUrl);
  if (contentId !== null) return { kind: 'content', contentId };
  if (!isHostAllowed(url.hostname, profile.hosts)) return { kind: 'refused', reason: 'foreignHost' };
  const id = idInQuery(url) ?? lastSegment(url);
  return id === null ? { kind: 'refused', reason: 'noId' } : { kind: 'id', id };
}

function isHostAllowed(host: string, hosts: readonly string[]): boolean {
  return hosts.length === 0 || hosts.some((allowed) => host === allowed || host.endsWith(`.${allowed}`));
}

/** `{discoverUrl}/c/<id>` on the same host, with http or https (docs/interface/resources.md#content). */
function contentIdOf(url: URL, discoverUrl: string | null): string | null {
  if (discoverUrl === null || !URL.canParse(discoverUrl)) return null;
  const base = new URL(discoverUrl);
  const prefix = `${base.pathname.replace(/\/+$/, '')}/c/`;
  if (url.host !== base.host || !url.pathname.startsWith(prefix)) return null;
  return decoded(url.pathname.slice(prefix.length).split('/')[0] ?? '');
}

function idInQuery(url: URL): string | null {
  const values = [...url.searchParams].map(([name, value]) => [name.toLowerCase(), value.trim()] as const);
  for (const name of idParameters) {
    const value = values.find(([key]) => key === name)?.[1];
    if (value !== undefined && value !== '') return value;
  }
  return null;
}

function lastSegment(url: URL): string | null {
  return decoded(
    url.pathname
      .split('/')
      .filter((part) => part !== '')
      .at(-1) ?? '',
  );
}

function decoded(part: string): string | null {
  try {
    const text = decodeURIComponent(part).trim();
    return text === '' ? null : text;
  } catch {
    // A `%` without two hex digits makes the part invalid.
    return null;
  }
}
