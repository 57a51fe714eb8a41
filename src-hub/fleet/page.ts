/**
 * The fleet page as HTML: devices that need a person, the state of all facts, and one page of devices. Pure.
 *
 * Invariants
 * - The page works without a script; the script only refreshes it.
 * - All text that people typed is escaped. The page does not contain the key.
 */
import { type Html, html } from '../../src-platform/http/html.ts';
import {
  type FactSums,
  type FleetPicture,
  NEEDS,
  type Need,
  needsOf,
  sumOfDevices,
  sumOfHub,
  toneOf,
} from './judgement.ts';
import type { FleetDevice } from './reading.ts';
import { deviceTable } from './table.ts';
import type { FleetLanguage, FleetWords } from './texts.ts';
import { addressOf, type FleetView, found } from './view.ts';

/** The last command as a sentence, and whether it can be undone. */
export type Done = { readonly sentence: string; readonly canUndo: boolean };

/** Maximum number of devices that one line names. */
const NAMED = 3;

/** The whole page. */
export function fleetPage(
  picture: FleetPicture,
  view: FleetView,
  words: FleetWords,
  done: Done | null,
): Html {
  const { hub, devices } = picture;
  return frame(
    words,
    hub,
    html`
    <nav class="rail" aria-label="${words.sections}">
      <p class="rail-brand">${brand(hub)}</p>
      <a class="rail-item" href="#needs">${words.needs}</a>
      <a class="rail-item" href="#sums">${words.sums}</a>
      <a class="rail-item" href="#devices">${words.devices}<span class="rail-count">${words.number(devices.length)}</span></a>
      <div class="rail-end">
        ${words.language === 'de' ? languageLink('en', 'English') : languageLink('de', 'Deutsch')}
        <form method="post" action="/fleet/leave"><button class="rail-leave">${words.leave}</button></form>
      </div>
    </nav>
    <main id="live">
      <h1>${words.title}</h1>
      ${done === null ? null : doneNotice(done, view, words)}
      ${upstreamNotice(picture, words)}
      ${needsList(picture, words)}
      ${sums(picture, words)}
      ${deviceTable(picture, view, found(picture, view), words)}
      <p class="small">${words.receipts} <code dir="ltr">${picture.receiptFingerprint}</code></p>
    </main>
    <script src="/fleet/fleet.js" defer></script>`,
  );
}

/** The sign-in page. `said`: why the last attempt failed. */
export function entryPage(hub: string, words: FleetWords, said: string | null): Html {
  return frame(
    words,
    hub,
    html`<main class="entry">
      <form class="card entry-card" method="post" action="/fleet/enter">
        <p class="entry-box">${brand(hub)}</p>
        <h1>${words.title}</h1>
        <label for="key">${words.key}</label>
        <input id="key" name="key" type="password" autocomplete="current-password" autofocus required maxlength="80">
        ${said === null ? null : html`<p class="notice" data-tone="stop" role="alert">${said}</p>`}
        <button class="button">${words.signIn}</button>
        <p class="small">${words.keyFrom} <code>npm run hub -- fleet key --data DIR</code></p>
      </form>
    </main>`,
  );
}

function frame({ language, title }: FleetWords, hub: string, body: Html): Html {
  return html`<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} · ${hub}</title>
    <link rel="stylesheet" href="/fleet/tokens.css">
    <link rel="stylesheet" href="/fleet/ground.css">
    <link rel="stylesheet" href="/fleet/rail.css">
    <link rel="stylesheet" href="/fleet/sum.css">
    <link rel="stylesheet" href="/fleet/fleet.css">
  </head>
  <body>${body}</body>
</html>
`;
}

/** The first letter of the hub's name on a tile, and the name. */
function brand(hub: string): Html {
  return html`<span class="brand-tile" aria-hidden="true">${[...hub][0]?.toUpperCase() ?? 'B'}</span><bdi>${hub}</bdi>`;
}

function languageLink(language: FleetLanguage, name: string): Html {
  return html`<a class="rail-item" href="/fleet/language/${language}" hreflang="${language}">${name}</a>`;
}

function doneNotice({ sentence, canUndo }: Done, view: FleetView, words: FleetWords): Html {
  return html`<form class="notice" data-tone="again" role="status" method="post" action="/fleet/undo">
    <input type="hidden" name="back" value="${addressOf(view)}">
    <span>${sentence}</span>
    ${canUndo ? html`<button class="button">${words.undo}</button>` : null}
  </form>`;
}

function upstreamNotice({ upstream: { state, since }, now }: FleetPicture, words: FleetWords): Html {
  const tone = { online: 'captured', offline: 'wait', refused: 'stop' }[state];
  const when = since === null || now - since > 86_400_000 ? '' : ` ${words.since(words.time(since))}`;
  return html`<p class="notice" data-tone="${tone}">${words.upstream[state]}${when}</p>`;
}

function needsList({ devices, now, upstream }: FleetPicture, words: FleetWords): Html {
  const byNeed = new Map<Need, FleetDevice[]>(NEEDS.map((need) => [need, []]));
  for (const device of devices) for (const need of needsOf(device, now)) byNeed.get(need)?.push(device);
  const ofDevices = [...byNeed].filter(([, concerned]) => concerned.length > 0);
  const lines = ofDevices.map(([need, concerned]) => needLine(need, concerned, words));
  if (upstream.state === 'refused')
    lines.unshift(html`<li class="need" data-tone="stop">${words.hubRefused}</li>`);
  return html`<section id="needs" class="card" aria-labelledby="needs-head">
    <h2 id="needs-head">${words.needs}</h2>
    ${lines.length === 0 ? html`<p class="quiet">${words.nothingNeeded}</p>` : html`<ul class="needs">${lines}</ul>`}
  </section>`;
}

function needLine(need: Need, devices: readonly FleetDevice[], words: FleetWords): Html {
  const named = devices
    .slice(0, NAMED)
    .map(({ name }) => name)
    .join(', ');
  const more = devices.length - NAMED;
  return html`<li class="need" data-tone="${toneOf(need)}">
    <a href="${addressOf({ find: '', need, page: 1 })}#devices">
      <span class="need-count">${words.number(devices.length)}</span>
      <strong>${words.need[need]}</strong>
      <span class="need-names">${named}${more > 0 ? ` ${words.andMore(words.number(more))}` : ''}</span>
    </a>
  </li>`;
}

function sums({ devices }: FleetPicture, words: FleetWords): Html {
  return html`<section id="sums" class="card" aria-labelledby="sums-head">
    <h2 id="sums-head">${words.sums}</h2>
    ${sumLine(words.sumDevices, sumOfDevices(devices), ['waiting', 'atHub', 'sent', 'confirmed', 'setAside'], words)}
    ${sumLine(words.sumHub, sumOfHub(devices), ['atHub', 'sent', 'confirmed', 'setAside'], words)}
    <p class="small">${words.asReported}</p>
  </section>`;
}

function sumLine(
  title: string,
  facts: FactSums,
  parts: readonly Exclude<keyof FactSums, 'captured'>[],
  words: FleetWords,
): Html {
  return html`<ul class="sum" aria-label="${title}">
    <li><span class="sum-count">${words.number(facts.captured)}</span> ${title}</li>
    ${parts.map(
      (part) =>
        html`<li><span class="sum-count" data-state="${part}" data-none="${String(facts[part] === 0)}">${words.number(facts[part])}</span> ${words[part]}</li>`,
    )}
  </ul>`;
}
