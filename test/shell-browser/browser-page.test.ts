/** The browser shell in a real Chromium: the suite of both shells, and behaviour that only a browser has. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { afterAll, beforeAll, expect } from 'vitest';
import { type RunningApp, startApp } from '../launch/running-app.ts';
import { notRunUnless } from '../not-run.ts';
import { pageBehaviours, type ShownPage } from '../page/page-suite.ts';

const executablePath = '/usr/bin/chromium';
const present = existsSync(executablePath);
const pageTest = notRunUnless(present, 'Chromium is not installed');

let folder: string;
let app: RunningApp;
let browser: Browser;
let state: Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['storageState']>>;
let address: string;

beforeAll(async () => {
  if (!present) return;
  folder = await mkdtemp(join(tmpdir(), 'touchpoint-page-'));
  app = startApp(folder);
  [, address = ''] = await app.line(/^Touchpoint is ready: (\S+)$/);
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const context = await browser.newContext();
  await (await context.newPage()).goto(address);
  state = await context.storageState();
  await context.close();
});

afterAll(async () => {
  if (!present) return;
  await browser.close();
  app.child.kill('SIGTERM');
  await app.ended;
  await rm(folder, { recursive: true, force: true });
});

/** A page in a browser that already has its cookie. */
async function show(): Promise<ShownPage & { readonly close: () => Promise<void> }> {
  const context = await browser.newContext({ storageState: state, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(new URL('/', address).href);
  return { page, complaints, close: () => context.close() };
}

for (const { title, check } of pageBehaviours) {
  pageTest(`browser shell: the page ${title}`, async () => {
    const shown = await show();
    await check(shown);
    await shown.close();
  });
}

pageTest('browser shell: the used address shows a second browser how to get a fresh one', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const answer = await page.goto(address);
  expect(answer?.status()).toBe(403);
  expect(await page.innerText('body')).toContain('needs a fresh link');
  expect(await page.evaluate('getComputedStyle(document.body).maxWidth')).toBe('576px');
  await context.close();
});

pageTest('browser shell: a link from another site opens the page', async () => {
  const { page, close } = await show();
  await page.goto('data:text/html,<title>elsewhere</title>');
  const target = new URL('/', address).href;
  await page.setContent(`<a href="${target}">Touchpoint</a>`);
  await page.click('a');
  await page.waitForSelector('#root *');
  expect(page.url()).toBe(target);
  await close();
});
