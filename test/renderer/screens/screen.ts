/** A screen of the app as tests and the gallery reach it. */
import type { Page } from '@playwright/test';
import { waitFor } from '../browser.ts';
import type { ScriptedDevice } from '../device/scripted-device.ts';

export type Screen = {
  readonly name: string;
  /** The selector of an element that shows that the screen is there. */
  readonly ready: string;
  /** It shows more than fits on purpose, so an ellipsis is correct. */
  readonly long?: boolean;
  /** It covers the page and is outside its landmarks. */
  readonly popover?: boolean;
  readonly prepare: (scripted: ScriptedDevice, page: Page) => void | Promise<void>;
};

/** The display while it shows this shape. */
export const shaped = (shape: string): string => `.display[data-shape="${shape}"]`;

/** Brings the page from any screen back to attract and on to `screen`. Calls `between` on attract. */
export async function bringTo(
  screen: Screen,
  scripted: ScriptedDevice,
  page: Page,
  between: () => unknown = () => undefined,
): Promise<void> {
  scripted.reset();
  await page.evaluate("location.hash = ''");
  const atRest = page.locator(shaped('attract'));
  // Each press goes one step back. A page that reconnects to its device returns by itself, so each round also waits.
  for (let pressed = 0; pressed === 0 || (pressed < 60 && !(await atRest.isVisible())); pressed += 1) {
    await page.keyboard.press('Escape');
    await atRest.waitFor({ timeout: 500 }).catch(() => undefined);
  }
  await waitFor(page, shaped('attract'));
  // Then the page has the stand of the reset, which has no notice.
  await page.locator('.notice-brief').waitFor({ state: 'detached' });
  await between();
  await screen.prepare(scripted, page);
  await waitFor(page, screen.ready);
}
