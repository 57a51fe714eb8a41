/**
 * The real Chromium the renderer is looked at with.
 *
 * Invariant: no background traffic; a page starts with the given languages and size and nothing remembered.
 */
import { type Browser, chromium, type Page } from '@playwright/test';
import { giveVoice } from './device/fake-voice.ts';

export type Size = { readonly name: string; readonly width: number; readonly height: number };

export const sizes: readonly Size[] = [
  { name: 'landscape', width: 1920, height: 1080 },
  { name: 'portrait', width: 1080, height: 1920 },
  { name: 'laptop', width: 1280, height: 800 },
  { name: 'wall', width: 3840, height: 2160 },
];

/** Switches for a camera that is there, allowed, and sees Chromium's own test picture. */
export const fakeCamera = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'] as const;

/** The switches of every Chromium in our tests. */
export const browserSwitches: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const chromiumPath = '/usr/bin/chromium';

/** Starts Chromium, with `switches` of its own; `executablePath` may lead to it another way. */
export function startBrowser(
  switches: readonly string[] = [],
  executablePath = chromiumPath,
): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [...browserSwitches, ...switches],
  });
}

/** A fresh page on `url`. `complaints` fills with whatever the page complained about. */
export async function openPage(
  browser: Browser,
  url: string,
  options: {
    readonly size: Size;
    readonly language: string;
    readonly still?: boolean;
    readonly dark?: boolean;
    /** Languages the page's device has a voice for. */
    readonly voices?: readonly string[];
  },
): Promise<{ readonly page: Page; readonly complaints: string[] }> {
  const context = await browser.newContext({
    viewport: { width: options.size.width, height: options.size.height },
    locale: options.language,
    timezoneId: 'Europe/Berlin',
    reducedMotion: options.still === false ? 'no-preference' : 'reduce',
    colorScheme: options.dark ? 'dark' : 'light',
  });
  if (options.voices) await giveVoice(context, options.voices);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url);
  return { page, complaints };
}

/** Waits until what was drawn last, pictures with it, is on the screen and what follows the paint has run. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    await Promise.allSettled([...document.images].map((image) => image.decode()));
    for (let round = 0; round < 2; round += 1)
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  })()`);
}

/** Waits until `selector` is on the page and its letters are there. */
export async function waitFor(page: Page, selector: string): Promise<void> {
  await page.locator(selector).first().waitFor({ timeout: 30_000 });
  await page.evaluate('document.fonts.ready.then(() => true)');
}
