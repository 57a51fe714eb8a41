/**
 * Visitors in a queue at the real demo: each sees their own name, that they are next, and what happened to their
 * choices.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import badges from '../../assets/demo/badges.json' with { type: 'json' };
import arabic from '../../src-renderer/messages/ar.json' with { type: 'json' };
import german from '../../src-renderer/messages/de.json' with { type: 'json' };
import { startApp } from '../launch/running-app.ts';
import { openPage, startBrowser, waitFor } from '../renderer/browser.ts';
import { buildRenderer } from '../renderer/build-renderer.ts';
import { scan } from '../renderer/device/scan.ts';

const five = ['amelie', 'lena', 'pieter', 'giulia', 'olga'];
const codeOf = (alias: string) => badges.find((badge) => badge.alias === alias)?.code ?? '';
const settled = { timeout: 40_000 };

it('greets five quick taps in turn, and says whether the choices of an interrupted visitor were saved', {
  timeout: 120_000,
}, async () => {
  await buildRenderer();
  const folder = await mkdtemp(join(tmpdir(), 'touchpoint-queue-'));
  const app = startApp(folder);
  const browser = await startBrowser();
  onTestFinished(async () => {
    await browser.close();
    app.child.kill('SIGTERM');
    await app.ended;
    await rm(folder, { recursive: true, force: true });
  });
  const [, address = ''] = await app.line(/^Touchpoint is ready: (\S+)$/);
  const { page } = await openPage(browser, address, {
    size: { name: 'laptop', width: 1280, height: 800 },
    language: 'en',
  });
  await waitFor(page, '.notice-brief');
  await page.evaluate(`{
    window.greeted = [];
    window.waiting = [];
    const main = document.querySelector('main');
    new MutationObserver(() => {
      const name = main.dataset.view === 'captured' ? main.querySelector('h1').textContent : '';
      if (name !== '' && window.greeted.at(-1) !== name) window.greeted.push(name);
      const waits = main.querySelector('.mark-queue')?.textContent;
      if (waits && window.waiting.at(-1) !== waits) window.waiting.push(waits);
    }).observe(main, { subtree: true, childList: true, attributes: true, characterData: true });
  }`);

  // All taps arrive together. Otherwise a slow machine would show each tap before the next one arrives.
  await scan(page, five.map((alias) => `${codeOf(alias)}\n`).join(''));
  const greeted = () =>
    page.evaluate<string[]>(
      'window.greeted.map((line) => /Amélie|Lena|Pieter|Giulia|Olga/.exec(line)?.[0] ?? line)',
    );
  await expect.poll(greeted, settled).toEqual(['Amélie', 'Lena', 'Pieter', 'Giulia', 'Olga']);
  expect(await page.evaluate<string[]>('window.waiting')).not.toEqual([]);

  // The screen speaks the language of the last visitor: Max's is German, Hassan's Arabic. Olga switches a consent on
  // and is interrupted before she shares it.
  await page.locator('.invitation').click();
  await waitFor(page, '.display[data-view="consent"]');
  await page.locator('.switch').first().click();
  await scan(page, `${codeOf('max')}\n`);
  const told = page.locator('.mark-note');
  await expect.poll(() => told.textContent(), settled).toBe(german['mark.notKept']);
  // Max has chosen nothing when he is interrupted.
  await page.locator('.invitation').click();
  await waitFor(page, '.display[data-view="consent"]');
  await scan(page, `${codeOf('hassan')}\n`);
  await expect.poll(() => told.textContent(), settled).toBe(arabic['mark.kept']);

  // A connection loses an outcome and breaks. The page shows the outcome after it reconnects (docs/laws.md#law-13).
  let swallows = false;
  await page.routeWebSocket(/\/rpc$/, (socket) => {
    const device = socket.connectToServer();
    device.onMessage((message) => {
      if (!swallows) return socket.send(message);
      if (!String(message).includes('captured')) return;
      swallows = false;
      void device.close();
      void socket.close();
    });
  });
  await page.reload();
  await waitFor(page, '.notice-brief');
  swallows = true;
  await scan(page, `${codeOf('giulia')}\n`);
  await expect.poll(() => page.locator('h1').textContent(), settled).toContain('Giulia');
});
