/**
 * A device is set up with the sheet of its hub: a real platform and hub, and the sheet as a browser renders it, held
 * in front of the camera of the app as users start it.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import sharp from 'sharp';
import { expect, it, onTestFinished } from 'vitest';
import { plainSettings } from '../../src-main/core/stand/visit/settings.ts';
import { writeSetup } from '../../src-main/device-setup/setup-file.ts';
import { ownFolder, until } from '../core/fixture.ts';
import { createPlatformProcess } from '../core/platform-process.ts';
import { createHubProcess, runHub } from '../hub/hub-process.ts';
import { startApp } from '../launch/running-app.ts';
import { fakeCamera, openPage, startBrowser, waitFor } from '../renderer/browser.ts';
import { buildRenderer } from '../renderer/build-renderer.ts';
import { laptop } from '../renderer/device/shown-display.ts';
import { axeFaults } from '../renderer/screens/axe.ts';
import { writeFilm } from '../renderer/visitor/camera/camera-film.ts';

const PATIENCE_MS = 60_000;

/** A card on the sheet as the laptop's camera sees it: slightly rotated, out of focus, in grey. */
const photograph = async (sheet: string): Promise<Buffer> => {
  const browser = await startBrowser();
  try {
    const page = await browser.newPage({ deviceScaleFactor: 2 });
    await page.goto(`file://${sheet}`);
    const card = await page.locator('.card').first().screenshot();
    const turned = await sharp(card)
      .resize({ height: 640 })
      .rotate(4, { background: '#b4b4b4' })
      .blur(0.6)
      .toBuffer();
    const seen = { fit: 'contain', background: '#b4b4b4' } as const;
    return await sharp(turned).resize(1280, 720, seen).toColourspace('b-w').raw().toBuffer();
  } finally {
    await browser.close();
  }
};

const openSetup = async (browser: Browser, folder: string, language: string) => {
  const app = startApp(folder, ['--set-up']);
  onTestFinished(async () => {
    app.child.kill('SIGTERM');
    await app.ended;
  });
  const [, address = ''] = await app.line(/^Touchpoint is ready: (\S+)$/);
  const { page, complaints } = await openPage(browser, address, { size: laptop, language });
  return { page, complaints, app };
};

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

it('a device works for the hub after the camera read its code; a second device with the same code does not', async () => {
  await buildRenderer();
  const folder = ownFolder();
  const platform = await createPlatformProcess(join(folder, 'platform'));
  await platform.start();
  const hub = await createHubProcess(join(folder, 'hub'), platform);
  await hub.start();
  const sheet = join(folder, 'sheet.html');
  // The set-up that the hub distributes, as another device saved it with its own touchpoint and key.
  const stand = join(folder, 'touchpoint-AD2026-T01.json');
  const said = { ...plainSettings(), touchpoint: 'AD2026T09', headline: { en: 'Robots to go' } };
  const access = {
    address: 'https://platform.example/v2',
    expo: 'AD2026',
    privateHttp: false,
    key: 'a-secret-key',
  };
  writeFileSync(stand, writeSetup({ platform: access, stand: said, pins: null, logo: null, attract: [] }));
  const where = ['--data', hub.folder, '--address', hub.baseUrl, '--sheet', sheet, '--stand'];
  await until(
    'the hub has its touchpoints',
    async () => (await runHub('devices', 'add', '--touchpoint', 'AD2026T01', ...where, stand)).code === 0,
    PATIENCE_MS,
  );
  const { out } = await runHub('devices', 'list', '--data', hub.folder);
  const [, fingerprint = ''] = /Fingerprint of this hub: (.+)/.exec(out) ?? [];
  const film = join(folder, 'film.y4m');
  writeFilm(film, [
    // A slow machine looks at the film for the first time seconds after it started.
    { code: 'BEGIN:VCARD\nVERSION:3.0\nFN:Amelie Roth\nEND:VCARD', seconds: 10 },
    { code: await photograph(sheet), seconds: 4 },
  ]);
  const browser = await startBrowser([...fakeCamera, `--use-file-for-fake-video-capture=${film}`]);
  onTestFinished(() => browser.close());

  const data = join(folder, 'laptop');
  const { page, complaints } = await openSetup(browser, data, 'en');
  await press(page, 'Read a code');
  await page.getByText('This code sets nothing up').waitFor({ timeout: PATIENCE_MS });
  await page.locator('.code-picture').waitFor();
  expect(await axeFaults(page, 'all')).toEqual([]);
  await page.getByText(fingerprint).waitFor({ timeout: PATIENCE_MS });
  // The camera is off again, and nothing is set up yet.
  expect(await page.locator('.code-picture').count()).toBe(0);
  expect(readdirSync(data)).not.toContain('platform.json');
  await press(page, 'Set this device up');
  await waitFor(page, '.display[data-shape="attract"]');
  await page.locator('.headline').filter({ hasText: 'Robots to go' }).waitFor({ timeout: PATIENCE_MS });
  expect(JSON.parse(readFileSync(join(data, 'stand.json'), 'utf8'))).toEqual({
    touchpoint: 'AD2026T01',
    headline: { en: 'Robots to go' },
  });
  const kept = JSON.parse(readFileSync(join(data, 'platform.json'), 'utf8')) as { readonly address: string };
  expect(kept.address).toBe(hub.baseUrl);
  expect((await runHub('devices', 'list', '--data', hub.folder)).out).toMatch(/AD2026T01.* enrolled 20/);
  expect(complaints).toEqual([]);

  mkdirSync(join(folder, 'other'));
  const other = await openSetup(browser, join(folder, 'other'), 'de');
  await press(other.page, 'Code lesen');
  await other.page.getByText(fingerprint).waitFor({ timeout: PATIENCE_MS });
  await press(other.page, 'Dieses Gerät einrichten');
  await other.page.getByText('Ein anderes Gerät wurde mit diesem Eintrag schon eingerichtet').waitFor();
}, 240_000);
