/** A screen of the app as tests and the gallery reach it. */
import type { Page } from '@playwright/test';
import { waitFor } from '../browser.ts';
import type { ScriptedDevice } from '../device/scripted-device.ts';

export type Screen = {
  readonly name: string;
  /** The selector that shows that the screen is there. */
  readonly ready: string;
  /** Shows more than fits on purpose; an ellipsis is correct. */
  readonly long?: boolean;
  /** Covers the page, outside its landmarks. */
  readonly popover?: boolean;
  readonly prepare: (scripted: ScriptedDevice, page: Page) => void | Promise<void>;
};

/** The display while it shows this shape. */
export const shaped = (shape: string): string => `.display[data-shape="${shape}"]`;

/** Leads the page from any screen back to attract and on to `screen`; calls `between` on attract. */
export async function bringTo(
  screen: Screen,
  scripted: ScriptedDevice,
  page: Page,
  between: () => unknown = () => undefined,
): Promise<void> {
  scripted.reset();
  await page.evaluate("location.hash = ''");
  const atRest = page.locator(shaped('attract'));
  // One step back per press; a page that lost its device returns by itself.
  for (let pressed = 0; pressed === 0 || (pressed < 60 && !(await atRest.isVisible())); pressed += 1) {
    await page.keyboard.press('Escape');
    await atRest.waitFor({ timeout: 500 }).catch(() => undefined);
  }
  await waitFor(page, shaped('attract'));
  // The speech of the previous screen has also ended.
  await page.locator('.notice-brief').waitFor({ state: 'detached' });
  await between();
  await screen.prepare(scripted, page);
  await waitFor(page, screen.ready);
}
