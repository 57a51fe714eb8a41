/**
 * Where a page may lead and what it may load. Pure.
 *
 * Invariants: a page of ours leads nowhere but to pages of ours; nothing is loaded over a network, whatever the page's
 * own policy says. Electron security checklist, items 1, 13 and 14.
 */
import { isOwnAddress, PAGE_ORIGIN } from './page-address.ts';

/** Whether a frame may go there, also by a redirect. */
export function mayGo(address: string): boolean {
  return isOwnAddress(address);
}

/** Whether a request may be made; `devTools`: whether they may load their own parts. */
export function mayLoad(address: string, devTools: boolean): boolean {
  if (isOwnAddress(address) || isOwnBlob(address)) return true;
  return devTools && address.startsWith('devtools://');
}

/** A file that our own page made in memory. */
export function isOwnBlob(address: string): boolean {
  return address.startsWith(`blob:${PAGE_ORIGIN}/`);
}
