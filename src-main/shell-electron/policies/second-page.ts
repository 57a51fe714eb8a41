/**
 * The attract loop on a second display: a page and a style sheet made of the list of its pictures and films. Pure.
 *
 * Invariants: no script and no way to the device, so nothing that is captured can be told there instead of on the page;
 * each item is shown equally long, one after the other; the page is asked for anew now and then and finds what was added.
 */
import type { AttractFile } from '../../page/attract-files.ts';

/** How long one is shown, and after how long the page is asked for again, in seconds. */
const SHOWN_S = 10;
const AGAIN_S = 600;

const plain = `html, body { margin: 0; height: 100%; background: #0b0f14; overflow: hidden; cursor: none }
img, video { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain }
`;

/** The page over these files; dark where there are none. */
export function secondPage(files: readonly AttractFile[]): string {
  const items = files.map(({ kind, address }) =>
    kind === 'picture'
      ? `<img src="/${address}" alt="">`
      : `<video src="/${address}" autoplay muted loop playsinline></video>`,
  );
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Touchpoint</title>' +
    `<meta http-equiv="refresh" content="${AGAIN_S}"><link rel="stylesheet" href="/second.css"></head>` +
    `<body>${items.join('')}</body></html>`
  );
}

/** Its style: the items take turns. */
export function secondStyle({ length }: readonly AttractFile[]): string {
  if (length < 2) return plain;
  const share = 100 / length;
  const turns = Array.from(
    { length },
    (_, index) => `body > :nth-child(${index + 1}) { animation-delay: ${index * SHOWN_S}s }`,
  );
  return [
    plain,
    `body > * { visibility: hidden; animation: turn ${length * SHOWN_S}s step-end infinite }`,
    `@keyframes turn { 0% { visibility: visible } ${share}% { visibility: hidden } }`,
    ...turns,
  ].join('\n');
}
