/** The fonts that the page looks up before a visitor waits for them, in real Chromium. */
import { expect, it } from 'vitest';
import { waitFor } from '../browser.ts';
import { capturedForLong } from '../device/captured.ts';
import { showDisplay } from '../device/shown-display.ts';

/**
 * Collects in `lookedUp` language, weight, size and spacing of each invisible text that the page adds, as
 * precisely as the browser keeps them.
 */
const collects = `{
  window.lookedUp = new Set();
  window.fontOf = (language, style) =>
    [language, ...['font-weight', 'font-size', 'letter-spacing'].map((name) => {
      const value = style.get(name)?.value;
      return typeof value === 'number' ? Math.fround(value) : value;
    })].join(' ');
  addEventListener('DOMContentLoaded', () =>
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const { style, lang, attributeStyleMap } of addedNodes)
          if (style?.visibility === 'hidden') window.lookedUp.add(window.fontOf(lang, attributeStyleMap));
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
    const font = window.fontOf('${language}', texts.currentNode.parentElement.computedStyleMap());
    fonts.set(font, texts.currentNode.data);
  }
  return [fonts.size, ...[...fonts].filter(([font]) => !window.before.includes(font))];
})()`;

const headlineSize = `getComputedStyle(document.querySelector('.display .headline')).fontSize`;

const { scripted, page } = await showDisplay();
await page.addInitScript(collects);

it('after a result in one language, the fonts of the same result in another script are known', async () => {
  scripted.tap(capturedForLong());
  await waitFor(page, '.display[data-view="captured"]');
  await page.evaluate(settles);
  const inEnglish = await page.evaluate(headlineSize);
  for (const language of ['ar', 'ja', 'zh']) {
    scripted.tap(capturedForLong({ visitor: { name: '大輔 小林', company: null, language } }));
    await waitFor(page, `html:lang(${language}) .display[data-view="captured"]`);
    const [fonts, ...unknown] = await page.evaluate<[number, ...unknown[]]>(missing(language));
    expect(fonts).toBeGreaterThan(7);
    expect(unknown, language).toEqual([]);
    expect(await page.evaluate(headlineSize)).not.toBe(inEnglish);
  }
});

it('a view whose fonts are known is not measured again in the other languages', async () => {
  const showResult = async () => {
    scripted.tap(capturedForLong());
    await waitFor(page, '.display[data-view="captured"]');
    await page.evaluate(settles);
  };
  await showResult();
  await page.keyboard.press('Escape');
  await waitFor(page, '.display[data-view="attract"]');
  await page.evaluate(`{
    window.turns = 0;
    new MutationObserver((changes) => { window.turns += changes.length; })
      .observe(document.documentElement, { attributeFilter: ['lang'] });
  }`);
  await showResult();
  expect(await page.evaluate('window.turns')).toBe(0);
});
