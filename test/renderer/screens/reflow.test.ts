/**
 * Screens for visitors when there is little room: small screens, zoom, letters twice as large, wide text spacing. An
 * ordinary run shows each layout in two of four sizes, which the seed of the run selects.
 */
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isDue } from '../../thoroughness.ts';
import { fakeCamera, narrowSizes, openPage, resize, type Size, startBrowser } from '../browser.ts';
import { buildRenderer } from '../build-renderer.ts';
import { captured } from '../device/captured.ts';
import { openScriptedDevice } from '../device/scripted-device.ts';
import { bringTo, type Screen } from './screen.ts';
import { screens } from './screens.ts';
import { walk } from './walk.ts';

let browser: Browser;
let root: string;

beforeAll(async () => {
  root = await buildRenderer();
  browser = await startBrowser(fakeCamera);
});
afterAll(() => browser?.close());

/** One screen of each layout. `npm run walk` checks all screens, sizes and languages. */
const layouts = [
  ...['attract-notice', 'attract-choose', 'attract-hero', 'camera', 'speech', 'languages', 'typing'],
  ...['captured', 'captured-content', 'check-in-full', 'not-read', 'long-name', 'hard-attract', 'notice'],
  ...['consent-five', 'question-several', 'question-rating', 'question-text', 'content-picker'],
  ...['content-detail', 'idle-prompt', 'goodbye', 'demo-tray'],
];
const named = (names: readonly string[]): readonly Screen[] =>
  names.map((name) => {
    const screen = screens.find((one) => one.name === name);
    if (!screen) throw new Error(`There is no screen "${name}"`);
    return screen;
  });

