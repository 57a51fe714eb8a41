/**
 * `npm run bench -- queue`: how long visitors at the demo wait for their screen. It measures the time from the press on
 * a demo badge to the painted name, for single visitors. It also measures the time from the last key of a scanner to
 * the painted name, for five visitors 1.6 s apart and for five visitors 0.4 s apart.
 *
 * Invariants:
 * - It uses the app as users start it, and Chromium, but no reader.
 * - Painted means that the frame was submitted.
 * - If a visitor is not greeted, the bench fails.
 * - Each figure is compared with the median of the single visitors.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import badges from '../../assets/demo/badges.json' with { type: 'json' };
import { startApp } from '../launch/running-app.ts';
import { openPage, startBrowser, waitFor } from '../renderer/browser.ts';
import { buildRenderer } from '../renderer/build-renderer.ts';
import { scan } from '../renderer/device/scan.ts';
import { quantile, type Row } from './figures.ts';

const five = ['amelie', 'lena', 'pieter', 'giulia', 'olga'].map(
  (alias) => badges.find((badge) => badge.alias === alias) ?? { code: '', name: alias },
);
const rounds = 6;
/** Longer than the debounce time of a resting badge. */
const between = 4_000;

/** `window.greetings`: each new greeting, and the time at which its frame was submitted. */
const observe = `{
  window.greetings = [];
  let last = '';
  const main = document.querySelector('main');
  new MutationObserver(() => {
    const words = main.dataset.view === 'captured' ? main.querySelector('h1').textContent : '';
    if (words !== '' && words !== last) requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => window.greetings.push({ words, at: performance.timeOrigin + performance.now() });
      port2.postMessage(0);
    });
    last = words;
  }).observe(main, { subtree: true, childList: true, attributes: true, characterData: true });
}`;

type Greeting = { readonly words: string; readonly at: number };

/** The time of the first greeting of `name` after `from`. */
async function greetedAt(page: Page, name: string, from: number): Promise<number> {
  const first = name.split(' ')[0] ?? name;
  for (let asked = 0; asked < 2_000; asked += 1) {
    const greetings = await page.evaluate<Greeting[]>('window.greetings');
    const mine = greetings.find(({ words, at }) => at >= from && words.includes(first));
    if (mine) return mine.at;
    await delay(5);
  }
  throw new Error(`Expected ${name} to be greeted within 10 s`);
}

/** Waits until the screen is idle and earlier badges are no longer treated as resting. */
async function rest(page: Page): Promise<void> {
  await delay(between);
  await page.keyboard.press('Escape');
  await waitFor(page, '.display[data-view="attract"]');
}

/** Milliseconds from each scan to the name on the screen. The scans are `apart` milliseconds apart. */
async function line(page: Page, apart: number): Promise<readonly number[]> {
  const start = Date.now();
  const scanned: number[] = [];
  for (const [place, { code }] of five.entries()) {
    await delay(Math.max(start + place * apart - Date.now(), 0));
    await scan(page, `${code}\n`);
    scanned.push(Date.now());
  }
  const waits: number[] = [];
  for (const [place, { name }] of five.entries())
    waits.push((await greetedAt(page, name, start)) - (scanned[place] ?? start));
  return waits;
}

/** Milliseconds from a press on each demo badge to the name on the screen. */
async function presses(page: Page): Promise<readonly number[]> {
  const waits: number[] = [];
  for (const { name } of five) {
    await rest(page);
    const badge = page.locator('.tray-badge', { hasText: name });
    await badge.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await badge.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    const pressed = Date.now();
    await page.mouse.up();
    waits.push((await greetedAt(page, name, pressed)) - pressed);
  }
  return waits;
}

/** The figures of this bench. */
export async function* bench(): AsyncGenerator<Row> {
  await buildRenderer();
  const folder = mkdtempSync(join(tmpdir(), 'touchpoint-queue-'));
  const app = startApp(folder);
  const browser = await startBrowser();
  try {
    const [, address = ''] = await app.line(/^Touchpoint is ready: (\S+)$/);
    const { page } = await openPage(browser, address, {
      size: { name: 'landscape', width: 1920, height: 1080 },
      language: 'en',
      still: false,
    });
    await waitFor(page, '.notice-brief');
    await page.evaluate(observe);
    await page.locator('.tray-handle').click();
    const alone = [...(await presses(page)), ...(await presses(page))];
    await page.locator('.tray-handle').click();
    const baseline = quantile(alone, 0.5);
    const row = (metric: string, value: number): Row => {
      const [ms, ratio] = [Math.round(value), Number((value / baseline).toPrecision(4))];
      return { bench: 'queue', metric, value: ms, unit: 'ms', baseline: Math.round(baseline), ratio };
    };
    yield row('press to outcome p50', baseline);
    yield row('press to outcome, slowest', Math.max(...alone));
    for (const apart of [1_600, 400]) {
      const waits: (readonly number[])[] = [];
      for (let round = 0; round < rounds; round += 1) {
        await rest(page);
        waits.push(await line(page, apart));
      }
      for (const place of five.keys())
        yield row(
          `five ${apart} ms apart: number ${place + 1}, slowest of ${rounds}`,
          Math.max(...waits.map((all) => all[place] ?? Number.NaN)),
        );
    }
  } finally {
    await browser.close();
    app.child.kill('SIGTERM');
    await app.ended;
    rmSync(folder, { recursive: true, force: true });
  }
}
