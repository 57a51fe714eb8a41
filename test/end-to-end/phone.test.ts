/**
 * A phone of the team on the app as users start it, over https and by touch. It is paired by the code on the laptop's
 * screen, works on the last tap, and loses its network in the middle of edits, with and without a closed connection.
 * Then it is revoked.
 */

import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, onTestFinished } from 'vitest';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { ownNetworks } from '../../src-main/machine/networks.ts';
import { ownFolder } from '../core/fixture.ts';
import { startApp } from '../launch/running-app.ts';
import { notRunUnless } from '../not-run.ts';
import { fakeCamera, openPage, startBrowser, waitFor } from '../renderer/browser.ts';
import { buildRenderer } from '../renderer/build-renderer.ts';

/** The text of the pairing code on this page, as the camera of a phone reads it. */
const readCode = async (page: Page): Promise<string> => {
  const wasm = join(import.meta.dirname, '../../node_modules/zxing-wasm/dist/reader/zxing_reader.wasm');
  prepareZXingModule({ overrides: { wasmBinary: (await readFile(wasm)).buffer as ArrayBuffer } });
  const [code] = await readBarcodes(await page.locator('.pairing-code .qr').screenshot(), {
    formats: ['QRCode'],
    maxNumberOfSymbols: 1,
  });
  return code?.text ?? '';
};

