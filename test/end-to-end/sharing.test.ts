/**
 * Two or three laptops as their team uses them: real apps, real Chromium, the platform in its own process, and no
 * terminal. One laptop shares, the others join by a typed code, the sharing laptop is closed, and another one takes
 * over.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from '@playwright/test';
import { expect, onTestFinished, vi } from 'vitest';
import badges from '../../assets/demo/badges.json' with { type: 'json' };
import { keepPin } from '../../src-main/core/team/staff/pin.ts';
import { createStaffFile, emptyRecord } from '../../src-main/core/team/staff/staff-file.ts';
import { writePlatformFile } from '../../src-main/device-setup/platform-file.ts';
import { ownNetworks } from '../../src-main/machine/networks.ts';
import { ownFolder } from '../core/fixture.ts';
import { createPlatformProcess, type PlatformProcess } from '../core/platform-process.ts';
import { realRandom } from '../core/real-parts.ts';
import { notRunUnless } from '../not-run.ts';
import { openPage, startBrowser } from '../renderer/browser.ts';
import { buildRenderer } from '../renderer/build-renderer.ts';
import { scan } from '../renderer/device/scan.ts';
import { laptop } from '../renderer/device/shown-display.ts';
import { isThorough } from '../thoroughness.ts';
import { startOn } from './app-with-leads.ts';

const PIN = '24680';
const PATIENCE = { timeout: 120_000 };
/** One attempt at the steps on a page. */
const ATTEMPT_MS = 40_000;
const BADGES = ['amelie', 'lena', 'pieter', 'giulia'].map(
  (alias) => badges.find((badge) => badge.alias === alias)?.code ?? '',
);

/** A laptop that somebody has set up with the key, at the demo's first touchpoint. */
const setUp = async (folder: string, { baseUrl, key, expoId }: PlatformProcess): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  const kept = { place: 'file', text: key } as const;
  writePlatformFile(folder, { address: baseUrl, expo: expoId, privateHttp: false, key: kept });
  writeFileSync(join(folder, 'stand.json'), JSON.stringify({ touchpoint: 'AD2026T01' }));
  const pin = await keepPin(PIN, realRandom.bytes(16));
  const members = [{ id: 'm1', name: 'Jonas W.', email: '', badges: [] }];
  createStaffFile(folder).write({ ...emptyRecord, pin, technicianPin: pin, members });
};

