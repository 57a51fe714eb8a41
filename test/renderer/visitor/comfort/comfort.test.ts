/** Comfort settings for the current visitor: low reach, high contrast, large text. They last only for the session. */
import type { Browser, Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { holdTime, openPage, startBrowser, waitFor } from '../../browser.ts';
import { buildRenderer } from '../../build-renderer.ts';
import { captured } from '../../device/captured.ts';
import { everyQuestion, fullStand } from '../../device/demo-stand.ts';
import { plainStand } from '../../device/healthy-device.ts';
import { openScriptedDevice, type ScriptedDevice } from '../../device/scripted-device.ts';
import { layOut } from '../../screens/session-screens.ts';

const size = { name: 'landscape', width: 1920, height: 1080 };
let root: string;
let browser: Browser;
let scripted: ScriptedDevice;
let page: Page;

beforeAll(async () => {
  root = await buildRenderer();
  browser = await startBrowser();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  scripted = await openScriptedDevice(root);
  ({ page } = await openPage(browser, scripted.url, { size, language: 'en' }));
  await waitFor(page, '.tools');
});
afterEach(async () => {
  await page.context().close();
  await scripted.close();
});

const comfort = () =>
  page.evaluate<object>(
    '(({ reach, contrast, text }) => ({ reach, contrast, text }))(document.documentElement.dataset)',
  );
const usual = { reach: 'usual', contrast: 'usual', text: 'usual' };
const choose = async (...names: string[]) => {
  await page.getByRole('button', { name: 'Comfort' }).click();
  for (const name of names) await page.getByRole('button', { name }).click();
  await page.keyboard.press('Escape');
};

describe('comfort', () => {
  it("starts with the stand's settings, and the visitor can change them", async () => {
    expect(await comfort()).toEqual(usual);
    scripted.setStand({ screen: { reach: 'low', contrast: 'usual', text: 'large', camera: false } });
    await expect.poll(comfort).toEqual({ reach: 'low', contrast: 'usual', text: 'large' });
    await choose('High contrast', 'Large text');
    expect(await comfort()).toEqual({ reach: 'low', contrast: 'high', text: 'usual' });
  });

  it('stays during the notice, a badge that was not read and the outcome, and ends with the session', async () => {
    scripted.setStand({
      notice: { version: '1', link: null, texts: { en: { who: 'Us', why: 'To call', howLong: '60 days' } } },
    });
    await choose('Large text');
    await page.locator('.words button').first().click();
    await waitFor(page, '.display[data-view="notice"]');
    await page.keyboard.press('Escape');
    await waitFor(page, '.display[data-view="attract"]');
    scripted.tap({ kind: 'notRead', at: Date.now(), reason: 'pulled' });
    await waitFor(page, '.display[data-view="notRead"]');
    await page.keyboard.press('Escape');
    await waitFor(page, '.display[data-view="attract"]');
    expect(await comfort()).toEqual({ ...usual, text: 'large' });
    scripted.tap(captured());
    await waitFor(page, '.display[data-view="captured"]');
    expect(await comfort()).toEqual({ ...usual, text: 'large' });
    await page.keyboard.press('Escape');
    await waitFor(page, '.display[data-view="attract"]');
    await expect.poll(comfort).toEqual(usual);
  });

  it("does not pass to the next visitor's tap", async () => {
    await choose('High contrast');
    scripted.tap(captured({ factId: 'first' }));
    await waitFor(page, '.display[data-view="captured"]');
    scripted.tap(
      captured({ factId: 'second', visitor: { name: 'Takeshi K.', company: null, language: null } }),
    );
    await page.getByText('Takeshi').first().waitFor();
    await expect.poll(comfort).toEqual(usual);
  });

  it('is reset when nobody touches the screen', async () => {
    await holdTime(page);
    await choose('Controls low down');
    await page.clock.fastForward(44_000);
    expect(await comfort()).toEqual({ ...usual, reach: 'low' });
    await page.keyboard.press('Shift');
    await page.clock.fastForward(44_000);
    expect(await comfort()).toEqual({ ...usual, reach: 'low' });
    await page.clock.fastForward(2_000);
    await expect.poll(comfort).toEqual(usual);
  });

  it('follows a system that requests more contrast, and does not change the staff page', async () => {
    await page.emulateMedia({ contrast: 'more' });
    await expect.poll(comfort).toEqual({ ...usual, contrast: 'high' });
    await page.keyboard.press('F2');
    await waitFor(page, '.rail');
    expect(await comfort()).toEqual({});
  });

  it.each([
    ['#ffe600', 'light'],
    ['#1f4bd8', 'dark'],
  ] as const)('gives the brand colour %s a contrast of 7:1 in high contrast, %s', async (colour, theme) => {
    await page.emulateMedia({ colorScheme: theme });
    scripted.setStand({
      brand: { colour, logo: null },
      screen: { ...plainStand.screen, contrast: 'high' },
    });
    const ratio = () =>
      page.evaluate<number>(`(() => {
        const style = getComputedStyle(document.documentElement);
        const light = (name) => {
          const canvas = new OffscreenCanvas(1, 1).getContext('2d');
          canvas.fillStyle = style.getPropertyValue(name);
          canvas.fillRect(0, 0, 1, 1);
          const part = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
          const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => part(value / 255));
          return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        };
        const [dark, bright] = [light('--brand'), light('--paper')].sort((a, b) => a - b);
        return (bright + 0.05) / (dark + 0.05);
      })()`);
    await expect.poll(ratio).toBeGreaterThanOrEqual(7);
  });
});

describe('the comfort panel', () => {
  const box = (selector: string) =>
    page.evaluate<Record<'left' | 'right' | 'top' | 'bottom', number>>(
      `document.querySelector('${selector}').getBoundingClientRect().toJSON()`,
    );

  it.each([
    [1920, 1080],
    [1080, 1920],
    [1280, 800],
  ])('does not cover text before a tap at %i by %i', async (width, height) => {
    await page.setViewportSize({ width, height });
    scripted.setStand(fullStand);
    await waitFor(page, '.notice-brief');
    for (const language of ['English', 'Deutsch', '日本語']) {
      const direct = page.locator('.language-row').getByRole('radio', { name: language });
      if (await direct.isVisible()) {
        await direct.click();
      } else {
        await page.locator('.languages > .pill').click();
        await page.locator('.language-grid').getByRole('radio', { name: language }).click();
      }
      await page.locator('.tools .pill').last().click();
      await waitFor(page, '.comfort-choices');
      const panel = await box('.comfort-popover');
      const read = await box('.notice-brief');
      const beside = panel.left >= read.right || panel.right <= read.left;
      expect(beside || panel.top >= read.bottom, language).toBe(true);
      expect(panel.left).toBeGreaterThanOrEqual(0);
      expect(panel.right).toBeLessThanOrEqual(width);
      await page.keyboard.press('Escape');
      await page.locator('.comfort-choices').waitFor({ state: 'detached' });
    }
  });
});

it.each([
  [1280, 800],
  [1080, 1920],
])('the globe offers the languages that are not beside it at %i by %i', async (width, height) => {
  await page.setViewportSize({ width, height });
  const named = (part: string) => page.locator(part).getByRole('radio').allInnerTexts();
  const direct = await named('.language-row');
  await page.locator('.languages > .pill').click();
  await page.locator('.language-grid').waitFor();
  // Ten languages; where the row is short, the list is complete.
  const offered = await named('.language-grid');
  expect(new Set([...direct, ...offered]).size).toBe(10);
  expect(offered.filter((one) => direct.includes(one))).toEqual(direct.length === 4 ? [] : direct);
});

describe('low reach', () => {
  it.each([
    [1920, 1080],
    [1080, 1920],
    [1280, 800],
  ])('has every control of the call to tap in the lower third at %i by %i', async (width, height) => {
    await page.setViewportSize({ width, height });
    scripted.setStand({ screen: { reach: 'low', contrast: 'usual', text: 'usual', camera: true } });
    await expect.poll(comfort).toEqual({ ...usual, reach: 'low' });
    await page.getByRole('button', { name: 'Comfort' }).click();
    await waitFor(page, '.comfort-choices');
    const tops = await page.evaluate<number[]>(
      "[...document.querySelectorAll('button')].filter((b) => b.checkVisibility() && b.offsetWidth > 1).map((b) => b.getBoundingClientRect().top)",
    );
    expect(tops.length).toBeGreaterThan(8);
    expect(Math.min(...tops)).toBeGreaterThanOrEqual((height * 2) / 3);
  });

  it.each([
    [1920, 1080],
    [1080, 1920],
    [1024, 600],
  ])(
    'keeps "Take it back" and "Done" in one place from the tap to the goodbye at %i by %i',
    async (width, height) => {
      await page.setViewportSize({ width, height });
      scripted.setState({ purpose: 'content' });
      layOut(scripted, 4, { screen: { reach: 'low', contrast: 'usual', text: 'usual', camera: false } });
      await expect.poll(comfort).toEqual({ ...usual, reach: 'low' });
      await waitFor(page, '.notice-brief');
      scripted.tap(captured({ openQuestions: everyQuestion, undoUntil: Date.now() + 60_000 }));
      const places = new Set<string>();
      const look = async (ready: string) => {
        await waitFor(page, ready);
        places.add(
          await page.evaluate<string>(`['.foot-start .action', '.way-out'].map((part) => {
          const { x, y, width, height } = document.querySelector(part).getBoundingClientRect();
          return [part, x, y, width, height].map((one) => typeof one === 'number' ? Math.round(one) : one).join(' ');
        }).join(', ')`),
        );
      };
      await look('.display[data-view="captured"]');
      await page.locator('.reward').dispatchEvent('click');
      await look('.cards');
      await page.locator('.card-look').first().click();
      await look('.content-detail');
      await page.locator('.way-out').click();
      await look('.display[data-view="goodbye"]');
      await page.locator('.invitation').dispatchEvent('click');
      await look('.display[data-view="question"]');
      expect([...places]).toHaveLength(1);
    },
  );
});
