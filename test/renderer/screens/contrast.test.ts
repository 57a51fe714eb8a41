/** The contrast check finds exactly the texts that are too faint, on a single colour and on a gradient. */
import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../browser.ts';
import { contrastFaults, enoughContrast } from './contrast.ts';

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await startBrowser();
  page = await browser.newPage();
});
afterAll(() => browser?.close());

const said = async (body: string) => {
  await page.setContent(`<style>p { width: 400px; font: 16px sans-serif }</style>${body}`);
  return contrastFaults(page, enoughContrast.usual);
};

describe('the contrast of a text', () => {
  it('is reported with the text if it is too low on a single colour', async () => {
    expect(await said('<p style="color: #999">Faint</p><p style="color: #333">Dark</p>')).toEqual([
      expect.stringMatching(/^p\. reaches 2\.8\d of 4\.5: Faint$/),
    ]);
  });
  it('is that at the worst end of a gradient', async () => {
    const ends = (to: string) =>
      `<p style="display: inline-block; width: auto; background: linear-gradient(90deg, white, ${to})">On a gradient</p>`;
    expect(await said(ends('#555'))).toHaveLength(1);
    expect(await said(ends('#ddd'))).toEqual([]);
  });
  it('is measured on a popover, and the page shows its letters again afterwards', async () => {
    await page.setContent('<div popover style="color: #999">Open</div>');
    await page.evaluate('document.querySelector("[popover]").showPopover()');
    expect(await contrastFaults(page, enoughContrast.usual)).toHaveLength(1);
    expect(await page.evaluate('document.adoptedStyleSheets.length')).toBe(0);
  });
});
