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

/** Waits until ten idle moments have added no new font, and stores the fonts known by then in `before`. */
const settles = `(async () => {
  for (let idle = 0; idle < 10; idle += 1) {
    const { size } = window.lookedUp;
    await new Promise((resolve) => requestIdleCallback(resolve));
    if (window.lookedUp.size > size) idle = 0;
  }
  window.before = [...window.lookedUp];
})()`;

/** Which of the display's texts, now in this language, have a font that was not looked up by `before`. */
const missing = (language: string) => `(() => {
  const texts = document.createTreeWalker(document.querySelector('.display'), NodeFilter.SHOW_TEXT);
  const fonts = new Map();
  while (texts.nextNode()) {
    const { fontWeight, fontSize } = getComputedStyle(texts.currentNode.parentElement);
    fonts.set(['${language}', fontWeight, fontSize].join(' '), texts.currentNode.data);
  }
  return [fonts.size, ...[...fonts].filter(([font]) => !window.before.includes(font))];
})()`;

const { scripted, page } = await showDisplay();
await page.addInitScript(collects);

it.each(['ar', 'ja', 'zh'])(
  'after a result in one language, the fonts of the same result in %s are known',
  async (language) => {
    scripted.tap(capturedForLong());
    await waitFor(page, '.display[data-view="captured"]');
    const size = '.display .headline';
    await page.evaluate(settles);
    const inEnglish = await page.locator(size).evaluate((element) => getComputedStyle(element).fontSize);
    scripted.tap(capturedForLong({ visitor: { name: '大輔 小林', company: null, language } }));
    await waitFor(page, `html:lang(${language}) .display[data-view="captured"]`);
    const [fonts, ...unknown] = await page.evaluate<[number, ...unknown[]]>(missing(language));
    expect(fonts).toBeGreaterThan(7);
    expect(unknown).toEqual([]);
    expect(await page.locator(size).evaluate((element) => getComputedStyle(element).fontSize)).not.toBe(
      inEnglish,
    );
  },
);
