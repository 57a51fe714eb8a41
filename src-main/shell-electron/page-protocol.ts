/**
 * The renderer under `app://touchpoint/` instead of `file:`. Pure.
 *
 * Invariants: only this host, only GET, only files that were listed; every answer carries the page's policy.
 */
import { Readable } from 'node:stream';
import type { AttractFiles } from '../page/attract-files.ts';
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

/** What is served: the page, and the pictures and films of the attract loop. */
export type Content = { readonly files: PageFiles; readonly attract: AttractFiles };

/** Answers a request of the page; `range` is its header of that name. */
export function answerPage(
  { files, attract }: Content,
  method: string,
  address: string,
  range: string | null,
): Response {
  const headers = { ...pageHeaders(null) };
  const path = pathOf(address);
  if (path === null || method !== 'GET') return new Response(null, { status: 403, headers });
  if (path === '/safe') {
    return new Response(safePage, { headers: { ...headers, 'Content-Type': 'text/html; charset=utf-8' } });
  }
  const media = attract.answer(path, range);
  if (media !== null) {
    const body = media.body === null ? null : (Readable.toWeb(media.body()) as ReadableStream<Uint8Array>);
    return new Response(body, { status: media.status, headers: { ...headers, ...media.headers } });
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
