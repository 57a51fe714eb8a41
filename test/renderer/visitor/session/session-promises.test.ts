/**
 * A session on the real page: it asks a question only on request, offers the undo always at the same place, and
 * accepts no consent to a text that was not visible.
 */
import { describe, expect, it } from 'vitest';
import { holdTime, waitFor } from '../../browser.ts';
import { captured } from '../../device/captured.ts';
import { everyQuestion, fullStand } from '../../device/demo-stand.ts';
import type { ScriptedDevice } from '../../device/scripted-device.ts';
import { showDisplay } from '../../device/shown-display.ts';
import { layOut, tapOn } from '../../screens/session-screens.ts';

const { scripted, page } = await showDisplay();

const at = (kind: string) => waitFor(page, `.display[data-view="${kind}"]`);
const button = (name: string) => page.getByRole('button', { name, exact: true });
const calls = (call: string) => scripted.calls.filter((one) => one.call === call).map(({ input }) => input);

/** Changes the stand and waits until the page shows a stand with a notice. */
async function standing(change: Partial<Parameters<ScriptedDevice['setStand']>[0]> = {}): Promise<void> {
  scripted.setStand({ ...fullStand, ...change });
  await waitFor(page, '.notice-brief');
}

describe('a session', () => {
  it("shows open prompts only as an invitation, after the stand's contents", async () => {
    layOut(scripted, 5);
    await waitFor(page, '.notice-brief');
    await holdTime(page);
    scripted.tap(captured({ asksConsent: true }));
    await at('captured');
    const [reward, invitation] = await page.locator('.offers button').all();
    expect(await reward?.innerText()).toContain('See what we brought');
    expect(await invitation?.innerText()).toContain('May we stay in touch?');
    await page.clock.fastForward(15_000);
    await at('captured');
    expect(calls('session.consent')).toEqual([]);
    await page.clock.resume();
  });

  it('has "take it back" in one place from the tap to the goodbye', async () => {
    await standing();
    const place = () => page.getByRole('button', { name: 'Take it back' }).boundingBox();
    scripted.tap(
      captured({ asksConsent: true, openQuestions: everyQuestion, undoUntil: Date.now() + 60_000 }),
    );
    await at('captured');
    const first = await place();
    await page.locator('.invitation').click();
    await at('consent');
    const places = [await place()];
    await button('No, thank you').click();
    await at('question');
    places.push(await place());
    await button('Done').click();
    await at('goodbye');
    places.push(await place());
    for (const { x, y } of places.filter((one) => one !== null)) {
      expect({ x, y }).toEqual({ x: first?.x, y: first?.y });
    }
    expect(places).not.toContain(null);
  });

  it('accepts no choice before the last consent was on the screen', async () => {
    const [consent] = fullStand.consents;
    const consents = Array.from({ length: 5 }, (_, index) => ({
      id: `c${index}`,
      // Two long ones do not fit together.
      text: { ...consent?.text, en: `Consent number ${index + 1}, ${'with all its conditions '.repeat(6)}` },
    }));
    await standing({ consents });
    await tapOn(scripted, page, captured({ asksConsent: true }));
    await at('consent');
    const seen = new Set<string>();
    const look = async () => {
      for (const one of await page.locator('.switch-text').all()) seen.add(await one.innerText());
    };
    await look();
    expect(await button('Share my choice').count()).toBe(0);
    for (let turn = 0; turn < 5 && (await button('Share my choice').count()) === 0; turn += 1) {
      await page.locator('.step-actions .action-strong').click();
      await look();
    }
    expect(seen.size).toBe(5);
    await page.locator('.switch').first().click();
    await button('Share my choice').click();
    await at('goodbye');
  });

  it('shows five short consents at once, with the code for the whole text even on a portrait screen', async () => {
    const [consent] = fullStand.consents;
    const consents = Array.from({ length: 5 }, (_, index) => ({ text: {}, ...consent, id: `c${index}` }));
    for (const [width, height] of [
      [1280, 800],
      [1080, 1920],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.keyboard.press('Escape');
      await standing({ consents });
      await tapOn(scripted, page, captured({ asksConsent: true }));
      await at('consent');
      expect(await page.locator('.switch').count()).toBe(5);
      expect(await button('Share my choice').count()).toBe(1);
      expect(await page.locator('.consent-notice .qr').isVisible()).toBe(true);
      await button('Done').click();
    }
  });
});
