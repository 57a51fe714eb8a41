/**
 * One scripted device for a whole test file, with a separate page for every test.
 *
 * Invariant: no page outlives its test, and the next test finds the device in its initial state.
 */
import type { Browser, Page } from '@playwright/test';
import { afterAll, afterEach } from 'vitest';
import { openPage, startBrowser, waitFor } from '../browser.ts';
import { buildRenderer } from '../build-renderer.ts';
import { openScriptedDevice, type ScriptedDevice } from './scripted-device.ts';
import { laptop } from './shown-display.ts';

export type DevicePages = {
  readonly browser: Browser;
  readonly scripted: ScriptedDevice;
  /** An idle page in `language`, on a device that has voices for the languages `voices`. */
  readonly open: (language: string, voices?: readonly string[]) => Promise<Page>;
};

/** Opens the device and closes everything after the last test of the file. */
export async function devicePages(): Promise<DevicePages> {
  const scripted = await openScriptedDevice(await buildRenderer());
  const browser = await startBrowser();
  afterAll(async () => {
    await browser.close();
    await scripted.close();
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    scripted.reset();
  });
  const open: DevicePages['open'] = async (language, voices = []) => {
    const { page } = await openPage(browser, scripted.url, { size: laptop, language, voices });
    await waitFor(page, '.tools');
    return page;
  };
  return { browser, scripted, open };
}