describe('a screen for visitors', () => {
  it('loses nothing on a small screen, zoomed in, with large letters and wide spacing', {
    timeout: 300_000,
  }, async () => {
    const look = { language: 'de', dark: false, comfort: {}, axe: () => false };
    const sizes = narrowSizes.filter(({ name }) => !name.endsWith('portrait') && name !== 'small');
    const sizesOf = (index: number) => sizes.filter((_size, place) => isDue(index + place, 2));
    expect(await walk(browser, root, look, named(layouts), sizesOf)).toEqual([]);
  });

  it('shows every control of a session completely on a small screen, even with the demo tray', async () => {
    const scripted = await openScriptedDevice(root);
    const large = { name: 'landscape', width: 1920, height: 1080 };
    const { page } = await openPage(browser, scripted.url, { size: large, language: 'de' });
    /** Controls that are cut off by the end of the page or by a part that scrolls, or that cover another. */
    const cut = async (
      name: string,
      controls: string,
      size: Size & { readonly fits: boolean },
      demo: boolean,
    ) => {
      const [screen] = named([name]);
      if (!screen) throw new Error(`There is no screen "${name}"`);
      await resize(page, large);
      const prepare = async () => {
        if (demo) {
          scripted.badges = [{ code: '04A1B2C3D4E5F6', alias: 'amelie', name: 'Amélie', kind: 'visitor' }];
          scripted.setState({ demo: true });
          await page.locator('.tray-handle').waitFor();
        }
        await screen.prepare(scripted, page);
      };
      await bringTo({ name, ready: screen.ready, prepare }, scripted, page);
      await resize(page, size);
      return page.evaluate<string[]>(`(() => {
        const boxes = [...document.querySelectorAll(${JSON.stringify(`${controls}, .foot-start .action, .closing, .foot-end button, .tray-handle`)})]
          .filter((one) => one.checkVisibility())
          .map((one) => ({ name: '${name} ${size.width}: ' + one.className, box: one.getBoundingClientRect(), edge: one.closest('.words, .step')?.getBoundingClientRect() }));
        const off = boxes.filter(({ box, edge }) => box.bottom > ${size.fits ? 'innerHeight' : '1e6'} || (edge && box.bottom > edge.bottom + 1));
        const on = boxes.filter((one, index) => boxes.slice(index + 1).some(({ box }) =>
          Math.min(one.box.right, box.right) - Math.max(one.box.left, box.left) > 1 && Math.min(one.box.bottom, box.bottom) - Math.max(one.box.top, box.top) > 1));
        return [...off.map(({ name }) => name + ' is cut'), ...on.map(({ name }) => name + ' lies on another')];
      })()`);
    };
    const small = { name: 'small', width: 1024, height: 600, fits: true };
    const smallest = { name: 'smallest', width: 800, height: 480, fits: true };
    const zoomed = { name: 'zoomed', width: 320, height: 256, fits: false };
    expect([
      ...(await cut('question-text', '.step-actions button', small, false)),
      ...(await cut('captured-everything', '.offers button', smallest, true)),
      ...(await cut('goodbye', '.offers button, .words .action', smallest, false)),
      ...(await cut('notice', '.notice-lines dd, .words .action', smallest, false)),
      ...(await cut('stand-choice', '.stand-choice-item, .words .action', smallest, false)),
      ...(await cut('content-picker', '.take', smallest, false)),
      ...(await cut('content-detail', '.take', { ...smallest, fits: false }, false)),
      ...(await cut('consent', '.step-actions button', zoomed, true)),
    ]).toEqual([]);
    await page.context().close();
    await scripted.close();
  });

  it.each(['en', 'de'])('shows every key of the content search on a small screen in %s', async (language) => {
    const scripted = await openScriptedDevice(root);
    const size = { name: 'smallest', width: 800, height: 480 };
    const { page } = await openPage(browser, scripted.url, { size, language });
    const [search] = named(['content-picker-search']);
    if (!search) throw new Error('There is no content search');
    await bringTo(search, scripted, page);
    const below = await page.evaluate<number>(
      `Math.max(...[...document.querySelectorAll('.key')].map((key) => key.getBoundingClientRect().bottom)) - innerHeight`,
    );
    expect(below).toBeLessThanOrEqual(0);
    await page.context().close();
    await scripted.close();
  });

  it('enlarges every text with the setting for large text, and doubles it with a doubled browser font size', {
    timeout: 120_000,
  }, async () => {
    const scripted = await openScriptedDevice(root);
    const laptop = { name: 'laptop', width: 1280, height: 800 };
    const { page } = await openPage(browser, scripted.url, { size: laptop, language: 'en' });
    const letters = async (screen: Screen) => {
      await bringTo(screen, scripted, page);
      return page.evaluate<Record<string, number>>(`Object.fromEntries(
        [...document.querySelectorAll('#root *')]
          .filter((one) => !one.closest('svg, .only-heard') && one.checkVisibility())
          .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
          .map((one) => [[...one.childNodes].map((node) => node.nodeType === 3 ? node.textContent : '').join(''), Number.parseFloat(getComputedStyle(one).fontSize)]),
      )`);
    };
    const tooSmall: string[] = [];
    const compare = (
      name: string,
      usual: Record<string, number>,
      found: Record<string, number>,
      least: number,
    ) => {
      for (const [text, size] of Object.entries(usual)) {
        const times = (found[text] ?? size) / size;
        if (times < least) tooSmall.push(`${name}: ${times.toFixed(2)} times: ${text.slice(0, 40)}`);
      }
    };
    for (const screen of named(['attract-notice', 'captured', 'notice', 'question-several', 'goodbye'])) {
      scripted.comfort = {};
      await resize(page, laptop);
      const usual = await letters(screen);
      scripted.comfort = { text: 'large' };
      compare(`${screen.name}, large text`, usual, await letters(screen), 1.1);
      scripted.comfort = {};
      await resize(page, { ...laptop, letters: 2 });
      compare(`${screen.name}, letters of 200 %`, usual, await letters(screen), 1.95);
    }
    await page.context().close();
    await scripted.close();
    expect(tooSmall).toEqual([]);
  });

  it('shows a whole paragraph of the statement, and its way back, on a small screen with low controls', async () => {
    const scripted = await openScriptedDevice(root);
    scripted.comfort = { reach: 'low' };
    const size = { name: 'smallest', width: 800, height: 480 };
    const { page } = await openPage(browser, scripted.url, { size, language: 'de' });
    const [statement] = named(['statement']);
    if (!statement) throw new Error('There is no statement');
    await bringTo(statement, scripted, page);
    const text = await page.locator('.statement-text').boundingBox();
    const [first] = await page.locator('.statement-text p').all();
    expect(text?.height).toBeGreaterThan((await first?.boundingBox())?.height ?? 480);
    const back = await page.locator('.statement .comfort-choice').boundingBox();
    expect((back?.y ?? 480) + (back?.height ?? 0)).toBeLessThanOrEqual(480);
    await page.context().close();
    await scripted.close();
  });

  it('keeps a long name complete, and breaks a double name at its hyphen', async () => {
    const scripted = await openScriptedDevice(root);
    const size = { name: 'landscape', width: 1920, height: 1080 };
    const { page } = await openPage(browser, scripted.url, { size, language: 'en' });
    const linesOf = async (name: string) => {
      const screen: Screen = {
        name,
        ready: '.display[data-shape="captured"]',
        prepare: () => scripted.tap(captured({ visitor: { name, company: null, language: null } })),
      };
      await bringTo(screen, scripted, page);
      // The letters of each line of the headline, line by line.
      return page.evaluate<string[]>(`(() => {
        const lines = new Map();
        const walker = document.createTreeWalker(document.querySelector('.headline'), NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) for (let at = 0; at < walker.currentNode.length; at += 1) {
          const range = document.createRange();
          range.setStart(walker.currentNode, at);
          range.setEnd(walker.currentNode, at + 1);
          const top = Math.round(range.getBoundingClientRect().top);
          lines.set(top, (lines.get(top) ?? '') + range.toString());
        }
        return [...lines.values()].map((line) => line.trim());
      })()`);
    };
    expect(await linesOf('Wolfeschlegelsteinhausen B.')).toContainEqual(
      expect.stringContaining('Wolfeschlegelsteinhausen'),
    );
    const double = await linesOf('Maximiliane Leutheusser-Schnarrenberger');
    expect(double.filter((line) => /\p{L}$/u.test(line) && line.length < 3)).toEqual([]);
    expect(double.join('|')).toMatch(/Leutheusser-\|?Schnarrenberger/);
    const initial = await linesOf('Maximiliane-Alexandrine F.');
    expect(initial.join('|')).toMatch(/Alexandrine F\./);
    await page.context().close();
    await scripted.close();
  });
});
