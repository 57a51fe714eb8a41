/** Keyboard and switch: Tab reaches every control, visibly, and Enter and Space operate it. */
import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeCamera, holdTime, openPage, startBrowser, waitFor } from '../../browser.ts';
import { buildRenderer } from '../../build-renderer.ts';
import { captured } from '../../device/captured.ts';
import { fullStand } from '../../device/demo-stand.ts';
import { openScriptedDevice, type ScriptedDevice } from '../../device/scripted-device.ts';
import { bringTo } from '../../screens/screen.ts';
import { screens } from '../../screens/screens.ts';
import { layOut } from '../../screens/session-screens.ts';

const size = { name: 'laptop', width: 1280, height: 800 };
let browser: Browser;
let scripted: ScriptedDevice;
let page: Page;

beforeAll(async () => {
  scripted = await openScriptedDevice(await buildRenderer());
  browser = await startBrowser(fakeCamera);
  ({ page } = await openPage(browser, scripted.url, { size, language: 'en' }));
});
afterAll(async () => {
  await browser?.close();
  await scripted?.close();
});

/**
 * Runs in the page: collects every visible control, and reports those that were never reached, those without a visible
 * focus, and those that change the order of the focus.
 */
const watch = `(() => {
  const inSight = (element) => element.checkVisibility() && element.getBoundingClientRect().width > 1;
  const controls = [...document.querySelectorAll('button, a[href], input, [tabindex="0"]')]
    .filter((control) => !control.disabled && !control.closest('[aria-hidden="true"], .keyboard') && !control.dataset.focusScopeStart)
    .filter((control) => inSight(control) || (control.tagName === 'INPUT' && control.closest('label') && inSight(control.closest('label'))));
  const name = (element) => (element.textContent || element.getAttribute('aria-label') || element.className).slice(0, 30);
  const reached = new Set();
  const unseen = [];
  globalThis.keyWalk = {
    here: () => {
      const { activeElement } = document;
      if (!activeElement || activeElement === document.body) return;
      reached.add(activeElement);
      let marked = activeElement.tagName === 'INPUT' && activeElement.type !== 'checkbox';
      for (let element = activeElement, up = 0; element && up < 4; element = element.parentElement, up += 1) {
        const { outlineStyle, outlineWidth } = getComputedStyle(element);
        marked ||= outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
      }
      if (!marked && controls.includes(activeElement)) unseen.push(name(activeElement));
    },
    // One of a group is enough, because the arrow keys lead to the others.
    missed: () => controls
      .filter((control) => !reached.has(control))
      .filter((control) => ![...reached].some((other) => other.closest('[role=radiogroup], [role=toolbar]')?.contains(control)))
      .map(name),
    unseen: () => unseen,
    order: () => controls.filter((control) => control.tabIndex > 0).map(name),
    count: () => controls.length,
  };
})()`;

const visited = [
  'attract-choose',
  'attract-loop',
  'attract-check-in',
  'camera',
  'notice',
  'captured-content',
  'not-read',
  'typing',
  'consent',
  'question-choice',
  'question-several',
  'question-rating',
  'question-text',
  'content-picker-many',
  'content-detail',
  'choosing',
  'goodbye',
];

describe('with Tab alone', () => {
  it.each(visited)('every control on %s is reached, and visible when focused', async (name) => {
    const screen = screens.find((one) => one.name === name);
    if (!screen) throw new Error(`No screen ${name}`);
    // Keys do not extend the time of this view, so the clock is stopped for the round.
    const passes = name === 'not-read';
    await bringTo(screen, scripted, page, () => (passes ? holdTime(page) : undefined));
    await page.evaluate(watch);
    const controls = await page.evaluate<number>('keyWalk.count()');
    expect(controls).toBeGreaterThan(0);
    // One round and a little more, because the first focus is unknown.
    for (let pressed = 0; pressed < controls + 6; pressed += 1) {
      await page.keyboard.press('Tab');
      await page.evaluate('keyWalk.here()');
    }
    expect(await page.evaluate('keyWalk.missed()')).toEqual([]);
    expect(await page.evaluate('keyWalk.unseen()')).toEqual([]);
    expect(await page.evaluate('keyWalk.order()')).toEqual([]);
    if (passes) await page.clock.resume();
  });
});

describe('with keys alone', () => {
  const rest = async () => {
    const attract = screens.find(({ name }) => name === 'attract');
    if (attract) await bringTo(attract, scripted, page);
  };
  /** Tabs until the control with this text or name has the focus. */
  const goTo = async (name: string) => {
    for (let pressed = 0; pressed < 60; pressed += 1) {
      const here = await page.evaluate<string>(
        "((here) => here?.textContent + ' ' + here?.ariaLabel)(document.activeElement.closest('button, label, a'))",
      );
      if (here.includes(name)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Never came to ${name}`);
  };

  it.each(['Enter', 'Space'])(
    'comfort opens, switches and closes with %s, and the focus returns',
    async (key) => {
      await rest();
      await goTo('Comfort');
      await page.keyboard.press(key);
      await waitFor(page, '.comfort-choices');
      await goTo('Large text');
      await page.keyboard.press(key);
      expect(await page.evaluate('document.documentElement.dataset.text')).toBe('large');
      await page.keyboard.press('Escape');
      await page.locator('.comfort-choices').waitFor({ state: 'detached' });
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Comfort');
      await goTo('Comfort');
      await page.keyboard.press(key);
      await goTo('Large text');
      await page.keyboard.press(key);
      await page.keyboard.press('Escape');
    },
  );

  it('the arrow keys move through the languages', async () => {
    await rest();
    await goTo('English');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe('de');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe('en');
  });

  it('a whole session works: consents, content picker, goodbye', async () => {
    await rest();
    layOut(scripted, 5, { consents: fullStand.consents });
    scripted.setState({ purpose: 'content' });
    await waitFor(page, '.notice-brief');
    scripted.tap(captured({ asksConsent: true }));
    await waitFor(page, '.display[data-view="captured"]');
    await goTo('May we stay in touch?');
    await page.keyboard.press('Enter');
    await waitFor(page, '.display[data-view="consent"]');
    await goTo('news');
    await page.keyboard.press('Space');
    await goTo('Share my choice');
    await page.keyboard.press('Enter');
    await waitFor(page, '.display[data-view="goodbye"]');
    await goTo('See what we brought');
    await page.keyboard.press('Enter');
    await waitFor(page, '.display[data-view="contentPicker"] .take');
    // "Take it back" is also on the page.
    await goTo('Take it:');
    await page.keyboard.press('Space');
    await waitFor(page, '.take[data-selection="taken"]');
    await goTo('Done');
    await page.keyboard.press('Enter');
    await waitFor(page, '.display[data-view="goodbye"]');
    const calls = scripted.calls.map(({ call }) => call);
    expect(calls).toContain('session.consent');
    expect(calls).toContain('session.collect');
  });
});
