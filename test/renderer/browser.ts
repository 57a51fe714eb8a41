/**
 * The real Chromium for tests of the renderer.
 *
 * Invariants:
 * - There is no background traffic. A page starts with the given language and size, and without stored data.
 * - Pages reduce motion unless a test is about motion: in ten seconds a display at rest takes 3.6 s of CPU
 *   with its animations, and 0.4 s without.
 */
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from '@playwright/test';
import { giveVoice } from './device/fake-voice.ts';

export type Size = {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** The factor by which the browser enlarges text. */
  readonly letters?: number;
  /** Whether lines, letters and words have the spacing of WCAG 1.4.12. */
  readonly spaced?: boolean;
};

export const sizes: readonly Size[] = [
  { name: 'landscape', width: 1920, height: 1080 },
  { name: 'portrait', width: 1080, height: 1920 },
  { name: 'laptop', width: 1280, height: 800 },
  { name: 'wall', width: 3840, height: 2160 },
];

/** The sizes that represent landscape and portrait screens. */
export const lyingOrStanding: readonly Size[] = sizes.filter(
  ({ name }) => name === 'laptop' || name === 'portrait',
);

/** Screens of small devices. */
export const smallSizes: readonly Size[] = [
  { name: 'small', width: 1024, height: 600 },
  { name: 'smallest', width: 800, height: 480 },
];

/**
 * Small screens, fourfold zoom (320 px wide, WCAG 1.4.10), letters of 200 % (1.4.4), wide text spacing (1.4.12).
 */
export const narrowSizes: readonly Size[] = [
  ...smallSizes,
  { name: 'zoomed', width: 320, height: 256 },
  { name: 'zoomed-portrait', width: 320, height: 568 },
  { name: 'letters', width: 1920, height: 1080, letters: 2 },
  { name: 'letters-portrait', width: 1080, height: 1920, letters: 2 },
  { name: 'spaced', width: 1280, height: 800, spaced: true },
];

/** Switches that permit the camera and make it show Chromium's own test picture. */
export const fakeCamera = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'] as const;

/** The switches of every Chromium that `startBrowser` starts. */
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

/**
 * Chromium's build without windows if Debian's package of it is installed: the same engine for a fifth less CPU.
 */
export function quickestChromium(): string {
  const withoutWindows = '/usr/bin/chromium-headless-shell';
  return existsSync(withoutWindows) ? withoutWindows : chromiumPath;
}

/**
 * A Chromium with its own `switches`. `executablePath` may replace the program. During a test run, files that start it
 * without switches or with `fakeCamera` share one (`shared-browsers.ts`). `close` then closes only what this file
 * opened.
 */
export async function startBrowser(
  switches: readonly string[] = [],
  executablePath = chromiumPath,
): Promise<Browser> {
  const { TOUCHPOINT_BROWSERS: shared } = process.env;
  const usual = executablePath === chromiumPath && (switches.length === 0 || switches === fakeCamera);
  if (shared !== undefined && usual) {
    const answer = await fetch(shared, { method: 'POST', body: JSON.stringify(switches) });
    const address = await answer.text();
    if (!answer.ok) throw new Error(`Expected a Chromium: ${address}`);
    return chromium.connect(address);
  }
  return chromium.launch({ executablePath, args: [...browserSwitches, ...switches] });
}

/** A fresh page on `url`. `complaints` collects the page's errors and warnings. */
export async function openPage(
  browser: Browser,
  url: string,
  options: {
    readonly size: Size;
    readonly language: string;
    readonly still?: boolean;
    readonly dark?: boolean;
    /** Languages for which the page's device has a voice. */
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

/** Text spacing that a user may set (WCAG 2.2, 1.4.12). */
const spacing =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }';

/** Sets the size of the page, of its letters and of its text spacing. */
export async function resize(
  page: Page,
  { width, height, letters = 1, spaced = false }: Size,
): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.evaluate(`(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(spaced ? spacing : '')});
    document.adoptedStyleSheets = [sheet];
    document.documentElement.style.fontSize = '${letters === 1 ? '' : `${letters * 100}%`}';
    dispatchEvent(new Event('resize'));
  })()`);
}

/**
 * Stops the clock of `page`. After that, only `page.clock.fastForward` advances it, on a machine of any speed. Use it
 * on an idle page: the call itself advances the clock by ten seconds, because `pauseAt` needs a time in the future.
 */
export async function holdTime(page: Page): Promise<void> {
  const time = Date.now();
  await page.clock.install({ time });
  await page.clock.pauseAt(time + 10_000);
}

/**
 * Waits until the page is idle: every call to the device is answered, no transition runs, and what was drawn last is
 * on the screen, including its pictures.
 */
export async function idle(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    const isMoving = (one) => one instanceof CSSTransition && one.playState === 'running';
    const isBusy = () => document.documentElement.dataset.pending || document.getAnimations().some(isMoving);
    while (isBusy()) await new Promise((resolve) => requestAnimationFrame(resolve));
    await Promise.allSettled([...document.images].map((image) => image.decode()));
    for (let round = 0; round < 2; round += 1)
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  })()`);
}

/** Waits until `selector` is on the page and its fonts are loaded. */
export async function waitFor(page: Page, selector: string): Promise<void> {
  await page.locator(selector).first().waitFor({ timeout: 120_000 });
  await page.evaluate('document.fonts.ready.then(() => true)');
}
