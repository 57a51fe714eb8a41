/**
 * The time from a key press in the search of leads to its painted lines, with 50,000 leads, in the app as users start
 * it.
 *
 * Invariants:
 * - Each search is typed letter by letter.
 * - The time runs from the key's own event to the first frame with the final content of the list.
 * - A key that does not change the list has nothing to paint, so it is not counted.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Page } from '@playwright/test';
import messages from '../../../src-renderer/messages/staff-en.json' with { type: 'json' };
import { startApp } from '../../launch/running-app.ts';
import { startBrowser } from '../../renderer/browser.ts';
import { buildRenderer } from '../../renderer/build-renderer.ts';
import { quantileRows, type Row } from '../figures.ts';
import { fillJournal, LEADS } from './fair.ts';

/** The stand of the demo event. */
const PARTNER = 'AD2026P001';
const PIN = '2580';
/** The pause after each key: longer than any answer takes. */
const SETTLED_MS = 700;
/**
 * How often each search is typed: most keys change no line, and of twenty samples the 95th percentile would
 * be the maximum.
 */
const ROUNDS = 4;

/**
 * Records the time of a key press (from its own event) and the text of `target` in each later frame that changed it.
 * For a letter without a key, the time is that of the event that is about to insert it.
 */
const observe = (target: string): string => `{
  const list = document.querySelector('${target}');
  window.begin = () => { window.pressed = 0; window.frames = []; };
  window.begin();
  addEventListener('keydown', ({ key, timeStamp }) => { if (key.length === 1) window.pressed = timeStamp; }, { capture: true });
  addEventListener('beforeinput', ({ timeStamp }) => { window.pressed ||= timeStamp; }, { capture: true });
  new MutationObserver(() => requestAnimationFrame(() => {
    const said = list.textContent;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { window.frames.push({ said, at: performance.now() }); };
    port2.postMessage(0);
  })).observe(list, { attributes: true, childList: true, characterData: true, subtree: true });
  window.time = () => {
    const shown = window.frames.find(({ said }) => said === list.textContent);
    return shown && window.pressed > 0 ? shown.at - window.pressed : null;
  };
}`;

/** Types a letter. Returns the milliseconds until the frame with its final content, or null if nothing changed. */
const typed = async (page: Page, letter: string): Promise<number | null> => {
  await page.evaluate('window.begin()');
  // A letter without a key on this keyboard is inserted as an input method does it.
  if (/^[\w +]$/.test(letter)) await page.keyboard.press(letter);
  else await page.keyboard.insertText(letter);
  await delay(SETTLED_MS);
  return await page.evaluate<number | null>('window.time()');
};

/** The same measurement on a bare page that only shows the typed text. */
const measureBare = async (browser: Browser): Promise<readonly number[]> => {
  const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
  await page.setContent('<input><p></p>');
  await page.evaluate(
    `document.querySelector('input').oninput = ({ target }) => { document.querySelector('p').textContent = target.value; }`,
  );
  await page.evaluate(observe('p'));
  await page.locator('input').focus();
  const times: number[] = [];
  for (const letter of 'abcdefghijklmnopqrst') times.push((await typed(page, letter)) ?? Number.NaN);
  await page.close();
  return times;
};

/** Measures these searches in a temporary folder. */
export async function* paintedSearchRows(folder: string, searches: readonly string[]): AsyncGenerator<Row> {
  mkdirSync(folder, { mode: 0o700 });
  await buildRenderer();
  fillJournal(folder, { partner: PARTNER, touchpoint: null }).close();
  const app = startApp(folder);
  const browser = await startBrowser();
  try {
    const [, address = ''] = await app.line(/^Touchpoint is ready: (\S+)$/);
    const page = await browser.newPage({ viewport: { width: 1920, height: 1080 }, locale: 'en' });
    await page.goto(address);
    await page.locator('main[data-view="attract"]').waitFor({ timeout: 120_000 });
    await page.keyboard.press('F2');
    await page.getByLabel('PIN').waitFor();
    await page.keyboard.type(PIN, { delay: 60 });
    await page.keyboard.press('Enter');
    // All lines are there, and the page no longer reports that it is reading.
    await page
      .locator('.counts')
      .filter({ hasText: LEADS.toLocaleString('en'), hasNotText: messages['list.reading'] })
      .waitFor({ timeout: 300_000 });
    await page.locator('.lead-lines').waitFor();
    await page.evaluate(observe('.lead-lines'));
    const field = page.locator('.search-input');
    const times: number[] = [];
    for (const search of Array.from({ length: ROUNDS }, () => searches).flat()) {
      await field.fill('');
      await field.focus();
      await delay(SETTLED_MS);
      for (const letter of search) {
        const time = await typed(page, letter);
        if (time !== null) times.push(time);
      }
    }
    await page.close();
    const bare = await measureBare(browser);
    yield* quantileRows(
      'leads',
      `key in the search to painted lines, ${times.length} keys, beside a bare page,`,
      'ms',
      times,
      bare,
    );
  } finally {
    await browser.close();
    app.child.kill('SIGTERM');
    await app.ended;
    rmSync(folder, { recursive: true, force: true });
  }
}