/** The status of an answer, whatever the certificate is. */
const statusOf = (address: string, headers: Readonly<Record<string, string>> = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = request(address, { headers, rejectUnauthorized: false, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.once('error', reject);
    asked.end();
  });

const withNetwork = notRunUnless(ownNetworks().length > 0, 'this machine has no network', 'network');

withNetwork(
  'the app pairs a phone that rates, takes a photo, records a voice note, writes a note, and is revoked',
  async () => {
    await buildRenderer();
    const app = startApp(ownFolder());
    onTestFinished(async () => {
      app.child.kill('SIGKILL');
      await app.ended;
    });
    const [, address = ''] = await app.line(/^Touchpoint is ready: (\S+)$/);
    const browser = await startBrowser(fakeCamera);
    onTestFinished(() => browser.close());
    const size = { name: 'laptop', width: 1280, height: 800 };
    const { page: laptop } = await openPage(browser, address, { size, language: 'en' });
    const onLaptop = (name: string | RegExp) => laptop.getByRole('button', { name });
    await waitFor(laptop, 'main[data-view="attract"]');
    await laptop.locator('.tray-handle').click();
    await laptop.locator('.tray-badge').first().click();
    await waitFor(laptop, 'main[data-view="captured"]');
    await laptop.keyboard.press('F2');
    await laptop.getByLabel('PIN').waitFor();
    await laptop.keyboard.type('2580', { delay: 60 });
    await laptop.keyboard.press('Enter');
    await laptop.getByRole('link', { name: /^Team/u }).click();

    // Off by default.
    await onLaptop('Switch on for today').click();
    await laptop.getByText('No phone is paired.').waitFor();
    const [member] = await laptop.locator('.work-line strong').allTextContents();
    await laptop.locator('.staff-card', { hasText: 'Pair a phone of' }).getByRole('button').first().click();
    await waitFor(laptop, '.pairing-code .qr');
    const code = await readCode(laptop);
    expect(code).toMatch(/^https:\/\/[\d.]+:\d+\/\?pair=[\w-]{43}$/u);
    const { origin } = new URL(code);
    expect(await statusOf(origin)).toBe(403);
    expect(await statusOf(origin, { host: 'attacker.example' })).toBe(421);
    expect(await statusOf(origin, { origin: 'https://attacker.example' })).toBe(403);

    const context = await browser.newContext({
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
      locale: 'en',
      reducedMotion: 'reduce',
      ignoreHTTPSErrors: true,
      permissions: ['camera', 'microphone'],
    });
    // The phone's clock is a day off.
    await context.clock.setFixedTime(Date.now() + 86_400_000);
    const phone = await context.newPage();
    /**
     * Ends the current connection as when the Wi-Fi disappears: nothing (or no answer) arrives, and nothing is
     * closed.
     */
    let silence: (what: 'all' | 'answers') => void = () => undefined;
    await phone.routeWebSocket(/\/rpc$/u, (socket) => {
      const server = socket.connectToServer();
      let silent: 'all' | 'answers' | null = null;
      silence = (what) => {
        silent = what;
      };
      socket.onMessage((message) => {
        if (silent !== 'all') server.send(message);
      });
      server.onMessage((message) => {
        if (silent === null) socket.send(message);
      });
    });
    await phone.goto(code);
    const tap = (name: string | RegExp) => phone.getByRole('button', { name }).tap();
    await laptop.getByText(/^paired \d/u).waitFor();
    expect(await laptop.locator('.pairing-code').count()).toBe(0);

    // Another phone opens the same code.
    const other = await browser.newContext({ ignoreHTTPSErrors: true });
    const second = await other.newPage();
    expect((await second.goto(code))?.status()).toBe(403);
    await second.getByText('This phone is not paired').waitFor();

    await tap('Last tap');
    await waitFor(phone, '.phone .detail h2');
    await phone.getByRole('button', { name: /4/u }).first().tap();
    await phone.getByText('Saved', { exact: false }).first().waitFor();
    await tap('Tomorrow');
    await tap('Take a photo');
    await expect.poll(() => phone.getByRole('button', { name: 'Take it now' }).isEnabled()).toBe(true);
    await tap('Take it now');
    await waitFor(phone, '.file-photo');
    await tap('Voice note');
    await tap('I speak');
    await phone.getByText('0:03 / 2:00').waitFor();
    await tap('Stop and keep');
    await phone.getByRole('button', { name: /^Play: Voice note/u }).waitFor();
    const position = phone.getByRole('slider', { name: /^Voice note/u });
    const { width = 0, height = 0 } = (await position.boundingBox()) ?? {};
    expect(height).toBeGreaterThanOrEqual(44);
    await position.tap({ position: { x: width / 2, y: height / 2 } });
    await expect.poll(() => position.getAttribute('aria-valuetext')).toMatch(/^0:0[1-9] of 0:0[3-9]$/u);
    expect(new URL(phone.url()).hash).toBe('');

    await context.setOffline(true);
    const note = phone.getByRole('textbox', { name: 'Note' });
    await note.tap();
    await note.fill('Wants the quote before Friday, said on the way to the bar');
    await phone.getByText(/^No connection to the laptop/u).waitFor();
    await phone.getByText('Kept here. It is sent when the connection is back.').waitFor();
    const pressed = (page: Page, name: string | RegExp) =>
      page.getByRole('button', { name }).first().getAttribute('aria-pressed');
    await tap('In a week');
    await tap('3 of 5');
    await tap('2 of 5');
    expect(await pressed(phone, 'In a week')).toBe('true');
    expect(await pressed(phone, '2 of 5')).toBe('true');
    await tap('Leads');
    await context.setOffline(false);
    await phone.getByText(/^No connection to the laptop/u).waitFor({ state: 'detached' });

    await laptop.getByRole('link', { name: /^Leads/u }).click();
    await expect
      .poll(() => laptop.locator('.note-input').first().inputValue())
      .toBe('Wants the quote before Friday, said on the way to the bar');
    await expect.poll(() => pressed(laptop, '2 of 5')).toBe('true');
    expect(await pressed(laptop, 'In a week')).toBe('true');
    const rated = (rating: number) => laptop.locator('.timeline li', { hasText: `Rated ${rating}` }).count();
    expect(await rated(2)).toBe(1);
    expect(await rated(3)).toBe(0);

    await tap('Last tap');
    await waitFor(phone, '.phone .detail h2');
    silence('answers');
    await tap('5 of 5');
    await expect.poll(() => pressed(laptop, '5 of 5')).toBe('true');
    // The laptop has the rating, and the phone sends it again.
    await phone.getByText('Saved.').waitFor();
    expect(await rated(5)).toBe(1);
    silence('all');
    await note.fill('And a visit in March');
    await expect
      .poll(() => laptop.locator('.note-input').first().inputValue(), { timeout: 60_000 })
      .toBe('And a visit in March');
    await laptop.locator('.timeline', { hasText: member ?? '' }).waitFor();

    await laptop.getByRole('link', { name: /^Team/u }).click();
    await onLaptop(/^Revoke the phone of/u).click();
    await phone.getByText('This phone is not paired').waitFor();
    const stored = await phone.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })');
    expect(stored).not.toMatch(/Friday|March/u);
  },
  180_000,
);
