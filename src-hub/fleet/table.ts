/**
 * The devices of the fleet page and the commands for them: one form, a page of devices at a time. Pure.
 *
 * Invariant: each cell with data names its column (`data-label`), so that a narrow page can show a device as a card.
 */
import { LONGEST_MESSAGE } from '../../src-main/provision/signed-command.ts';
import { type Html, html } from '../../src-platform/http/html.ts';
import { type FleetPicture, NEEDS, needsOf, SILENT_AFTER_MS, toneOf, waitingOf } from './judgement.ts';
import type { FleetDevice } from './reading.ts';
import type { FleetWords } from './texts.ts';
import { addressOf, type FleetView, PER_PAGE } from './view.ts';

const DAY_MS = 86_400_000;

/** The part of the page with the `found` devices. */
export function deviceTable(
  picture: FleetPicture,
  view: FleetView,
  found: readonly FleetDevice[],
  words: FleetWords,
): Html {
  const pages = Math.max(1, Math.ceil(found.length / PER_PAGE));
  const page = Math.min(view.page, pages);
  const shown = found.slice((page - 1) * PER_PAGE, page * PER_PAGE);
  return html`<section id="devices" class="card" aria-labelledby="devices-head">
    <h2 id="devices-head">${words.devices}</h2>
    ${picture.devices.length === 0 ? html`<p class="quiet">${words.none} ${words.noneHow}</p>` : finding(view, words)}
    ${found.length === 0 && picture.devices.length > 0 ? html`<p class="quiet">${words.noneFound}</p>` : null}
    ${
      found.length === 0
        ? null
        : html`<form method="post" action="/fleet/commands">
      <input type="hidden" name="back" value="${addressOf({ ...view, page })}">
      ${commands(found.length, words)}
      <div class="table" role="group" aria-label="${words.devicesCount(words.number(found.length))}" tabindex="0"><table>
        <thead><tr><th><span class="only-heard">${words.withSelected}</span></th>${columns(words).map((name) => html`<th scope="col">${name}</th>`)}<th><span class="only-heard">${words.off}</span></th></tr></thead>
        <tbody>${shown.map((device) => row(device, picture.now, words))}</tbody>
      </table></div>
    </form>`
    }
    ${pages > 1 ? paging({ ...view, page }, pages, words) : null}
  </section>`;
}

function columns(words: FleetWords): readonly string[] {
  const { device, place, lastTap, reader, queue, mirror, version, battery } = words;
  return [device, place, lastTap, reader, queue, mirror, version, battery];
}

function finding({ find, need }: FleetView, words: FleetWords): Html {
  return html`<form class="finding" method="get" action="/fleet">
    <input type="search" name="find" value="${find}" aria-label="${words.find}" placeholder="${words.find}" maxlength="100">
    <select name="need" aria-label="${words.needs}">
      <option value="">${words.all}</option>
      ${NEEDS.map((one) => html`<option value="${one}"${need === one ? html` selected` : null}>${words.need[one]}</option>`)}
    </select>
    <button class="button quiet-button">${words.find}</button>
  </form>`;
}

function commands(count: number, words: FleetWords): Html {
  return html`<div class="commands">
    <label class="choice"><input type="checkbox" name="all" value="yes"> ${words.selectAll(words.number(count))}</label>
    <button class="button quiet-button" name="do" value="reload">${words.reload}</button>
    <button class="button quiet-button" name="do" value="off">${words.off}</button>
    <button class="button quiet-button" name="do" value="on">${words.on}</button>
    <span class="message">
      <input type="text" name="text" aria-label="${words.message}" placeholder="${words.message}" maxlength="${LONGEST_MESSAGE}">
      <button class="button quiet-button" name="do" value="message">${words.send}</button>
    </span>
  </div>`;
}

