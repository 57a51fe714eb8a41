/** The fonts that the page looks up before a visitor waits for them, in real Chromium. */
import { expect, it } from 'vitest';
import { waitFor } from '../browser.ts';
import { capturedForLong } from '../device/captured.ts';
import { showDisplay } from '../device/shown-display.ts';

/** Collects in `lookedUp` the language, weight and size of each invisible text that the page adds. */
const collects = `{
  window.lookedUp = new Set();
  addEventListener('DOMContentLoaded', () =>
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const { style, lang } of addedNodes)
          if (style?.visibility === 'hidden') window.lookedUp.add([lang, style.fontWeight, style.fontSize].join(' '));
    }).observe(document.body, { childList: true }));
}`;

/** The fonts of the display's texts that were not looked up for these languages. */
const missing = `(() => {
  const texts = document.createTreeWalker(document.querySelector('.display'), NodeFilter.SHOW_TEXT);
  const fonts = new Set();
  while (texts.nextNode()) {
    const { fontWeight, fontSize } = getComputedStyle(texts.currentNode.parentElement);
    for (const language of ['ar', 'ja', 'zh']) fonts.add([language, fontWeight, fontSize].join(' '));
  }
  return [fonts.size, ...[...fonts].filter((font) => !window.lookedUp.has(font))];
})()`;

const { scripted, page } = await showDisplay();
await page.addInitScript(collects);

it('after a result in one language, the fonts of its texts are looked up for the other scripts', async () => {
  scripted.tap(capturedForLong());
  await waitFor(page, '.display[data-view="captured"]');
  await expect.poll(() => page.evaluate<unknown[]>(missing)).toEqual([expect.any(Number)]);
  const [fonts] = await page.evaluate<readonly number[]>(missing);
  expect(fonts).toBeGreaterThan(15);
});
