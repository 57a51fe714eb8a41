/** Regression tests for what once delayed a result on the screen: an extra view, animations, fonts. */
import { expect, it } from 'vitest';
import { holdTime, openPage, waitFor } from '../../browser.ts';
import { captured, capturedForLong } from '../../device/captured.ts';
import { laptop, showDisplay } from '../../device/shown-display.ts';

const { browser, scripted, page } = await showDisplay();

const reading = { kind: 'reading', at: 0 } as const;
const shows = (view: string) => waitFor(page, `.display[data-view="${view}"]`);

it('a reading with an immediate outcome is not drawn, but a longer one is', async () => {
  await page.evaluate(`{
    const display = document.querySelector('.display');
    window.views = [];
    new MutationObserver(() => window.views.push(display.dataset.view))
      .observe(display, { attributes: true, attributeFilter: ['data-view'] });
  }`);
  // The test controls the clock, so no time passes between the two.
  await holdTime(page);
  scripted.tap(reading);
  scripted.tap(captured());
  await shows('captured');
  await page.keyboard.press('Escape');
  await shows('attract');
  await page.clock.resume();
  scripted.tap(reading);
  await shows('reading');
  scripted.tap({ kind: 'notRead', at: 0, reason: 'pulled' });
  await shows('notRead');
  expect(await page.evaluate('window.views')).toEqual([
    ...['captured', 'attract'],
    ...['reading', 'notRead'],
  ]);
});

it('a result that does not change has no running animation, although its countdown continues', async () => {
  const { page: moving } = await openPage(browser, scripted.url, {
    size: laptop,
    language: 'en',
    still: false,
  });
  await waitFor(moving, '.display[data-view="attract"]');
  scripted.tap(capturedForLong());
  await waitFor(moving, '.display[data-view="captured"]');
  const evaluate = (what: string) => moving.evaluate(what);
  const running = `document.getAnimations().filter(({ playState }) => playState === 'running').length`;
  await expect.poll(() => evaluate(running)).toBe(0);
  const offset = () =>
    evaluate(`parseFloat(getComputedStyle(document.querySelector('.countdown-left')).strokeDashoffset)`);
  const seconds = () => moving.locator('.countdown text').textContent();
  const before = { offset: await offset(), seconds: await seconds() };
  await expect.poll(seconds).not.toBe(before.seconds);
  expect(await offset()).toBeGreaterThan(Number(before.offset));
  expect(await evaluate(running)).toBe(0);
  await moving.context().close();
});

it('fonts for names in other scripts are loaded beforehand, in every language, and leave nothing on the page', async () => {
  await page.addInitScript(`{
    window.lookedUp = [];
    new MutationObserver((changes) => changes.forEach(({ target, addedNodes, removedNodes }) => {
      if (target !== document.body) return;
      for (const node of removedNodes) window.lookedUp.push('gone');
      for (const node of addedNodes) window.lookedUp.push(node.lang + ' ' + node.ariaHidden + ' ' + node.style.visibility);
    })).observe(document, { childList: true, subtree: true });
  }`);
  await page.reload();
  const lookUps = () => page.evaluate(`window.lookedUp.filter((what) => what === 'gone').length`);
  await expect.poll(lookUps, { timeout: 40_000 }).toBeGreaterThanOrEqual(20);
  const lookedUp = (await page.evaluate('window.lookedUp')) as string[];
  expect(await page.locator('body > span').count()).toBe(0);
  for (const language of ['en', 'ar', 'ja', 'zh']) expect(lookedUp).toContain(`${language} true hidden`);
});
