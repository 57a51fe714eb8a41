/** The demo tray in real Chromium: badges to tap and purposes to select, during any session. */
import { describe, expect, it } from 'vitest';
import { waitFor } from '../../browser.ts';
import { captured } from '../../device/captured.ts';
import { laptop, showDisplay } from '../../device/shown-display.ts';
import { layOut, tapOn } from '../../screens/session-screens.ts';

const { scripted, page } = await showDisplay();

const at = (kind: string) => waitFor(page, `.display[data-view="${kind}"]`);
const button = (name: string) => page.getByRole('button', { name, exact: true });

describe('the demo tray', () => {
  it('works with the keyboard alone', async () => {
    scripted.badges = [{ code: 'D1', alias: 'amelie', name: 'Amélie Beaumont', kind: 'visitor' }];
    scripted.setState({ demo: true, readers: [], cardService: 'absent' });
    await page.getByRole('button', { name: 'Demo badges' }).focus();
    await page.keyboard.press('Enter');
    // Past the purposes, to the first badge.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => scripted.calls).toEqual([{ call: 'demo.tap', input: { code: 'D1' } }]);
    scripted.tap(captured({ visitor: { name: 'Amélie B.', company: null, language: 'fr' } }));
    await page.getByText('Merci').first().waitFor();
    expect(await page.locator('.tray-badge').count()).toBe(1);
  });

  it('still taps while the card service hangs and the display says so', async () => {
    scripted.badges = [{ code: 'D1', alias: 'amelie', name: 'Amélie Beaumont', kind: 'visitor' }];
    scripted.setState({ demo: true, cardService: 'silent' });
    await at('outOfOrder');
    await page.getByText('E-12').waitFor();
    await button('Demo badges').click();
    await button('Amélie Beaumont').click();
    await expect.poll(() => scripted.calls).toEqual([{ call: 'demo.tap', input: { code: 'D1' } }]);
    scripted.tap(captured({}));
    await at('captured');
  });

  it('changes the purpose of the device', async () => {
    scripted.badges = [{ code: 'D1', alias: 'amelie', name: 'Amélie Beaumont', kind: 'visitor' }];
    scripted.setState({ demo: true });
    await button('Demo badges').click();
    await page.getByRole('radio', { name: 'Check-in' }).click();
    await expect.poll(() => scripted.calls).toEqual([{ call: 'demo.become', input: { purpose: 'checkin' } }]);
    scripted.setState({ purpose: 'checkin' });
    await page.getByRole('radio', { name: 'Check-in', checked: true }).waitFor();
  });

  it('scrolls with a mouse wheel to the badges that do not fit', async () => {
    scripted.badges = Array.from({ length: 20 }, (_, index) => ({
      code: `D${index}`,
      alias: `guest${index}`,
      name: `Guest Number ${index}`,
      kind: 'visitor' as const,
    }));
    scripted.setState({ demo: true });
    await button('Demo badges').click();
    await button('Guest Number 0').hover();
    await page.mouse.wheel(0, 5_000);
    const isInView = async () => {
      const box = await button('Guest Number 19').boundingBox();
      return box !== null && box.x + box.width <= (page.viewportSize()?.width ?? 0);
    };
    await expect.poll(isInView).toBe(true);
  });

  it.each([
    [1920, 1080],
    [1080, 1920],
    [1280, 800],
  ])('is open beside content picker and consents and covers neither at %i by %i', async (width, height) => {
    await page.setViewportSize({ width, height });
    // The longest words that are usual here, and a headline of two lines.
    for (const language of ['en', 'de', 'ja']) {
      scripted.badges = [{ code: 'D1', alias: 'amelie', name: 'Amélie Beaumont', kind: 'visitor' }];
      scripted.setState({ demo: true, purpose: 'content' });
      layOut(scripted, 500);
      await waitFor(page, '.notice-brief');
      if (language === 'en') await button('Demo badges').click();
      const visitor = { name: 'Takeshi K.', company: null, language };
      await tapOn(scripted, page, captured({ asksConsent: true, visitor }));
      await at('consent');
      expect(await hidden('.consent-switches, .consent-notice'), language).toEqual([]);
      await page.locator('.step-actions .pill').nth(1).click();
      await at('goodbye');
      await page.locator('.reward').click();
      await waitFor(page, '.card');
      expect(await hidden('.card-words'), language).toEqual([]);
      expect(await page.locator('.tray-badge').isVisible()).toBe(true);
      await page.keyboard.press('Escape');
      await at('attract');
    }
    await page.setViewportSize(laptop);
  });

  /** The texts of those elements whose content is higher than the element, so that a part of the text is hidden. */
  const hidden = (parts: string) =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll('${parts}')].filter((part) => part.scrollHeight > part.clientHeight + 1).map((part) => part.textContent)`,
    );
});
