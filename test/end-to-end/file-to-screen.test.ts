/**
 * The file of a hub is opened by a double click: in an app that is not set up, and in one that works. The whole
 * Electron shell runs with fakes for Electron; the browser shell starts as users start it.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, onTestFinished } from 'vitest';
import { resetPin } from '../../src-main/core/team/staff/pin-entry.ts';
import { PAGE_ADDRESS } from '../../src-main/shell-electron/policies/own-page.ts';
import { ownFolder } from '../core/fixture.ts';
import { realRandom } from '../core/real-parts.ts';
import { startApp } from '../launch/running-app.ts';
import { notRunUnless } from '../not-run.ts';
import { openHub } from '../provision/hub-double.ts';
import { chromiumPath, openPage, startBrowser, waitFor } from '../renderer/browser.ts';
import { buildRenderer } from '../renderer/build-renderer.ts';
import { laptop } from '../renderer/device/shown-display.ts';
import { startShellUnderTest } from '../shell-electron/shell-under-test.ts';

const browserTest = notRunUnless(existsSync(chromiumPath), 'Chromium is not installed');
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

type Shell = ReturnType<typeof startShellUnderTest>;
/** The answer of the window's session when our page requests the camera. */
const mayUseCamera = ({ defaultSession }: Shell): boolean => {
  const ask = defaultSession.handlers.get('check') as (...given: readonly unknown[]) => boolean;
  return ask(null, 'media', PAGE_ADDRESS, { mediaType: 'video', isMainFrame: true });
};

/** Sets the team's PIN on the screen and the technician's PIN at the machine. Afterwards nobody is signed in. */
const choosePins = async (page: Page, data: string): Promise<void> => {
  await page.keyboard.press('F2');
  await page.getByLabel('Your name, as the team says it').fill('Jonas W.');
  for (const field of ['PIN', 'The same PIN again'])
    await page.getByLabel(field, { exact: true }).fill('1357');
  await press(page, 'Use this PIN');
  await page.locator('.staff').waitFor();
  await resetPin(data, 'technician', '24680', realRandom);
  await page.goto(page.url().replace(/#.*/, ''));
  await page.reload();
  await waitFor(page, '.display:not(.setup-preview *)');
};

browserTest(
  'a double click opens the set-up of a new device on its screen, and never changes a working device',
  async () => {
    await buildRenderer();
    const [hub, stranger] = [await openHub(), await openHub()];
    const folder = ownFolder();
    const file = join(folder, 'T01 Left (D01).touchpoint');
    writeFileSync(file, hub.file(['D01']));
    const data = join(folder, 'data ü');
    const shell = startShellUnderTest(data, { args: ['--reader', 'none', file] });
    onTestFinished(() => shell.end());
    await shell.ready();
    const { page } = await shell.page();
    await page.getByText(hub.fingerprint).waitFor();
    expect([hub.asked.length, existsSync(join(data, 'platform.json'))]).toEqual([0, false]);

    // The camera is on only while a user reads a code.
    expect(mayUseCamera(shell)).toBe(false);
    await press(page, 'Read a code');
    await expect.poll(() => mayUseCamera(shell), { timeout: 40_000 }).toBe(true);
    await press(page, 'Close the camera');
    await expect.poll(() => mayUseCamera(shell), { timeout: 40_000 }).toBe(false);

    await press(page, 'Set this device up');
    await waitFor(page, '.display:not(.setup-preview *)');
    const kept = readFileSync(join(data, 'platform.json'), 'utf8');
    expect(hub.enrolled.size).toBe(1);

    await choosePins(page, data);
    const other = join(folder, 'other.touchpoint');
    writeFileSync(other, stranger.file(['D09']));
    shell.app.emit('second-instance', {}, ['/opt/touchpoint', 'other.touchpoint'], folder);
    await page.waitForURL(/#\/staff\/setup/);
    await page.getByLabel('PIN', { exact: true }).fill('24680');
    await page.keyboard.press('Enter');
    await page.getByText('This comes from a hub other than the one this device belongs to').waitFor();
    expect(readFileSync(join(data, 'platform.json'), 'utf8')).toBe(kept);
    expect([stranger.asked.length, hub.enrolled.size]).toEqual([0, 1]);
  },
  180_000,
);

browserTest(
  'a browser start with an altered file shows why it is refused; a start with a missing file ends',
  async () => {
    await buildRenderer();
    const hub = await openHub();
    const folder = ownFolder();
    const file = join(folder, 'T01.touchpoint');
    writeFileSync(file, hub.file(['D01']).replace('T-D01', 'T-D02'));
    const app = startApp(join(folder, 'data'), [file]);
    onTestFinished(async () => {
      app.child.kill('SIGTERM');
      await app.ended;
    });
    const [, address = ''] = await app.line(/^Touchpoint is ready: (\S+)$/);
    const browser = await startBrowser();
    onTestFinished(() => browser.close());
    const { page } = await openPage(browser, address, { size: laptop, language: 'de' });
    await page.getByText('Diese Datei wurde nach dem Schreiben verändert').waitFor();
    const none = startApp(join(folder, 'none'), [join(folder, 'gone.touchpoint')]);
    expect([await none.ended, none.errors()]).toEqual([
      2,
      `There is no file ${join(folder, 'gone.touchpoint')}.\n`,
    ]);
    expect(existsSync(join(folder, 'none'))).toBe(false);
  },
  120_000,
);
