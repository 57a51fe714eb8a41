/**
 * The staff pages in real Chromium on a scripted device, with a signed-in user. The device is reset before each test
 * of a file.
 *
 * Invariant: one browser and one device per file. No state passes from one test to the next.
 */
import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { openPage, startBrowser, waitFor } from '../browser.ts';
import { buildRenderer } from '../build-renderer.ts';
import { demoLeads } from '../device/demo-leads.ts';
import { openScriptedDevice, type ScriptedDevice } from '../device/scripted-device.ts';
import { laptop } from '../device/shown-display.ts';

export type StaffPages = {
  readonly page: () => Page;
  readonly device: () => ScriptedDevice;
  /** Calls of the page with this name, oldest first. */
  readonly inputs: (call: string) => readonly unknown[];
  /** Opens a place of the staff pages (`#/staff/numbers`) and waits until it is shown. */
  readonly goTo: (address: string, ready: string) => Promise<void>;
  readonly button: (name: string | RegExp) => ReturnType<Page['getByRole']>;
};

/** Prepares the tests of a file; each starts with `count` leads. */
export function staffPages(count: number): StaffPages {
  let browser: Browser;
  let device: ScriptedDevice;
  let page: Page;
  beforeAll(async () => {
    device = await openScriptedDevice(await buildRenderer());
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await device?.close();
  });
  beforeEach(async () => {
    await page?.context().close();
    device.reset();
    device.leads.all = demoLeads(count);
    ({ page } = await openPage(browser, device.url, { size: laptop, language: 'en' }));
    await waitFor(page, '.display[data-shape="attract"]');
  });
  return {
    page: () => page,
    device: () => device,
    inputs: (name) => device.calls.filter(({ call }) => call === name).map(({ input }) => input),
    goTo: async (address, ready) => {
      await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
      await waitFor(page, ready);
    },
    button: (name) => page.getByRole('button', { name, exact: true }),
  };
}
