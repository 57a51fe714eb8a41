/**
 * The addresses of our own pages under Electron. Pure.
 *
 * Invariant: what is not exactly below `app://touchpoint/` is not ours, however much it looks like it.
 */

/** The page's own origin. */
export const PAGE_ORIGIN = 'app://touchpoint';
/** The page. */
export const PAGE_ADDRESS = `${PAGE_ORIGIN}/`;
/** The attract loop alone, for a second display. */
export const SECOND_ADDRESS = `${PAGE_ORIGIN}/second`;
/** Shown when the page keeps crashing; touching it tries again. */
export const SAFE_ADDRESS = `${PAGE_ORIGIN}/safe`;
/** Shown while the core cannot be kept running. */
export const STOPPED_ADDRESS = `${PAGE_ORIGIN}/stopped`;

/** Whether this is a page, or a part of one, of ours. */
export function isOwnAddress(address: string): boolean {
  return address.startsWith(PAGE_ADDRESS);
}
