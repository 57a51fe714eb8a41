/** Forced colours: edges, states and the focus are visible without shadows and tints. */
import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeCamera, openPage, startBrowser } from '../browser.ts';
import { buildRenderer } from '../build-renderer.ts';
import { openScriptedDevice, type ScriptedDevice } from '../device/scripted-device.ts';
import { bringTo } from './screen.ts';
import { screens } from './screens.ts';

let browser: Browser;
let scripted: ScriptedDevice;
let page: Page;

beforeAll(async () => {
  browser = await startBrowser(fakeCamera);
  scripted = await openScriptedDevice(await buildRenderer());
  const size = { name: 'laptop', width: 1280, height: 800 };
  ({ page } = await openPage(browser, scripted.url, { size, language: 'en' }));
  await page.emulateMedia({ forcedColors: 'active' });
});
afterAll(async () => {
  await browser?.close();
  await scripted?.close();
});

const bring = (name: string) => {
  const screen = screens.find((one) => one.name === name);
  if (!screen) throw new Error(`There is no screen "${name}"`);
  return bringTo(screen, scripted, page);
};
const style = (selector: string, property: string) =>
  page.evaluate<string>(
    `getComputedStyle(document.querySelector(${JSON.stringify(selector)}))[${JSON.stringify(property)}]`,
  );

/** Controls and fields with neither an edge nor an underline. */
const edgeless = `[...document.querySelectorAll('#root button, #root input, #root .switch, #root .card')]
  .filter((one) => one.checkVisibility() && one.offsetWidth > 1 && !one.closest('.only-heard, .card, .content-picker-search, label') || one.matches('.card'))
  .filter((one) => {
    const { borderTopWidth, borderTopColor, textDecorationLine } = getComputedStyle(one);
    const drawn = one.querySelector('.rating-mark') !== null;
    return !drawn && textDecorationLine !== 'underline' && (Number.parseFloat(borderTopWidth) < 1 || borderTopColor === 'rgb(255, 255, 255)');
  })
  .map((one) => one.className)`;

/** Letters in the colour of the page, where the browser lays a plate in this colour behind them. */
const vanished = `(() => {
  const canvas = document.body.appendChild(document.createElement('i'));
  canvas.style.cssText = 'forced-color-adjust: none; color: Canvas';
  const { color } = getComputedStyle(canvas);
  canvas.remove();
  return [...document.querySelectorAll('#root *')]
    .filter((one) => one.checkVisibility() && !one.closest('svg, .only-heard'))
    .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
    .filter((one) => getComputedStyle(one).forcedColorAdjust === 'auto' && getComputedStyle(one).color === color)
    .map((one) => one.className + ': ' + one.textContent);
})()`;

describe('with forced colours', () => {
  it.each([
    ...['attract-notice', 'captured-content', 'consent', 'question-several', 'question-rating'],
    ...['content-picker', 'typing', 'goodbye'],
  ])('every control on %s has an edge', async (name) => {
    await bring(name);
    expect(await page.evaluate<string[]>(edgeless)).toEqual([]);
  });

  it('a selected option differs from the others', async () => {
    await bring('consent');
    const on = await style('.switch[data-selected] .switch-track', 'backgroundColor');
    expect(on).not.toBe(await style('.switch:not([data-selected]) .switch-track', 'backgroundColor'));
    await bring('question-several');
    await page.locator('.answer').first().click();
    const chosen = await style('.answer[data-selected]', 'backgroundColor');
    expect(chosen).not.toBe(await style('.answer:not([data-selected])', 'backgroundColor'));
    expect(chosen).not.toBe(await style('.answer[data-selected]', 'color'));
    await bring('languages');
    const used = await style('.language[data-selected]', 'backgroundColor');
    expect(used).not.toBe(await style('.language:not([data-selected])', 'backgroundColor'));
  });

  it('the focus is visible, and a code for phones stays dark on white', async () => {
    await bring('attract-notice');
    await page.keyboard.press('Tab');
    expect(await style(':focus-visible', 'outlineWidth')).toBe('4px');
    expect(await style(':focus-visible', 'outlineStyle')).toBe('solid');
    await bring('notice');
    expect(await style('.qr', 'backgroundColor')).toBe('rgb(255, 255, 255)');
    expect(await style('.qr-ink', 'fill')).toBe('rgb(20, 23, 31)');
  });

  it.each(['content-detail', 'content-picker', 'captured-content', 'consent'])(
    'no letters on %s vanish on the plate that the browser lays behind them',
    async (name) => {
      await bring(name);
      expect(await page.evaluate<string[]>(vanished)).toEqual([]);
    },
  );

  it('the keys of the PIN have edges', async () => {
    await bring('staff-entry');
    expect(await page.evaluate<string[]>(edgeless)).toEqual([]);
  });
});
