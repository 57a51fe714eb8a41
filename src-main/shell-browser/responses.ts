/**
 * The pages and refusals that the loopback server writes itself. All other pages belong to the renderer.
 *
 * Invariant: a response contains nothing from its request, so nothing can be injected.
 */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pageHeaders } from '../page/page-policy.ts';

/** A complete response. A body that is a function is opened when it is sent; its length is in the headers. */
export type HttpResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly type: string;
  readonly body: string | Buffer | (() => Readable);
};

/** Reason phrases of the statuses we send (RFC 9110, section 15). */
export const reasonPhrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Content Too Large',
  421: 'Misdirected Request',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

/** A refusal whose body is the reason phrase of its status. */
export function refusal(status: number): HttpResponse & { readonly body: string } {
  const type = 'text/plain; charset=utf-8';
  return { status, headers: pageHeaders(null), type, body: `${reasonPhrases[status] ?? ''}\n` };
}

/** A browser without access may load no file, so these pages contain their style. */
const STYLE =
  'html{color-scheme:light dark}' +
  'body{max-width:36rem;margin:0 auto;padding:10vh 1.5rem;font:1.25rem/1.5 system-ui,sans-serif}' +
  'h1{margin:0 0 .5rem;font-size:1.75rem;line-height:1.2}p{margin:0 0 3rem}';

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  ...["frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"],
].join('; ');

/** A page without anything from its request. */
export function page(head: string, body: string) {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8">${head}<title>Touchpoint</title>` +
    `<style>${STYLE}</style></head><body>${body}</body></html>`
  );
}

/** The response with a `page`. Its policy permits only the style of these pages. */
export function html(status: number, body: string): HttpResponse {
  const headers = { ...pageHeaders(null), 'Content-Security-Policy': policy };
  return { status, headers, type: 'text/html; charset=utf-8', body };
}

/** For a browser without our cookie. It cannot load the renderer's catalogues, so this page has two languages. */
export const linkNeededPage = page(
  '<meta name="viewport" content="width=device-width, initial-scale=1">',
  '<h1>This browser needs a fresh link</h1>' +
    '<p>A link to Touchpoint works once. Press Enter in the window where Touchpoint was started, ' +
    'or start it again, and open the link it shows.</p>' +
    '<h1 lang="de">Dieser Browser braucht einen neuen Link</h1>' +
    '<p lang="de">Ein Link zu Touchpoint gilt einmal. Dr\u00fccken Sie die Eingabetaste in dem Fenster, in dem ' +
    'Touchpoint gestartet wurde, oder starten Sie es neu, und \u00f6ffnen Sie den angezeigten Link.</p>',
);

/** Reloads the page from our own origin, because a browser sends no strict cookie after a link on another site. */
export const askAgainPage = page('<meta http-equiv="refresh" content="0;url=/">', '<p>Touchpoint</p>');
