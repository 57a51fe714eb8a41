/** A screen of the app as tests and the gallery reach it. */
import type { Page } from '@playwright/test';
import { waitFor } from '../browser.ts';
import type { ScriptedDevice } from '../device/scripted-device.ts';

export type Screen = {
  readonly name: string;
  /** What is on the page when the screen is there. */
  readonly ready: string;
  /** Shows more than fits on purpose; cutting with an ellipsis is right. */
  readonly long?: boolean;
  /** Stands over the page, outside its landmarks. */
  readonly popover?: boolean;
  readonly prepare: (scripted: ScriptedDevice, page: Page) => void | Promise<void>;
};

/** The display while it shows this shape. */
export const shaped = (shape: string): string => `.display[data-shape="${shape}"]`;

/** Leads the page from any screen back to attract and on to `screen`; `between` is called on attract. */
export async function bringTo(
  screen: Screen,
  scripted: ScriptedDevice,
  page: Page,
  between: () => unknown = () => undefined,
): Promise<void> {
  scripted.reset();
  await page.evaluate("location.hash = ''");
  const atRest = page.locator(shaped('attract'));
  // One step back for each press; a page that lost its device comes back by itself.
  for (let pressed = 0; pressed === 0 || (pressed < 60 && !(await atRest.isVisible())); pressed += 1) {
    await page.keyboard.press('Escape');
    await atRest.waitFor({ timeout: 500 }).catch(() => undefined);
  }
  await waitFor(page, shaped('attract'));
  // What was said on the screen before has gone, too.
  await page.locator('.notice-brief').waitFor({ state: 'detached' });
  await between();
  await screen.prepare(scripted, page);
  await waitFor(page, screen.ready);
}