function row(device: FleetDevice, now: number, words: FleetWords): Html {
  const { id, name, touchpoint, partner, report } = device;
  const needs = needsOf(device, now);
  // The state line already says whether a device is silent, out of order or revoked.
  const wrong = needs.filter((need) => !['silent', 'outOfOrder', 'revoked'].includes(need));
  const tone = (need: (typeof NEEDS)[number]): string => (needs.includes(need) ? 'stop' : 'plain');
  const isOff = report?.outOfOrder === true;
  return html`<tr>
    <td><label class="choice"><input type="checkbox" name="device" value="${id}" aria-label="${words.select(name)}"></label></td>
    <th scope="row"><bdi class="name">${name}</bdi><span class="small">${standing(device, now, words)}</span>${wrong.map((need) => html`<span class="small" data-tone="${toneOf(need)}">${words.need[need]}</span>`)}</th>
    <td data-label="${words.place}"><bdi>${touchpoint}</bdi><span class="small"><bdi>${partner ?? '–'}</bdi></span></td>
    <td class="short" data-label="${words.lastTap}">${report?.lastTapAt == null ? '–' : words.ago(words.age(now - report.lastTapAt))}<span class="small">${words.purposes[report?.purpose ?? ''] ?? ''}</span></td>
    <td data-label="${words.reader}" data-tone="${tone('reader')}">${report === null ? '–' : readerWords(report.cardService, report.readers, words)}</td>
    <td class="facts" data-label="${words.queue}" data-tone="${tone('setAside')}">${facts(device, words)}</td>
    <td class="short" data-label="${words.mirror}" data-tone="${tone('oldMirror')}">${report?.mirrorAt == null ? '–' : words.age(now - report.mirrorAt)}</td>
    <td data-label="${words.version}" data-tone="${tone('openDisk')}">${report?.version ?? '–'} <span class="id"><bdi>${id}</bdi></span>${report === null ? null : html`<span class="small">${words.disk[report.encryption]}</span>`}</td>
    <td class="short" data-label="${words.battery}" data-tone="${tone('battery')}">${report?.battery == null ? '–' : words.percent(report.battery)}${report?.plugged === true ? html`<span class="small">${words.plugged}</span>` : null}</td>
    <td>${device.enrolled && !device.revoked ? html`<button class="button quiet-button row-button" name="${isOff ? 'on' : 'off'}" value="${id}" aria-label="${isOff ? words.onOne(name) : words.offOne(name)}">${isOff ? words.on : words.off}</button>` : null}</td>
  </tr>`;
}

function standing(device: FleetDevice, now: number, words: FleetWords): Html {
  const { revoked, enrolled, reportedAt, report, waiting } = device;
  if (revoked) return html`${words.revoked}`;
  if (!enrolled) return html`${words.notSetUp}`;
  const isSilent = needsOf(device, now).includes('silent');
  const age = reportedAt === null ? null : now - reportedAt;
  const isToday = age !== null && age > 0 && age < DAY_MS;
  const heard =
    age === null || reportedAt === null || age < -SILENT_AFTER_MS
      ? words.never
      : isSilent && isToday
        ? words.silentSince(words.time(reportedAt))
        : words.heard(words.age(Math.max(0, age)));
  return html`<span data-tone="${isSilent ? 'stop' : 'plain'}">${heard}</span>${
    report?.outOfOrder === true ? html` · <span data-tone="wait">${words.need.outOfOrder}</span>` : null
  }${waiting.length > 0 ? html` · ${words.waitingFor}` : null}`;
}

function facts(device: FleetDevice, words: FleetWords): Html {
  const { report, counts } = device;
  if (report === null) return html`–`;
  const { captured, parked } = report.delivery;
  const aside = Math.max(parked, counts.parked);
  const inside = words.queueWords(words.number(waitingOf(device)), words.number(report.delivery.atHub));
  return html`${words.number(captured)}<span class="small">${inside}${aside > 0 ? ` · ${words.number(aside)} ${words.setAside}` : ''}</span>`;
}

function readerWords(service: string, readers: number, words: FleetWords): string {
  if (service === 'off') return words.readerOff;
  if (service === 'starting') return words.readerStarting;
  return service === 'up' && readers > 0 ? words.readerOk : words.readerGone;
}

function paging(view: FleetView, pages: number, words: FleetWords): Html {
  const { page } = view;
  const link = (to: number, name: string): Html =>
    to < 1 || to > pages
      ? html`<span></span>`
      : html`<a class="button quiet-button" href="${addressOf({ ...view, page: to })}#devices">${name}</a>`;
  return html`<nav class="paging" aria-label="${words.page(words.number(page), words.number(pages))}">
    ${link(page - 1, words.previous)}<span>${words.page(words.number(page), words.number(pages))}</span>${link(page + 1, words.next)}
  </nav>`;
}
