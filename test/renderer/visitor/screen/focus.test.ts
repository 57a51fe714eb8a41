/** How a screen appears: the focus for keyboard users, the announcement, and the movement of the ring. */
import type { Page } from '@playwright/test';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TapEvent } from '../../../../src-main/contract/tap.ts';
import { holdTime, idle, openPage, waitFor } from '../../browser.ts';
import { captured, capturedForLong } from '../../device/captured.ts';
import { fullStand } from '../../device/demo-stand.ts';
import { scan } from '../../device/scan.ts';
import { laptop, showDisplay } from '../../device/shown-display.ts';

const { browser, scripted, page } = await showDisplay();

const at = (kind: string, on = page) => waitFor(on, `.display[data-view="${kind}"]`);
const calls = () => scripted.calls.map(({ call }) => call);
const focused = () =>
  page.evaluate<string>(
    "(({ tagName, className, textContent }) => tagName === 'BUTTON' ? textContent : className)(document.activeElement)",
  );

/** What a screen reader says about the focused element. */
async function heardOfFocus(): Promise<string> {
  const tree = await page.context().newCDPSession(page);
  const { nodes } = await tree.send('Accessibility.getFullAXTree');
  await tree.detach();
  const here = nodes.filter(({ role, properties }) =>
    role?.value === 'RootWebArea'
      ? false
      : properties?.some((one) => one.name === 'focused' && one.value.value === true),
  );
  expect(here).toHaveLength(1);
  return String(here[0]?.name?.value ?? '');
}

describe('the focus', () => {
  const tapped: readonly [string, string, string, () => TapEvent][] = [
    ['captured', 'Tab', 'Take it back', () => captured()],
    ['captured', 'Shift+Tab', 'Done', () => captured()],
    ['notRead', 'Shift+Tab', 'Done', () => ({ kind: 'notRead', at: Date.now(), reason: 'pulled' })],
    ['refused', 'Shift+Tab', 'Done', () => ({ kind: 'refused', at: Date.now(), reason: 'phone' })],
  ];

  it.each(tapped)(
    'is at the words of %s, invisible and announced once; %s leads to "%s"',
    async (kind, key, first, event) => {
      // On any machine, the outcome is still shown at the end of the test.
      await holdTime(page);
      scripted.tap(event());
      await at(kind);
      const soon = async () => {
        await page.clock.runFor(20);
        return focused();
      };
      await expect.poll(soon).toBe('words');
      const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
      expect(outline).toBe('none');
      expect(await heardOfFocus()).toBe('');
      expect(await page.locator('[role=status]', { hasText: /./ }).count()).toBe(1);
      await page.keyboard.press(key);
      expect(await focused()).toContain(first);
      await page.clock.resume();
    },
  );

  it('leaves a control of the previous screen, and moves to the text of every step', async () => {
    scripted.setStand(fullStand);
    await waitFor(page, '.notice-brief');
    await page.getByRole('button', { name: 'type the code' }).focus();
    scripted.tap(captured({ asksConsent: true }));
    await at('captured');
    await expect.poll(focused).toBe('words');
    await page.keyboard.press('Tab');
    expect(await focused()).toContain('See what we brought');
    await page.keyboard.press('Tab');
    expect(await focused()).toContain('May we stay in touch?');
    await page.keyboard.press('Enter');
    await at('consent');
    await expect.poll(focused).toBe('step');
    expect(await heardOfFocus()).toBe('');
  });

  it("is never on a control that a scanner's Enter would press, early or late", async () => {
    scripted.tap(capturedForLong());
    await at('captured');
    await expect.poll(focused).toBe('words');
    await scan(page, 'AB12CD34\n');
    await expect.poll(calls).toEqual(['taps.enter']);
    await scan(page, 'EF56GH78');
    await expect.poll(calls).toEqual(['taps.enter', 'taps.enter']);
    await page.keyboard.press('Enter');
    // Calls arrive in order: a call caused by the Enter would arrive before the next code.
    await scan(page, 'IJ90KL12\n');
    await expect.poll(calls).toEqual(['taps.enter', 'taps.enter', 'taps.enter']);
    expect(await page.locator('.display').getAttribute('data-view')).toBe('captured');
  });

  it('stays in a field that received it', async () => {
    await page.getByRole('button', { name: 'type the code' }).click();
    await at('typing');
    await idle(page);
    expect(await focused()).toContain('field-input');
  });
});

describe('the ring', () => {
  /** Runs in the page: records every movement of the ring between its places. */
  const watched = `
    globalThis.moved = [];
    const { animate } = Element.prototype;
    Element.prototype.animate = function (frames, options) {
      if (this.classList.contains('ring')) globalThis.moved.push(frames[0].transform);
      return animate.call(this, frames, options);
    };
  `;
  const scales = (on: Page) =>
    on.evaluate<number[]>('moved.map((way) => Number(/scale\\((.*)\\)/.exec(way)[1]))');

  beforeEach(() => scripted.setStand({ ...fullStand, questions: [] }));

  /** From a tap to the consents, and a second tap there; from other consents to the goodbye. */
  async function sessionsFor(still: boolean) {
    const { page: shown } = await openPage(browser, 'about:blank', { size: laptop, language: 'en', still });
    await shown.addInitScript(watched);
    await shown.goto(scripted.url);
    await waitFor(shown, '.notice-brief');
    const toConsents = async () => {
      scripted.tap(captured({ asksConsent: true }));
      await at('captured', shown);
      await shown.evaluate("document.querySelector('.ring').marked = true");
      await idle(shown);
      await shown.locator('.invitation').click();
      await at('consent', shown);
      await idle(shown);
    };
    await toConsents();
    const same = await shown.evaluate<boolean>("document.querySelector('.ring').marked === true");
    scripted.tap(captured());
    await at('captured', shown);
    await idle(shown);
    const toTap = await scales(shown);
    await toConsents();
    await shown.getByRole('button', { name: 'Done' }).click();
    await at('goodbye', shown);
    await idle(shown);
    const toGoodbye = (await scales(shown)).slice(toTap.length);
    await shown.context().close();
    return { same, toTap, toGoodbye };
  }

  it('is the same element in outcome, step and goodbye, and grows when the last step closes', async () => {
    const { same, toGoodbye } = await sessionsFor(false);
    expect(same).toBe(true);
    expect(toGoodbye).toHaveLength(1);
    expect(toGoodbye[0]).toBeLessThan(0.5);
  });

  it('is in its place at once after a tap and in a step', async () => {
    expect((await sessionsFor(false)).toTap).toEqual([]);
  });

  it('does not move with reduced motion', async () => {
    const { same, toGoodbye } = await sessionsFor(true);
    expect(same).toBe(true);
    expect(toGoodbye).toEqual([]);
  });
});
