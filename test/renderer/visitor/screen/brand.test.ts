/**
 * The partner's logo and colour: every picture, or the first letter in its place, is visible, and nothing moves. An
 * ordinary run shows every shape of logo in two of the four sizes, which the seed of the run selects.
 */
import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Picture } from '../../../../src-main/contract/stand.ts';
import { isDue } from '../../../thoroughness.ts';
import { openPage, sizes, startBrowser, waitFor } from '../../browser.ts';
import { buildRenderer } from '../../build-renderer.ts';
import { openScriptedDevice, type ScriptedDevice } from '../../device/scripted-device.ts';
import { layoutFaults } from '../../screens/layout-faults.ts';

let browser: Browser;
let scripted: ScriptedDevice;

beforeAll(async () => {
  scripted = await openScriptedDevice(await buildRenderer());
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await scripted?.close();
});

/** A picture drawn in the browser; `paint` draws on the canvas `c`. */
async function drawn(page: Page, width: number, height: number, paint: string): Promise<Picture> {
  const address = await page.evaluate<string>(
    `(() => {
      const canvas = document.createElement('canvas');
      canvas.width = ${width};
      canvas.height = ${height};
      const c = canvas.getContext('2d');
      ${paint}
      return canvas.toDataURL('image/png');
    })()`,
  );
  return { address, width, height };
}

/**
 * Shows `picture` as the stand's logo and waits until the page knows which ground it needs. Returns that ground
 * (`any`, `light` or `dark`) and the colour of the plate below the logo.
 */
async function showLogo(page: Page, name: string, picture: Picture): Promise<readonly [string, string]> {
  scripted.pictures = new Map([[name, picture]]);
  scripted.setStand({ brand: { colour: null, logo: name } });
  // The earlier logo stays until this one has loaded. Only the address tells them apart.
  const found = `(() => {
    const logo = document.querySelector('.brand-logo');
    if (logo?.querySelector('img')?.src !== ${JSON.stringify(picture.address)}) return null;
    const { ground } = logo.dataset;
    return ground === 'waiting' ? null : [ground, getComputedStyle(logo).backgroundColor];
  })()`;
  let shown: readonly [string, string] | null = null;
  await expect.poll(async () => (shown = await page.evaluate(found)), { timeout: 40_000 }).not.toBeNull();
  if (shown === null) throw new Error('The logo is not there');
  return shown;
}

const laptop = { name: 'laptop', width: 1280, height: 800 };
const none = 'rgba(0, 0, 0, 0)';

const fill = (colour: string) => `c.fillStyle = '${colour}'; c.fillRect(0, 0, canvas.width, canvas.height);`;
const ball = (colour: string) =>
  `c.fillStyle = '${colour}'; c.arc(canvas.width / 2, canvas.height / 2, canvas.height / 3, 0, 7); c.fill();`;

const logos = [
  ['8,000 px', 8_000, 8_000, fill('#0a6')],
  ['very wide', 4_000, 40, fill('#0a6')],
  ['very tall', 40, 4_000, fill('#0a6')],
  ['see-through and dark', 400, 200, ball('#123')],
  ['see-through and white', 400, 200, ball('#fff')],
  ['white on white', 400, 200, fill('#fff')],
  ['one pixel', 1, 1, fill('#0a6')],
] as const;

