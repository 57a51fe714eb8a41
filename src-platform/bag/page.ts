/**
 * The HTML of a bag page, for the width of a phone. Pure.
 *
 * Invariants: the page has no script; every text of the event is escaped.
 */
import { type Html, html } from '../http/html.ts';
import type { BagWords } from './words.ts';

/** A content on the page. `picture` is a web address. */
export type BagContent = {
  readonly name: string;
  readonly summary: string | null;
  readonly picture: string | null;
  readonly link: string;
};

/** Interval at which the page reloads until the tap arrives, in seconds. */
const AGAIN = 15;

/** The page of these contents, taken at `event`. */
export function renderBag(words: BagWords, event: string, contents: readonly BagContent[]): string {
  const cards = contents.map(
    ({ name, summary, picture, link }) => html`<li><a href="${link}" rel="noreferrer">
${picture === null ? null : html`<img src="${picture}" alt="" loading="lazy" referrerpolicy="no-referrer">`}
<span class="text"><bdi class="name" dir="auto">${name}</bdi>${summary === null || summary === name ? null : html`<bdi class="summary" dir="auto">${summary}</bdi>`}<span class="open">${words.open}</span></span></a></li>`,
  );
  return page(
    words,
    false,
    html`<p class="event"><bdi>${event}</bdi></p><h1>${words.title}</h1><ul>${cards}</ul><p class="note">${words.note}</p>`,
  );
}

/** A page that says why there is nothing to show. `again`: the page reloads periodically. */
export function renderNotice(words: BagWords, text: string, again: boolean): string {
  return page(words, again, html`<h1>${words.title}</h1><p class="alone">${text}</p>`);
}

function page({ language, title }: BagWords, again: boolean, body: Html): string {
  return html`<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
${again ? html`<meta http-equiv="refresh" content="${AGAIN}">` : null}
<title>${title}</title><style>
:root { color-scheme: light dark; --paper: #faf8f4; --card: #fff; --ink: #14171f; --ink-2: #4a5163; --brand: #1f4bd8; }
@media (prefers-color-scheme: dark) { :root { --paper: #101218; --card: #1b1e27; --ink: #f3f1ec; --ink-2: #b6bccb; --brand: #9db4ff; } }
* { box-sizing: border-box; margin: 0; }
body { padding: 2rem 1.25rem 3rem; background: var(--paper); color: var(--ink); font: 1.0625rem/1.45 system-ui, sans-serif; }
main { max-width: 40rem; margin: 0 auto; }
h1 { margin-bottom: 1.5rem; font-size: 2rem; line-height: 1.1; letter-spacing: -0.02em; text-wrap: balance; }
.event { margin-bottom: .25rem; color: var(--ink-2); font-weight: 600; }
ul { display: grid; gap: 1rem; padding: 0; list-style: none; }
a { display: block; overflow: hidden; border-radius: 1.1rem; background: var(--card); color: inherit; text-decoration: none; box-shadow: 0 1px 2px #0001, 0 8px 24px #0001; }
a:focus-visible { outline: 3px solid var(--brand); outline-offset: 3px; }
img { display: block; width: 100%; aspect-ratio: 16 / 9; object-fit: cover; }
.text { display: grid; gap: .25rem; padding: 1rem 1.25rem 1.1rem; overflow-wrap: anywhere; }
.name { font-size: 1.2rem; font-weight: 700; line-height: 1.25; }
.summary, .note, .alone { color: var(--ink-2); }
.open { margin-top: .35rem; color: var(--brand); font-weight: 650; }
.note { margin-top: 1.75rem; }
.alone { font-size: 1.15rem; }
</style></head><body><main>${body}</main></body></html>`.text;
}
