/**
 * The renderer under `app://touchpoint/` instead of `file:`. Pure but for the bodies of films, which are read as asked.
 *
 * Invariants: only this host, only GET, only files that were listed; every answer carries the page's policy. Electron
 * security checklist, items 1, 7 and 18.
 */
import { Readable } from 'node:stream';
import type { AttractFiles } from '../../page/attract-files.ts';
import type { PageFiles } from '../../page/page-files.ts';
import { pageHeaders } from '../../page/page-policy.ts';
import { isOwnAddress, PAGE_ORIGIN } from './page-address.ts';
import { secondPage, secondStyle } from './second-page.ts';

const page = (language: string, title: string, text: string, second: readonly [string, string]) =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>Touchpoint</title></head><body>` +
  `<h1>${title}</h1><p>${text}</p><h1 lang="de">${second[0]}</h1><p lang="de">${second[1]}</p></body></html>`;

const ownPages: Readonly<Record<string, string>> = {
  '/safe': page(
    'en',
    'The screen stopped several times',
    'Every captured badge is safe. <a href="/">Try again</a>',
    [
      'Die Anzeige ist mehrmals stehen geblieben',
      'Jeder erfasste Badge ist sicher gespeichert. <a href="/">Erneut versuchen</a>',
    ],
  ),
  '/stopped': page(
    'en',
    'Touchpoint stopped several times',
    'It is started again every minute. Until then badges are not captured; those captured before are safe.',
    [
      'Touchpoint ist mehrmals stehen geblieben',
      'Es wird jede Minute neu gestartet. Bis dahin werden Badges nicht erfasst; was vorher erfasst wurde, ist sicher.',
    ],
  ),
};

/** What is served: the page, and the pictures and films of the attract loop. */
export type Content = { readonly files: PageFiles; readonly attract: AttractFiles };

/** Answers a request of the page. */
export function answerPage(
  { files, attract }: Content,
  request: Pick<Request, 'method' | 'url' | 'headers'>,
): Response {
  const headers = { ...pageHeaders(null) };
  const path = pathOf(request.url);
  if (path === null || request.method !== 'GET') return new Response(null, { status: 403, headers });
  const made = (text: string, type: string) =>
    new Response(text, { headers: { ...headers, 'Content-Type': `text/${type}; charset=utf-8` } });
  const own = Object.hasOwn(ownPages, path) ? ownPages[path] : undefined;
  if (own !== undefined) return made(own, 'html');
  if (path === '/second') return made(secondPage(attract.list()), 'html');
  if (path === '/second.css') return made(secondStyle(attract.list()), 'css');
  const media = attract.answer(path, request.headers.get('range'));
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
  if (!isOwnAddress(address)) return null;
  return address.slice(PAGE_ORIGIN.length).split(/[?#]/, 1)[0] ?? null;
}
