/**
 * Three laptops as their team uses them: real apps, real Chromium, the platform in its own process, and no terminal. One shares, two
 * join by a typed code, the sharing one is killed, another one takes over.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { expect, onTestFinished } from 'vitest';
import badges from '../../assets/demo/badges.json' with { type: 'json' };
import { keepPin } from '../../src-main/core/team/staff/pin.ts';
import { createStaffFile, emptyRecord } from '../../src-main/core/team/staff/staff-file.ts';
import { writePlatformFile } from '../../src-main/device-setup/platform-file.ts';
import { ownFolder } from '../core/fixture.ts';
import { createPlatformProcess, type PlatformProcess } from '../core/platform-process.ts';
import { realRandom } from '../core/real-parts.ts';
import { startApp } from '../launch/running-app.ts';
import { notRunUnless } from '../not-run.ts';
import { openPage, startBrowser } from '../renderer/browser.ts';
import { buildRenderer } from '../renderer/build-renderer.ts';
import { scan } from '../renderer/device/scan.ts';
import { laptop } from '../renderer/device/shown-display.ts';
import { axeFaults } from '../renderer/screens/axe.ts';
import { isThorough } from '../thoroughness.ts';

const PINS = { team: '1357', technician: '24680' };
const PATIENCE = { timeout: 120_000 };
const [lead = '', ...guests] = ['amelie', 'lena', 'pieter', 'giulia', 'olga', 'max'].map(
  (alias) => badges.find((badge) => badge.alias === alias)?.code ?? '',
);

/** A laptop that somebody set up with the key, at the demo's first touchpoint. */
const setUp = async (folder: string, { baseUrl, key, expoId }: PlatformProcess): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  const kept = { place: 'file', text: key } as const;
  writePlatformFile(folder, { address: baseUrl, expo: expoId, privateHttp: false, key: kept });
  writeFileSync(join(folder, 'stand.json'), JSON.stringify({ touchpoint: 'AD2026T01' }));
  const [pin, technicianPin] = await Promise.all(
    [PINS.team, PINS.technician].map((text) => keepPin(text, realRandom.bytes(16))),
  );
  createStaffFile(folder).write({
    ...emptyRecord,
    ...{ pin: pin ?? null, technicianPin: technicianPin ?? null },
    members: [{ id: 'm1', name: 'Jonas W.', badges: [] }],
  });
};

const openLaptop = async (browser: Browser, folder: string, options: readonly string[] = []) => {
  const app = startApp(folder, options);
  onTestFinished(async () => {
    app.child.kill('SIGKILL');
    await app.ended;
  });
  const [, address = ''] = await app.line(/^Touchpoint is ready: (\S+)$/);
  const { page } = await openPage(browser, address, { size: laptop, language: 'en' });
  page.setDefaultTimeout(PATIENCE.timeout);
  return { page, app };
};

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

const toDisplay = async (page: Page): Promise<void> => {
  await page.goto(page.url().replace(/#.*/, ''));
  await page.reload();
  await page.locator('main[data-view="attract"]').waitFor();
};

const signIn = async (page: Page, pin: string): Promise<void> => {
  await toDisplay(page);
  await page.keyboard.press('F2');
  await page.getByLabel('PIN').waitFor();
  await page.keyboard.type(pin, { delay: 60 });
  await page.keyboard.press('Enter');
  await page.locator('.staff').waitFor();
};

const openSharing = async (page: Page): Promise<void> => {
  await signIn(page, PINS.technician);
  await page.evaluate("location.hash = '#/staff/setup'");
  await page.locator('.sharing-part').waitFor();
};

const share = async (page: Page, name: string): Promise<void> => {
  await openSharing(page);
  await press(page, name);
  await page
    .getByText('Done. This laptop connects anew')
    .or(page.locator('main[data-view]'))
    .first()
    .waitFor();
  await expect
    .poll(async () => {
      await openSharing(page);
      return page.getByRole('button', { name: 'Show a code for another laptop' }).count();
    }, PATIENCE)
    .toBe(1);
};

const codeOn = async (page: Page): Promise<string> => {
  await openSharing(page);
  await press(page, 'Show a code for another laptop');
  const code = page.locator('.sharing-code bdi');
  await code.waitFor();
  return code.innerText();
};

const joinBy = async (page: Page, code: string): Promise<void> => {
  await page.getByLabel('Code of our other laptop').fill(code);
  await press(page, 'Join our other laptop');
  await page.locator('main[data-view="attract"]').waitFor();
};

const tap = async (page: Page, code: string): Promise<void> => {
  await toDisplay(page);
  await scan(page, `${code}\n`);
  await page.locator('main[data-view="captured"]').waitFor();
};

const nightTest = notRunUnless(isThorough(), 'only the nightly run takes it', 'night');

nightTest(
  'three laptops share, lose the sharing one and take over, on their screens only',
  async () => {
    await buildRenderer();
    const folder = ownFolder();
    const platform = await createPlatformProcess(join(folder, 'platform'));
    await platform.start();
    const at = (name: string) => join(folder, name);
    await setUp(at('one'), platform);
    await setUp(at('two'), platform);
    const browser = await startBrowser();
    onTestFinished(() => browser.close());
    const one = await openLaptop(browser, at('one'));
    const two = await openLaptop(browser, at('two'));
    const three = await openLaptop(browser, at('three'), ['--set-up']);

    await share(one.page, 'Share with our other laptops');
    const code = await codeOn(one.page);
    expect(await axeFaults(one.page, 'all')).toEqual([]);
    await openSharing(two.page);
    await joinBy(two.page, code.toLowerCase());
    await three.page.getByLabel('Code of our other laptop').fill(code);
    await press(three.page, 'Join our other laptop');
    await three.page.getByText('Another laptop joined with this code.').waitFor();
    await joinBy(three.page, await codeOn(one.page));
    await tap(one.page, lead);
    await tap(two.page, guests[0] ?? '');
    await tap(three.page, guests[1] ?? '');
    await signIn(two.page, PINS.team);
    await two.page.getByText('3 people').waitFor();

    one.app.child.kill('SIGKILL');
    await one.app.ended;
    await tap(two.page, guests[2] ?? '');
    await tap(three.page, guests[3] ?? '');
    await share(two.page, 'Take over the sharing');
    const next = await codeOn(two.page);
    // The third has no PIN yet: the first F2 asks for one, and the technician's is that of the set-up.
    await three.page.keyboard.press('F2');
    await three.page.getByLabel('Your name, as the team says it').fill('Jonas W.');
    for (const field of ['PIN', 'The same PIN again'])
      await three.page.getByLabel(field, { exact: true }).fill(PINS.team);
    await press(three.page, 'Use this PIN');
    await three.page.locator('.staff').waitFor();
    const record = createStaffFile(at('three')).read();
    if (record === 'damaged') throw new Error('Expected a PIN');
    const technicianPin = await keepPin(PINS.technician, realRandom.bytes(16));
    createStaffFile(at('three')).write({ ...record, technicianPin });
    await openSharing(three.page);
    await joinBy(three.page, next);
    for (const { page } of [two, three]) {
      await signIn(page, PINS.team);
      await page.getByText('5 people').waitFor();
    }
    const taps = async () => {
      const actions = await platform.actions();
      return actions.map(({ badge }) => String(badge)).filter((badge) => [lead, ...guests].includes(badge));
    };
    await expect.poll(async () => (await taps()).length, PATIENCE).toBe(5);
    expect(new Set(await taps()).size).toBe(5);
  },
  600_000,
);
