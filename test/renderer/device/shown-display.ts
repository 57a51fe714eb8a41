/**
 * The display on a laptop in real Chromium for a whole test file, with one scripted device and one page.
 *
 * Invariant: every test starts on an idle screen, without calls, complaints, signed-in staff or speech.
 */
import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeEach } from 'vitest';
import { openPage, startBrowser, waitFor } from '../browser.ts';
import { buildRenderer } from '../build-renderer.ts';
import { openScriptedDevice, type ScriptedDevice } from './scripted-device.ts';

export const laptop = { name: 'laptop', width: 1280, height: 800 };

export type Shown = {
  readonly browser: Browser;
  readonly scripted: ScriptedDevice;
  readonly page: Page;
  /** The page's complaints in this test. */
  readonly complaints: readonly string[];
};

/** Opens everything and closes it after the last test of the file. */
export async function showDisplay(): Promise<Shown> {
  const root = await buildRenderer();
  const browser = await startBrowser();
  const scripted = await openScriptedDevice(root);
  const { page, complaints } = await openPage(browser, scripted.url, { size: laptop, language: 'en' });
  afterAll(async () => {
    await browser.close();
    await scripted.close();
  });
  beforeEach(async () => {
    await page.goto('about:blank');
    scripted.reset();
    scripted.entry.set({ session: null });
    await page.goto(`${scripted.url}?${Math.random()}`);
    await waitFor(page, '.display[data-shape="attract"]');
    complaints.length = 0;
  });
  return { browser, scripted, page, complaints };
}
