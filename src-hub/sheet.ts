/**
 * The sheet of codes for the devices of a hub: one page of HTML to print on A4, four cards per page, in English or
 * German. Pure.
 *
 * Invariants
 * - The page loads nothing and runs no script. All text that people typed is escaped.
 * - A code is printed dark on white, with its quiet zone.
 */
import { renderSVG } from 'uqr';
import { Html, html } from '../src-platform/http/html.ts';

const english = {
  title: 'Set-up codes',
  open: 'Open the set-up of Touchpoint on the laptop, press “Read a code” and hold this one before its camera.',
  compare: 'The laptop must show this fingerprint of the hub:',
  device: 'Device',
  hub: 'Hub',
  until: 'Good once, until',
  keep: 'Each code sets one device up, once. Until then keep this sheet as you keep a key.',
  print: 'Print on A4, four codes a page, at 100 %.',
};

/** The texts on a sheet. */
type SheetWords = typeof english;

const german: SheetWords = {
  title: 'Einrichtungscodes',
  open: 'Öffne auf dem Laptop die Einrichtung von Touchpoint, drücke „Code lesen“ und halte diesen vor die Kamera.',
  compare: 'Der Laptop muss diesen Fingerabdruck des Hubs zeigen:',
  device: 'Gerät',
  hub: 'Hub',
  until: 'Gilt einmal, bis',
  keep: 'Jeder Code richtet ein Gerät ein, einmal. Bis dahin bewahre dieses Blatt auf wie einen Schlüssel.',
  print: 'Auf A4 drucken, vier Codes je Seite, in 100 %.',
};

/** The languages of a sheet. */
export const SHEET_LANGUAGES = ['en', 'de'] as const;
type SheetLanguage = (typeof SHEET_LANGUAGES)[number];

/** One device on the sheet. */
type Card = {
  readonly id: string;
  readonly name: string;
  readonly touchpoint: string;
  /** Name of the company. Null if unknown. */
  readonly partner: string | null;
  /** Content of its QR code. */
  readonly code: string;
};

/** The content that all cards have in common. */
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
  const words = about.language === 'de' ? german : english;
  const time = new Intl.DateTimeFormat(about.language === 'de' ? 'de-DE' : 'en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: about.timezone,
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
  // Level M corrects 15 % of a code that is bent, dirty or overexposed.
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

/** Sizes in millimetres of A4 (210 × 297), with a margin that every printer keeps. */
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
