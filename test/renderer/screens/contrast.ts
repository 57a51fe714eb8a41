/**
 * The contrast of every visible text, measured against the pixels behind it. It also measures gradients, tints and
 * pictures, for which axe only reports that it cannot tell.
 *
 * Invariants:
 * - The worst background of a text decides, except for a few pixels at an edge.
 * - A disabled control needs no contrast (WCAG 2.2, 1.4.3), nor does a letter in a picture.
 * - The page is unchanged afterwards.
 */
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { idle } from '../browser.ts';

/** The minimum for text, and for large text (24 px, or 18.66 px and bold). */
export type Enough = { readonly text: number; readonly large: number };

/** WCAG 2.2, 1.4.3 and 1.4.6. */
export const enoughContrast: Readonly<Record<'usual' | 'high', Enough>> = {
  usual: { text: 4.5, large: 3 },
  high: { text: 7, large: 4.5 },
};

type Colour = readonly [red: number, green: number, blue: number];

/** One line of text: its place in CSS pixels, and its style. */
type Line = {
  readonly name: string;
  readonly text: string;
  readonly colour: Colour;
  /** The opacity of the colour, 0 to 1. */
  readonly cover: number;
  readonly large: boolean;
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
};

/** The share of pixels behind a line that may be worse, because of edges and symbols beside the letters. */
const edges = 0.02;

/** How often a fault is measured again before it is reported. */
const looks = 4;

/**
 * Every text whose contrast is below `enough`, as text with its contrast. The letters are hidden during the
 * measurement. A busy machine may still show a separate layer, such as a popover, with its letters, so a fault is
 * measured again.
 */
export async function contrastFaults(page: Page, enough: Enough): Promise<string[]> {
  const lines = await page.evaluate<Line[]>(`(${collect})()`);
  await page.evaluate(`(${hide})()`);
  let faults: string[] = [];
  for (let look = 0; look < looks; look += 1) {
    await idle(page);
    faults = await faultsOn(await page.screenshot(), lines, enough);
    if (faults.length === 0) break;
  }
  await page.evaluate('document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1)');
  return faults;
}

/** The result for these lines in `shot`, a picture of the page without letters. */
async function faultsOn(shot: Buffer, lines: readonly Line[], enough: Enough): Promise<string[]> {
  const { data, info } = await sharp(shot).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number): Colour => {
    const start = (y * info.width + x) * 3;
    return [data[start] ?? 0, data[start + 1] ?? 0, data[start + 2] ?? 0];
  };
  return lines.flatMap((line) => {
    const reached = contrastOf(line, at);
    const wanted = line.large ? enough.large : enough.text;
    // A tolerance, because the screen rounds colours.
    if (reached >= wanted - 0.03) return [];
    return `${line.name} reaches ${reached.toFixed(2)} of ${wanted}: ${line.text}`;
  });
}

/** The contrast of a line with the worst colour behind it. */
function contrastOf({ colour, cover, box }: Line, at: (x: number, y: number) => Colour): number {
  const found: number[] = [];
  const step = Math.max(1, Math.floor(Math.sqrt((box.width * box.height) / 600)));
  for (let y = Math.ceil(box.y); y < Math.floor(box.y + box.height); y += step) {
    for (let x = Math.ceil(box.x); x < Math.floor(box.x + box.width); x += step) {
      const behind = at(x, y);
      const part = (index: 0 | 1 | 2) => colour[index] * cover + behind[index] * (1 - cover);
      found.push(contrast([part(0), part(1), part(2)], behind));
    }
  }
  found.sort((a, b) => a - b);
  return found[Math.floor(found.length * edges)] ?? 21;
}

/** Contrast of two colours, 1 to 21, as in WCAG 2.2. */
function contrast(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance([red, green, blue]: Colour): number {
  const linear = (value: number) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Hides the letters of the page, and nothing behind them. */
const hide = `() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, *::before, *::after, *::placeholder { -webkit-text-fill-color: transparent !important; text-decoration-color: transparent !important; text-shadow: none !important; caret-color: transparent !important; transition: none !important } svg text { fill: transparent !important }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}`;

const collect = `() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const known = new Map();
  const read = (colour) => {
    if (!known.has(colour)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      known.set(colour, [...canvas.getImageData(0, 0, 1, 1).data]);
    }
    return known.get(colour);
  };
  const lines = [];
  const tell = (element, text, style, colour, box) => {
    // Text beyond the edge of a scrolling part is not visible.
    let { left, right, top, bottom } = box;
    for (let frame = element; frame; frame = frame.parentElement) {
      const { overflowX, overflowY, display } = getComputedStyle(frame);
      if (display === 'contents' || display === 'inline') continue;
      const edge = frame.getBoundingClientRect();
      if (overflowY !== 'visible') { top = Math.max(top, edge.top); bottom = Math.min(bottom, edge.bottom); }
      if (overflowX !== 'visible') { left = Math.max(left, edge.left); right = Math.min(right, edge.right); }
    }
    left = Math.max(left, 0); top = Math.max(top, 0);
    right = Math.min(right, innerWidth); bottom = Math.min(bottom, innerHeight);
    const high = bottom - top;
    if (right - left < 2 || high < 4) return;
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (hit && !hit.contains(element) && !element.contains(hit)) return;
    // A line that an open panel covers, even partly, is not measured.
    const panel = document.querySelector('.comfort-popover, .language-popover');
    const edge = panel && !panel.contains(element) ? panel.getBoundingClientRect() : null;
    if (edge && edge.left < right && edge.right > left && edge.top < bottom && edge.bottom > top) return;
    let cover = 1;
    for (let frame = element; frame; frame = frame.parentElement) cover *= Number(getComputedStyle(frame).opacity);
    const [red, green, blue, alpha] = read(colour);
    const size = Number.parseFloat(style.fontSize) * (element.ownerSVGElement ? element.getScreenCTM().a : 1);
    lines.push({
      name: element.tagName.toLowerCase() + '.' + [...element.classList].join('.'),
      text: text.slice(0, 40),
      colour: [red, green, blue],
      cover: cover * alpha / 255,
      large: size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700),
      box: { x: left, y: top + high * 0.15, width: right - left, height: high * 0.7 },
    });
  };
  for (const element of document.querySelectorAll('body *')) {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest('.only-heard, [data-disabled], :disabled, .hero-picture')) continue;
    const style = getComputedStyle(element);
    if (element.matches('input:not([type=checkbox], [type=radio], [type=range]), textarea')) {
      const own = element.value !== '';
      const { color } = own ? style : getComputedStyle(element, '::placeholder');
      const text = own ? element.value : element.placeholder;
      if (text !== '') tell(element, text, style, color, element.getBoundingClientRect());
    }
    for (const node of element.childNodes) {
      if (node.nodeType !== 3 || node.textContent.trim() === '') continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const colour = element.ownerSVGElement ? style.fill : style.color;
      for (const box of range.getClientRects()) tell(element, node.textContent.trim(), style, colour, box);
    }
  }
  return lines;
}`;
