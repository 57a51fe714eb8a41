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

/** A system colour as the page computes it. */
const systemColour = (name: string) =>
  page.evaluate<string>(`(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.cssText = 'forced-color-adjust: none; color: ${name}';
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  })()`);

/** Controls and fields that have neither an edge nor an underline. */
const edgeless = `[...document.querySelectorAll('#root button, #root input, #root .switch, #root .card')]
  .filter((one) => one.checkVisibility() && one.offsetWidth > 1 && !one.closest('.only-heard, .card, .content-picker-search, label') || one.matches('.card'))
  .filter((one) => {
    const { borderTopWidth, borderTopColor, textDecorationLine } = getComputedStyle(one);
    const drawn = one.querySelector('.rating-mark') !== null;
    return !drawn && textDecorationLine !== 'underline' && (Number.parseFloat(borderTopWidth) < 1 || borderTopColor === 'rgb(255, 255, 255)');
  })
  .map((one) => one.className)`;

/** Letters in the colour of the page: the browser draws a plate of the same colour behind them. */
const vanished = (canvas: string) => `[...document.querySelectorAll('#root *')]
  .filter((one) => one.checkVisibility() && !one.closest('svg, .only-heard'))
  .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
  .filter((one) => getComputedStyle(one).forcedColorAdjust === 'auto' && getComputedStyle(one).color === '${canvas}')
  .map((one) => one.className + ': ' + one.textContent)`;

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
    'no letters on %s vanish on the plate that the browser draws behind them',
    async (name) => {
      await bring(name);
      expect(await page.evaluate<string[]>(vanished(await systemColour('Canvas')))).toEqual([]);
    },
  );

  it('the keys of the PIN have edges', async () => {
    await bring('staff-entry');
    expect(await page.evaluate<string[]>(edgeless)).toEqual([]);
  });

  it('a disabled control is grey, including the primary one', async () => {
    await bring('question-text');
    const next = '.step-actions .action-strong';
    expect(await style(next, 'color')).toBe(await systemColour('GrayText'));
    expect(await style(next, 'backgroundColor')).toBe(await systemColour('Canvas'));
  });

  it('texts have no frame, and the plate behind a line covers no letters above it', async () => {
    await bring('captured');
    await page.keyboard.press('Shift');
    await page.locator('.words').focus();
    expect(await style('.words', 'outlineStyle')).toBe('none');
    expect(await style('.headline', 'forcedColorAdjust')).toBe('none');
  });

  it('a lead shows its labels and stars: letters differ from their background, and filled stars from empty ones', async () => {
    await bring('staff-few');
    await page.locator('.star-key').nth(2).click();
    await page.locator('.star-key[data-on="false"]').first().waitFor();
    const label = page.locator('.lead-labels .label-chip').first();
    if ((await label.getAttribute('aria-pressed')) !== 'true') await label.click();
    await page.locator('.label-chip[data-selected]').first().waitFor();
    const chip = '.label-chip[data-selected]';
    const ground = await page.evaluate<string>(
      `getComputedStyle(document.querySelector(${JSON.stringify(chip)}), '::before').backgroundColor`,
    );
    expect(ground).not.toBe(await style(chip, 'color'));
    expect(ground).not.toBe('rgba(0, 0, 0, 0)');
    expect(await style('.star-key[data-on="true"]', 'color')).not.toBe(
      await style('.star-key[data-on="false"]', 'color'),
    );
  });
});
