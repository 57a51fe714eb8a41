/**
 * The display on a laptop in real Chromium, for a whole test file: one stage, one page.
 *
 * Invariant: every test begins at rest, with nothing asked, nothing complained of, and the page before fallen silent.
 */
import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeEach } from 'vitest';
import { openPage, startBrowser, waitFor } from '../browser.ts';
import { buildRenderer } from '../build-renderer.ts';
import { openStage, type Stage } from './scripted-device.ts';

export const laptop = { name: 'laptop', width: 1280, height: 800 };

export type Shown = {
  readonly browser: Browser;
  readonly stage: Stage;
  readonly page: Page;
  /** What the page complained about in this test. */
  readonly complaints: readonly string[];
};

/** Opens all of it and puts it away after the last test of the file. */
export async function showDisplay(): Promise<Shown> {
  const root = await buildRenderer();
  const browser = await startBrowser();
  const stage = await openStage(root);
  const { page, complaints } = await openPage(browser, stage.url, { size: laptop, language: 'en' });
  afterAll(async () => {
    await browser.close();
    await stage.close();
  });
  beforeEach(async () => {
    await page.goto('about:blank');
    stage.reset();
    await page.goto(`${stage.url}?${Math.random()}`);
    await waitFor(page, '.display[data-shape="attract"]');
    complaints.length = 0;
  });
  return { browser, stage, page, complaints };
}
