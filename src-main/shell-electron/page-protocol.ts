/**
 * The renderer under `app://touchpoint/` instead of `file:`. Pure.
 *
 * Invariants: only this host, only GET, only files of the list made at start; every answer carries the page's policy.
 */
import type { PageFiles } from '../page/page-files.ts';
import { pageHeaders } from '../page/page-policy.ts';

/** The page's own address and origin. */
export const PAGE_ORIGIN = 'app://touchpoint';
export const PAGE_ADDRESS = `${PAGE_ORIGIN}/`;
/** Shown when the page keeps crashing; touching it tries again. */
export const SAFE_ADDRESS = `${PAGE_ORIGIN}/safe`;

const safePage =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Touchpoint</title></head><body>' +
  '<h1>The screen stopped several times</h1><p>Every captured badge is safe. <a href="/">Try again</a></p>' +
  '<h1 lang="de">Die Anzeige ist mehrmals stehen geblieben</h1>' +
  '<p lang="de">Jeder erfasste Badge ist sicher gespeichert. <a href="/">Erneut versuchen</a></p></body></html>';

/** Answers a request of the page. */
export function answerPage(files: PageFiles, method: string, address: string): Response {
  const headers = { ...pageHeaders(null) };
  const path = pathOf(address);
  if (path === null || method !== 'GET') return new Response(null, { status: 403, headers });
  if (path === '/safe') {
    return new Response(safePage, { headers: { ...headers, 'Content-Type': 'text/html; charset=utf-8' } });
  }
  const file = files.find(path);
  if (file === null) return new Response(null, { status: 404, headers });
  return new Response(file.bytes, { headers: { ...headers, 'Content-Type': file.type } });
}

/** The path as written, or null for another host or scheme. */
function pathOf(address: string): string | null {
  if (!address.startsWith(PAGE_ADDRESS)) return null;
  return address.slice(PAGE_ORIGIN.length).split(/[?#]/, 1)[0] ?? null;
}