const openLaptop = async (browser: Browser, folder: string, platform: PlatformProcess) => {
  await setUp(folder, platform);
  const { app, address } = await startOn(folder);
  const { page } = await openPage(browser, address, { size: laptop, language: 'en' });
  page.setDefaultTimeout(PATIENCE.timeout);
  return { page, app };
};

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Opens the visitor's screen. It still shows a visitor whose tap was captured a moment ago. */
const toDisplay = async (page: Page, views = ''): Promise<void> => {
  await page.goto(page.url().replace(/#.*/u, ''));
  await page.locator(`main[data-view]${views}`).waitFor();
};

/** Waits for a part of the staff pages. Throws as soon as the page asks for the PIN again. */
const shown = async (page: Page, part: Locator): Promise<void> => {
  const entry = page.locator('main.entry');
  await part.or(entry).first().waitFor();
  if ((await entry.count()) > 0) throw new Error('The staff was signed out');
};

/** Signs in from the visitor's screen and opens an address of the staff pages. */
const openStaff = async (page: Page, address: string, part: string): Promise<void> => {
  await toDisplay(page);
  await page.keyboard.press('F2');
  await page.getByLabel('PIN').fill(PIN);
  await page.keyboard.press('Enter');
  await page.locator('.staff').waitFor();
  await page.evaluate(`location.hash = '${address}'`);
  await shown(page, page.locator(part));
};

const openSharing = (page: Page) => openStaff(page, '#/staff/setup', '.sharing-part');

/**
 * The laptop connects again: it shows the result, or already the page that follows. Throws the words of a refusal.
 */
const connected = async (page: Page): Promise<void> => {
  const refusal = page.locator('.sharing-part [data-tone="stop"]');
  const result = page.getByText('This laptop connects again').or(page.locator('main.entry, main[data-view]'));
  await result.or(refusal).first().waitFor();
  if ((await refusal.count()) > 0) throw new Error(`Refused: ${await refusal.first().innerText()}`);
};

/**
 * Repeats steps until they succeed. When the access of a laptop changes, its staff are signed out, at a moment that
 * no page shows. Each attempt starts at the visitor's screen.
 */
const attempt = async (page: Page, steps: () => Promise<void>): Promise<void> => {
  page.setDefaultTimeout(ATTEMPT_MS);
  await vi.waitFor(steps, PATIENCE);
  page.setDefaultTimeout(PATIENCE.timeout);
};

const share = async (page: Page, name: string): Promise<void> => {
  await openSharing(page);
  await press(page, name);
  await connected(page);
};

const codeOn = async (page: Page): Promise<string> => {
  const code = page.locator('.sharing-code bdi.hub-fingerprint');
  const button = page.getByRole('button', { name: 'Show a code for another laptop', exact: true });
  await attempt(page, async () => {
    await openSharing(page);
    await shown(page, button);
    await button.click();
    await shown(page, code);
  });
  return code.innerText();
};

const joinBy = async (page: Page, code: string): Promise<void> => {
  await openSharing(page);
  await page.getByLabel('Code of our other laptop').fill(code);
  await press(page, 'Join our other laptop');
  await connected(page);
  const takeOver = page.getByRole('button', { name: 'Take over the sharing', exact: true });
  await attempt(page, async () => {
    await openSharing(page);
    await shown(page, takeOver);
  });
};

const tap = (page: Page, code: string): Promise<void> =>
  attempt(page, async () => {
    await toDisplay(page, '[data-view="attract"]');
    await scan(page, `${code}\n`);
    await page.locator('main[data-view="captured"]').waitFor();
  });

/** The lines of a laptop's list of people. Opens the list if another page is shown. */
const linesOn = async (page: Page): Promise<readonly string[]> => {
  if ((await page.locator('.staff .counts').count()) === 0)
    await attempt(page, () => openStaff(page, '#/staff', '.counts'));
  return page.locator('.lead-who').allInnerTexts();
};

/**
 * Polls until the lists of all laptops have the same people: a colleague's lead arrives later than the laptop's own
 * leads, and its job title may follow. If it fails, it prints the lines that each laptop misses.
 */
const expectSameLists = async (pages: readonly Page[], people: number): Promise<void> => {
  const compare = async () => {
    const lists = await Promise.all(pages.map(linesOn));
    const lines = [...new Set(lists.flat())];
    return {
      counts: lists.map((list) => list.length),
      missing: lists.map((list) => lines.filter((line) => !list.includes(line))),
    };
  };
  const same = { counts: pages.map(() => people), missing: pages.map(() => []) };
  await expect.poll(compare, PATIENCE).toEqual(same);
};

/** Laptops with these names share. The first of them is closed, and the second takes over. */
const story = async (names: readonly [string, string, ...string[]]): Promise<void> => {
  await buildRenderer();
  const folder = ownFolder();
  const platform = await createPlatformProcess(join(folder, 'platform'));
  await platform.start();
  const browser = await startBrowser();
  onTestFinished(() => browser.close());
  const laptops = await Promise.all(names.map((name) => openLaptop(browser, join(folder, name), platform)));
  const [one, two, ...rest] = laptops;
  if (one === undefined || two === undefined) throw new Error('Expected two laptops');
  const pagesOf = (some: typeof laptops) => some.map(({ page }) => page);

  await share(one.page, 'Share with our other laptops');
  for (const page of pagesOf([two, ...rest])) await joinBy(page, (await codeOn(one.page)).toLowerCase());
  await Promise.all(pagesOf(laptops).map((page, index) => tap(page, BADGES[index] ?? '')));
  await expectSameLists(pagesOf(laptops), laptops.length);

  one.app.child.kill('SIGTERM');
  await one.app.ended;
  const left = [two, ...rest];
  await tap((rest[0] ?? two).page, BADGES[laptops.length] ?? '');
  await share(two.page, 'Take over the sharing');
  for (const page of pagesOf(rest)) await joinBy(page, await codeOn(two.page));
  await expectSameLists(pagesOf(left), laptops.length + 1);
  const taps = async () => {
    const actions = await platform.actions();
    return actions.map(({ badge }) => String(badge)).filter((badge) => BADGES.includes(badge));
  };
  await expect.poll(async () => (await taps()).length, PATIENCE).toBe(laptops.length + 1);
  expect(new Set(await taps()).size).toBe(laptops.length + 1);
};

const NO_NETWORK = ['this machine has no network', 'network'] as const;
const hasNetwork = ownNetworks().length > 0;
const twoTest = notRunUnless(hasNetwork, ...NO_NETWORK);
const threeTest =
  hasNetwork && !isThorough()
    ? notRunUnless(false, 'only the nightly run takes it', 'night')
    : notRunUnless(hasNetwork, ...NO_NETWORK);

twoTest(
  'two laptops share, and one takes over when the other is closed, on their screens only',
  () => story(['one', 'two']),
  600_000,
);

threeTest(
  'three laptops share, lose the sharing one and take over, on their screens only',
  () => story(['one', 'two', 'three']),
  600_000,
);