describe('a logo', () => {
  it.each(sizes.filter((_size, index) => isDue(index, 2)).map((size) => [size.name, size] as const))(
    'breaks no layout, whatever its shape, %s',
    {
      timeout: 90_000,
    },
    async (_name, size) => {
      const { page, complaints } = await openPage(browser, scripted.url, { size, language: 'en' });
      await waitFor(page, '.brand-tile');
      const rest = await page.locator('.words').boundingBox();
      const found: string[] = [];
      for (const [name, width, height, paint] of logos) {
        await showLogo(page, name, await drawn(page, width, height, paint));
        const faults = await layoutFaults(page, { smallest: 14, mayCut: false, mayScroll: false });
        const box = await page.locator('.brand-logo').boundingBox();
        if (!box || box.width < 30 || box.height < 30 || box.width > size.width / 2)
          faults.push('is out of size');
        if (JSON.stringify(await page.locator('.words').boundingBox()) !== JSON.stringify(rest))
          faults.push('moved the words');
        found.push(...faults.map((fault) => `${name}: ${fault}`));
      }
      expect(found).toEqual([]);
      expect(complaints).toEqual([]);
      scripted.setStand({ brand: { colour: null, logo: null } });
      await page.context().close();
    },
  );

  it.each([
    ['light', false],
    ['dark', true],
  ] as const)('has a plate only where it would be invisible on the %s page', async (_name, dark) => {
    const { page } = await openPage(browser, scripted.url, { size: laptop, language: 'en', dark });
    await waitFor(page, '.brand-tile');
    const [white, ink] = ['rgb(255, 255, 255)', 'rgb(20, 23, 31)'];
    for (const [name, paint, ground, plate] of [
      ['white', ball('#fff'), 'dark', dark ? none : ink],
      ['ink', ball('#123'), 'light', dark ? white : none],
      ['red', ball('#d43'), 'any', none],
      ['poster', fill('#fff'), 'any', none],
    ] as const) {
      const shown = await showLogo(page, name, await drawn(page, 200, 100, paint));
      expect([name, ...shown]).toEqual([name, ground, plate]);
    }
    scripted.setStand({ brand: { colour: null, logo: null } });
    await page.context().close();
  });

  it('replaces the visible name if it is six times as wide as high; a screen reader gets the name', async () => {
    const { page } = await openPage(browser, scripted.url, { size: laptop, language: 'en' });
    await waitFor(page, '.brand-name');
    scripted.pictures = new Map([['wordmark', await drawn(page, 600, 100, fill('#0a6'))]]);
    scripted.setStand({ brand: { colour: null, logo: 'wordmark' } });
    await waitFor(page, '.brand-logo[data-wide="true"] img');
    const box = await page.locator('.brand-logo img').boundingBox();
    expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(6, 1);
    expect(box?.width).toBeGreaterThan(laptop.width / 8);
    expect(await page.locator('.brand-name').count()).toBe(0);
    expect(await page.locator('.brand').innerText()).toBe('Northwind Robotics');
    expect((await page.locator('.brand bdi').boundingBox())?.width).toBeLessThan(2);
    scripted.setStand({ brand: { colour: null, logo: null } });
    await page.context().close();
  });

  it('is replaced by the first letter of the name if it is broken or missing', async () => {
    const { page } = await openPage(browser, scripted.url, {
      size: { name: 'laptop', width: 1280, height: 800 },
      language: 'en',
    });
    scripted.pictures = new Map([
      ['broken', { address: 'data:image/png;base64,AAAA', width: 10, height: 10 }],
    ]);
    for (const logo of ['broken', 'nowhere']) {
      scripted.setStand({ brand: { colour: null, logo } });
      await waitFor(page, '.brand-tile');
      await expect.poll(() => page.locator('.brand-tile').textContent()).toBe('N');
    }
    scripted.setStand({ brand: { colour: null, logo: null } });
    await page.context().close();
  });
});

describe("the stand's colour", () => {
  it('replaces the usual colour; an invalid one is ignored', async () => {
    const { page } = await openPage(browser, scripted.url, {
      size: { name: 'laptop', width: 1280, height: 800 },
      language: 'en',
    });
    await waitFor(page, '.tools');
    const brand = () =>
      page.evaluate<string>("getComputedStyle(document.documentElement).getPropertyValue('--brand')");
    expect(await brand()).toBe('#1f4bd8');
    scripted.setStand({ brand: { colour: '#8a1538', logo: null } });
    await expect.poll(brand).toBe('#8a1538');
    scripted.setStand({ brand: { colour: 'url(//x)', logo: null } });
    await expect.poll(brand).toBe('#1f4bd8');
    await page.context().close();
  });
});
