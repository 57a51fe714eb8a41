/**
 * The sheet of codes for the devices of a hub: one page of HTML to be printed on A4, four cards a page.
 *
 * Invariants: pure; nothing is loaded from anywhere, nothing is run; whatever people typed stands there as text; a code is
 * dark on white with its quiet zone.
 */
import { renderSVG } from 'uqr';
import { Html, html } from '../page/html.ts';
import { type SheetLanguage, type SheetWords, sheetWords } from './sheet-words.ts';

/** One device on the sheet. */
export type Card = {
  readonly id: string;
  readonly name: string;
  readonly touchpoint: string;
  /** Name of the company, or null. */
  readonly partner: string | null;
  /** What its QR code says. */
  readonly code: string;
};

/** What all cards have in common. */
export type SheetAbout = {
  readonly hub: string;
  readonly address: string;
  readonly event: string;
  readonly fingerprint: string;
  readonly until: Date;
  /** IANA name of the event's time zone. */
  readonly timezone: string;
  readonly language: SheetLanguage;
  /** The typeface, as WOFF2. */
  readonly font: Uint8Array;
};

const PER_PAGE = 4;

/** The sheet as the text of a file. */
export function writeSheet(cards: readonly Card[], about: SheetAbout): string {
  const words = sheetWords(about.language);
  const time = new Intl.DateTimeFormat(about.language === 'de' ? 'de-DE' : 'en-GB', {
    ...({ dateStyle: 'medium', timeStyle: 'short', timeZone: about.timezone } as const),
  });
  const pages = Array.from({ length: Math.ceil(cards.length / PER_PAGE) }, (_, page) =>
    cards.slice(page * PER_PAGE, (page + 1) * PER_PAGE),
  );
  const drawn = pages.map(
    (page) => html`<section class="page">${page.map((card) => cardPart(card, about, words, time))}</section>
`,
  );
  return html`<!doctype html>
<html lang="${about.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; font-src data:">
<title>${words.title} · ${about.hub} · ${about.event}</title>
<style>
@font-face { font-family: Figtree; font-weight: 300 900; src: url("data:font/woff2;base64,${Buffer.from(about.font).toString('base64')}") format("woff2"); }
${new Html(STYLE)}</style>
</head>
<body>
<header><h1>${words.title} · <bdi>${about.event}</bdi></h1><p>${words.keep} ${words.print}</p></header>
<main>
${drawn}</main>
</body>
</html>
`.text;
}

function cardPart(
  { id, name, touchpoint, partner, code }: Card,
  { hub, address, fingerprint, until }: SheetAbout,
  words: SheetWords,
  time: Intl.DateTimeFormat,
): Html {
  // Level M mends 15 % of a code that is bent, dirty or in the light.
  const drawing = new Html(renderSVG(code, { ecc: 'M', border: 4, pixelSize: 1 }));
  return html`<article class="card">
<h2><bdi>${name}</bdi></h2>
<p class="partner"><bdi>${partner}</bdi></p>
<div class="code" role="img" aria-label="${words.title}: ${name}, ${id}">${drawing}</div>
<p class="how">${words.open} ${words.compare}</p>
<p class="fingerprint" dir="ltr">${fingerprint}</p>
<dl>
<div><dt>${words.device}</dt><dd>${id} · <bdi>${touchpoint}</bdi></dd></div>
<div><dt>${words.hub}</dt><dd><bdi>${hub}</bdi> <span dir="ltr">${new URL(address).host}</span></dd></div>
<div><dt>${words.until}</dt><dd>${time.format(until)}</dd></div>
</dl>
</article>
`;
}

/** Millimetres of A4 (210 × 297) with a border that every printer leaves. */
const STYLE = `
@page { size: A4 portrait; margin: 10mm; }
* { box-sizing: border-box; margin: 0; padding: 0; }
body { background: #e9ebf1; color: #14171f; font: 3.3mm/1.3 Figtree, "Segoe UI", sans-serif; }
header { max-width: 190mm; margin: 8mm auto; font-size: 4mm; }
h1 { font-size: 7mm; letter-spacing: -0.02em; margin-block-end: 2mm; }
.page { display: grid; grid-template: repeat(2, 138mm) / repeat(2, 95mm); width: 210mm; height: 297mm; margin: 0 auto 8mm;
  padding: 10mm; background: #fff; break-after: page; }
.page:last-child { break-after: auto; }
.card { display: flex; flex-direction: column; gap: 0.9mm; padding: 3mm 4mm; overflow: hidden; border: 0.2mm dashed #8a8f9c; }
.card > * { flex: none; }
h2 { display: -webkit-box; overflow: hidden; font-size: 5mm; line-height: 1.15; letter-spacing: -0.015em;
  -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
.partner { overflow: hidden; color: #4a4f5c; text-overflow: ellipsis; white-space: nowrap; }
.code { align-self: center; width: 80mm; height: 80mm; }
.code svg { display: block; width: 100%; height: 100%; shape-rendering: crispEdges; }
.how { font-size: 2.9mm; }
.fingerprint { font: 700 3.7mm/1.3 ui-monospace, "DejaVu Sans Mono", monospace; text-align: center; white-space: nowrap; }
dl { display: grid; gap: 0.4mm; margin-block-start: auto; font-size: 3mm; }
dl div { display: flex; gap: 2mm; overflow: hidden; white-space: nowrap; }
dt { flex: none; color: #4a4f5c; }
dd { overflow: hidden; font-weight: 650; text-overflow: ellipsis; }
@media print {
  body { background: none; }
  header { display: none; }
  .page { width: 190mm; height: 276mm; margin: 0; padding: 0; }
}
`;
