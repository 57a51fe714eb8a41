/**
 * Serves our pages under `app://touchpoint/` instead of `file:`. Pure, except for films, whose bodies are read from disk.
 *
 * Invariants:
 * - only this host, only GET, only listed files; every answer carries the page's policy (Electron security checklist,
 *   items 1, 7 and 18);
 * - the page of the second display has no script and no connection to the core, so it cannot replace the first page.
 */
import { Readable } from 'node:stream';
import type { AttractFile, AttractFiles } from '../../page/attract-files.ts';
import type { PageFiles } from '../../page/page-files.ts';
import { pageHeaders } from '../../page/page-policy.ts';
import { isOwnAddress, PAGE_ORIGIN } from './own-page.ts';

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

/** Answers a request of the page. */
export function answerPage(
  { files, attract }: { readonly files: PageFiles; readonly attract: AttractFiles },
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

/** The path as written; null for another host or scheme. */
function pathOf(address: string): string | null {
  if (!isOwnAddress(address)) return null;
  return address.slice(PAGE_ORIGIN.length).split(/[?#]/, 1)[0] ?? null;
}

/** How long each item is shown, and the interval at which the page reloads to find new files, in seconds. */
const SHOWN_S = 10;
const RELOAD_S = 600;

const plainStyle = `html, body { margin: 0; height: 100%; background: #0b0f14; overflow: hidden; cursor: none }
img, video { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain }
`;

/** The page of the second display: the attract loop; black without files. */
function secondPage(files: readonly AttractFile[]): string {
  const items = files.map(({ kind, address }) =>
    kind === 'picture'
      ? `<img src="/${address}" alt="">`
      : `<video src="/${address}" autoplay muted loop playsinline></video>`,
  );
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Touchpoint</title>' +
    `<meta http-equiv="refresh" content="${RELOAD_S}"><link rel="stylesheet" href="/second.css"></head>` +
    `<body>${items.join('')}</body></html>`
  );
}

/** The style of the second display's page: shows each item in turn. */
function secondStyle({ length }: readonly AttractFile[]): string {
  if (length < 2) return plainStyle;
  const share = 100 / length;
  const delays = Array.from(
    { length },
    (_, index) => `body > :nth-child(${index + 1}) { animation-delay: ${index * SHOWN_S}s }`,
  );
  return [
    plainStyle,
    `body > * { visibility: hidden; animation: turn ${length * SHOWN_S}s step-end infinite }`,
    `@keyframes turn { 0% { visibility: visible } ${share}% { visibility: hidden } }`,
    ...delays,
  ].join('\n');
}
