/**
 * Visible faults of a page: text that is cut off or off the page, letters that are too small, controls that are too
 * small to hit, and overlapping parts, controls and texts.
 *
 * Invariant: it measures Chromium's layout and assumes nothing from the style sheets.
 */
import type { Page } from '@playwright/test';

export type LayoutRules = {
  /** Smallest permitted letters in px. */
  readonly smallest: number;
  /** Long names may be cut with an ellipsis. */
  readonly mayCut: boolean;
  /** Texts beside the ring may scroll in their column. */
  readonly mayScroll: boolean;
};

/** All faults that were found, as text. Empty for a correct page. */
export async function layoutFaults(page: Page, rules: LayoutRules): Promise<string[]> {
  return page.evaluate<string[]>(`(${script})(${JSON.stringify(rules)})`);
}

const script = `({ smallest, mayCut, mayScroll }) => {
  const faults = [];
  const name = (element) => element.tagName.toLowerCase() + '.' + [...element.classList].join('.');
  const seen = (element) => element.checkVisibility({ opacityProperty: false }) && !element.closest('.only-heard, [hidden], .setup-screen, .step:has(:is(.content-picker[data-typing=true], .content-detail)) .step-head');
  const width = document.documentElement.clientWidth;
  // If the whole page scrolls, nothing in it may be cut off or scroll separately, and its end is the end of the page.
  const ofTeam = document.querySelector('.staff, .entry, .setup-first') !== null;
  const inScroller = (element) => {
    for (let frame = element; frame; frame = frame.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(frame).overflowY)) return true;
    }
    return false;
  };
  const flows = !ofTeam && document.querySelector(':root[data-room=scroll] .display, :root[data-room=low] .display[data-step=true]') !== null;
  const scrolled = flows ? scrollY : 0;
  const height = flows ? Math.max(document.documentElement.scrollHeight, document.body.scrollHeight) : document.documentElement.clientHeight;
  // While an overlay is open, the page behind it must not move.
  if (flows && !document.querySelector('[role=dialog]')) {
    const [ofPage, ofBody] = [document.documentElement, document.body].map((one) => getComputedStyle(one).overflowY);
    if (/hidden|clip/.test(ofPage === 'visible' ? ofBody : ofPage)) faults.push('the page does not scroll');
  }
  if (flows) mayCut = false;
  // Content beyond the edge of a scrolling part is not visible.
  const inSight = (element) => {
    let { left, right, top, bottom } = element.getBoundingClientRect();
    for (let frame = element.parentElement; frame; frame = frame.parentElement) {
      const { overflowY, display } = getComputedStyle(frame);
      if (display === 'contents' || !/auto|scroll/.test(overflowY)) continue;
      const edge = frame.getBoundingClientRect();
      left = Math.min(Math.max(left, edge.left), edge.right);
      right = Math.max(Math.min(right, edge.right), edge.left);
      top = Math.min(Math.max(top, edge.top), edge.bottom);
      bottom = Math.max(Math.min(bottom, edge.bottom), edge.top);
    }
    return { left, right, top, bottom };
  };
  // A part with hidden overflow cuts off its texts.
  const cutOf = (part) => {
    const cut = { left: -1e6, right: 1e6, top: -1e6, bottom: 1e6 };
    for (let frame = part; frame; frame = frame.parentElement) {
      const { overflowY, overflowX, display } = getComputedStyle(frame);
      if (display === 'contents' || display === 'inline' || !/auto|scroll|hidden|clip/.test(overflowX + overflowY)) continue;
      const edge = frame.getBoundingClientRect();
      cut.left = Math.max(cut.left, edge.left);
      cut.right = Math.min(cut.right, edge.right);
      cut.top = Math.max(cut.top, edge.top);
      cut.bottom = Math.min(cut.bottom, edge.bottom);
    }
    return cut;
  };
  if (document.documentElement.scrollWidth > width) faults.push('the page scrolls sideways');
  const words = document.querySelector('.words');
  const hidden = words && !mayCut && !mayScroll ? words.scrollHeight - words.clientHeight : 0;
  if (hidden > 1) faults.push('the words are ' + hidden + ' higher than their place');

  for (const element of document.querySelectorAll('#root *, .comfort-popover *, .language-popover *')) {
    if (!seen(element) || element.closest('svg')) continue;
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    // An overlay on a scrolling page may scroll separately.
    const over = flows && element.closest('.comfort-popover, .language-popover');
    const scrolls = over ? /auto|scroll/.test(getComputedStyle(over).overflowY) : ofTeam ? inScroller(element) : !flows && (element.closest('.tray-badges, .consent, .consent-notice, .notice-scroll, .content-detail-text, .words, .statement-text') || /auto|scroll/.test(getComputedStyle(element.closest('.answers') ?? element).overflowY));
    if (own && box.width > 1) {
      if (Number.parseFloat(style.fontSize) < smallest - 0.05) {
        faults.push(name(element) + ' has letters of ' + style.fontSize + ': ' + element.textContent.slice(0, 40));
      }
      const out = box.left < -1 || box.top + scrolled < -1 || box.right > width + 1 || box.bottom + scrolled > height + 1;
      const clipped = mayCut && element.closest('.headline, .step-headline, .sentence');
      if (out && !scrolls && !clipped) faults.push(name(element) + ' leaves the page: ' + element.textContent.slice(0, 40));
    }
    // No part of the line after the last visible one may show. Its highest letters start a fifth below its top.
    if (style.webkitLineClamp !== 'none' && box.width > 1 && element.closest('.display')) {
      const lines = document.createRange();
      lines.selectNodeContents(element);
      const half = [...lines.getClientRects()].find(({ top, height }) => top + height * 0.18 < box.bottom - 0.5 && top + height * 0.79 > box.bottom + 1);
      if (half) faults.push(name(element) + ' shows ' + Math.round(box.bottom - half.top - half.height * 0.18) + ' px of a line that is cut off');
    }
    // Rows of chips scroll sideways on purpose; a page of cards does not.
    const across = /auto|scroll/.test(style.overflowX) ? element.scrollWidth - element.clientWidth : 0;
    if (across > 1 && box.width > 1.5 && !element.matches('.filters, .list-chips, .list-tools, .tray-badges, textarea, input')) {
      faults.push(name(element) + ' scrolls sideways by ' + across);
    }
    const card = own && box.width > 1.5 ? element.closest('.staff-card, .chart, .entry-card') : null;
    if (card) {
      const edge = card.getBoundingClientRect();
      const lines = document.createRange();
      lines.selectNodeContents(element);
      const clip = cutOf(element);
      const past = [...lines.getClientRects()].map(({ left, right }) => Math.max(edge.left - Math.max(left, clip.left), Math.min(right, clip.right) - edge.right));
      if (Math.max(...past) > 1) faults.push(name(element) + ' runs ' + Math.round(Math.max(...past)) + ' past its card: ' + element.textContent.slice(0, 40));
    }
    // Text for screen readers only is in a frame of one pixel.
    const cut = box.width > 1.5 && /hidden|clip/.test(style.overflowX) && (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1);
    if (cut && !mayCut && !element.classList.contains('display') && (!scrolls || (element.closest('.words') && own && !/auto|scroll/.test(style.overflowY)))) {
      faults.push(name(element) + ' is cut: ' + element.textContent.slice(0, 40));
    }
  }

  for (const control of document.querySelectorAll('button, a[href], input:not([type=range])')) {
    // Buttons for screen readers only are in a frame of one pixel.
    let frame = control.parentElement;
    while (getComputedStyle(frame).display === 'contents') frame = frame.parentElement;
    if (!seen(control) || frame.getBoundingClientRect().width <= 1) continue;
    // The label of a box belongs to its target.
    const target = (/checkbox|radio/.test(control.type) && control.closest('label')) || control;
    const box = target.getBoundingClientRect();
    if (box.height < 47.5 || box.width < 47.5) {
      faults.push(name(control) + ' is only ' + Math.round(box.width) + ' by ' + Math.round(box.height));
    }
    // A part that covers the page on purpose is a dialog.
    const { left, right, top, bottom } = inSight(control);
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const hit = bottom - top > 1 && right - left > 1 && x > 0 && y > 0 && x < width && y < height ? document.elementFromPoint(x, y) : null;
    if (hit && !control.contains(hit) && !hit.contains(control) && !hit.closest('[role=dialog], .comfort-popover, .language-popover')) faults.push(name(control) + ' lies under ' + name(hit));
  }

  // No control and no text may cover another one, not even by a corner.
  const controls = 'button, a[href], input:not([type=range]), label.switch';
  const overlays = '[role=dialog], .comfort-popover, .language-popover, .tray-body, .camera, .only-heard';
  const leaves = [...document.querySelectorAll('.display *, .staff *, .entry *, .setup-first *')].flatMap((part) => {
    if (!seen(part) || part.closest('svg') || part.closest(overlays)) return [];
    const control = part.closest(controls);
    if (control) return control === part ? [{ part, boxes: [inSight(part)] }] : [];
    const texts = [...part.childNodes].filter((node) => node.nodeType === 3 && node.textContent.trim() !== '');
    const clip = cutOf(part);
    const boxes = texts.flatMap((node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return [...range.getClientRects()].map(({ left, right, top, bottom }) => ({ left: Math.max(left, clip.left), right: Math.min(right, clip.right), top: Math.max(top, clip.top), bottom: Math.min(bottom, clip.bottom) }));
    });
    return boxes.length > 0 && part.getBoundingClientRect().width > 1.5 ? [{ part, boxes }] : [];
  });
  leaves.forEach((one, index) => {
    for (const other of leaves.slice(index + 1)) {
      if (one.part.contains(other.part) || other.part.contains(one.part)) continue;
      // A label covers its own checkbox. A hint within a field disappears when text is typed.
      if ([one, other].some(({ part }) => part.matches('.search kbd, .setup-tag'))) continue;
      if ([[one, other], [other, one]].some(([box, words]) => box.part.matches('input') && box.part.closest('label')?.contains(words.part))) continue;
      // Lines of text are higher than their letters.
      const isText = (leaf) => !leaf.part.matches(controls);
      const slack = isText(one) || isText(other) ? 5 : 1;
      const by = one.boxes.flatMap((box) => other.boxes.map((second) => [
        Math.round(Math.min(box.right, second.right) - Math.max(box.left, second.left)),
        Math.round(Math.min(box.bottom, second.bottom) - Math.max(box.top, second.top)),
      ])).find(([across, down]) => across > 1 && down > slack);
      if (by) faults.push(name(one.part) + ' (' + one.part.textContent.slice(0, 20) + ') covers ' + name(other.part) + ' (' + other.part.textContent.slice(0, 20) + ') by ' + by.join(' by '));
    }
  });

  // The chosen option of a select and the placeholder of an empty field are as wide as their field at most,
  // and end before a key shown within it; a text of several lines shows all of them.
  for (const field of document.querySelectorAll('select, input, textarea')) {
    const words = field.matches('select') ? field.selectedOptions[0]?.text : field.value || field.placeholder;
    if (!seen(field) || !words) continue;
    if (field.matches('textarea')) {
      const below = field.scrollHeight - field.clientHeight;
      if (below > 1) faults.push(name(field) + ' hides ' + below + ' px of its text: ' + words.slice(0, 40));
      continue;
    }
    if (field.matches('input') && (field.value !== '' || !/text|search|email|url/.test(field.type))) continue;
    const box = field.getBoundingClientRect();
    const key = field.parentElement.querySelector(':scope > kbd');
    const shown = key?.checkVisibility() ? key.getBoundingClientRect() : null;
    const { direction, paddingInlineEnd } = getComputedStyle(field);
    const covered = shown ? (direction === 'rtl' ? shown.right - box.left : box.right - shown.left) : 0;
    const own = field.style.cssText;
    field.style.cssText += ';field-sizing: content; inline-size: max-content; min-inline-size: 0; max-inline-size: none; flex: none; justify-self: start';
    const needed = field.getBoundingClientRect().width + Math.max(0, covered - Number.parseFloat(paddingInlineEnd));
    field.style.cssText = own;
    if (needed > box.width + 1) faults.push(name(field) + ' is ' + Math.ceil(needed - box.width) + ' px too narrow: ' + words.slice(0, 40));
  }

  // The meaning of both ends of a rating is written beside them.
  for (const end of document.querySelectorAll('.marks-end')) {
    const gap = end.getBoundingClientRect().top - document.querySelector('.rating').getBoundingClientRect().bottom;
    if (gap > 60) faults.push(name(end) + ' stands ' + Math.round(gap) + ' px below the marks');
  }

  const parts = ['.top', '.brand', '.languages', '.marks', '.words', '.step', '.step-head', '.step-headline', '.step-sentence', '.consent', '.consent-notice', '.consent-switches', '.answers', '.marks-row', '.text-answer', '.content-picker', '.content-picker-tools', '.cards', '.keyboard', '.content-detail', '.step-note', '.step-actions', '.ring-place', '.loop', '.tools', '.foot', '.foot-start', '.way-out', '.tray-handle', '.tray-body'].flatMap((part) => [...document.querySelectorAll(part)]);
  const boxes = parts.filter(seen).map((part) => {
    // The content counts: a part with more content than it shows may overlap its neighbour.
    const inner = [...part.querySelectorAll('*')].filter((element) => seen(element) && !element.parentElement.closest('svg') && !['inline', 'contents'].includes(getComputedStyle(element).display));
    const all = (getComputedStyle(part).display === 'contents' ? inner : [part, ...inner]).map(inSight);
    return {
      part,
      name: name(part),
      left: Math.min(...all.map((box) => box.left)),
      right: Math.max(...all.map((box) => box.right)),
      top: Math.min(...all.map((box) => box.top)),
      bottom: Math.max(...all.map((box) => box.bottom)),
    };
  });
  boxes.forEach((one, index) => {
    for (const other of boxes.slice(index + 1)) {
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      const names = one.name + ' ' + other.name;
      // These overlaps are intended. The tray's handle is in the footer. The ring is on the picture of the
      // loop and beside the words of a step's heading. The tools of the content picker are beside the
      // heading's sentence. With low controls, a step leaves room in its last row for "Take it back" and
      // "Done". The notice of the consents ends beside the line for a failure.
      const meant = /^div.consent p.step-note$|foot.*tray-handle|ring-place.*loop|^(section.step|header.step-head) div.ring-place$|^(header.step-head|p.step-sentence) div.content-picker$|^header.step-head div.content-picker-tools$|^div.content-picker div.ring-place$|^div.tools button.pill.tray-handle$|^section.step (div.foot-start|button.pill.way-out)$/.test(names) || one.part.contains(other.part);
      if (across > 1 && down > 1 && !meant) faults.push(one.name + ' lies on ' + other.name + ' by ' + Math.round(across) + ' by ' + Math.round(down));
    }
  });
  return faults;
}`;
