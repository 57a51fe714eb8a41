/**
 * The demo as users start it, and a series of pages on it. The explorer controls the clock and network of the pages.
 *
 * Invariants:
 * - Every page starts with its own clock, so that skipped time never reaches the device.
 * - A cut network stays cut until `restore`.
 * - `close` ends the app and removes its folder.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { startApp } from '../launch/running-app.ts';
import { type Size, startBrowser, waitFor } from '../renderer/browser.ts';
import { buildRenderer } from '../renderer/build-renderer.ts';

export type Demo = {
  /** An idle page of `size` in `language`. `script` runs in the page before everything else. */
  readonly open: (size: Size, language: string, script?: string) => Promise<Visit>;
  readonly close: () => Promise<void>;
};

export type Visit = {
  readonly page: Page;
  readonly cut: () => void;
  readonly restore: () => void;
  /** Errors that the page logged. */
  readonly complaints: readonly string[];
  readonly close: () => Promise<void>;
};

/** Starts the demo and a browser. */
export async function openDemo(): Promise<Demo> {
  await buildRenderer();
  const folder = await mkdtemp(join(tmpdir(), 'touchpoint-exploration-'));
  const app = startApp(folder);
  const [, address = ''] = await app.line(/^Touchpoint is ready: (\S+)$/);
  const browser = await startBrowser();
  const first = await browser.newContext();
  await (await first.newPage()).goto(address);
  const state = await first.storageState();
  await first.close();
  return {
    open: (size, language, script) =>
      openVisit(browser, { size, language, state, script, address: new URL('/', address).href }),
    close: async () => {
      await browser.close();
      app.child.kill('SIGTERM');
      await app.ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Wanted = {
  readonly size: Size;
  readonly language: string;
  readonly address: string;
  readonly state: Awaited<ReturnType<BrowserContext['storageState']>>;
  readonly script: string | undefined;
};

async function openVisit(browser: Browser, wanted: Wanted): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: wanted.size.width, height: wanted.size.height },
    locale: wanted.language,
    reducedMotion: 'reduce',
    storageState: wanted.state,
  });
  let isCut = false;
  const ends = new Set<() => Promise<void>>();
  await context.routeWebSocket(/.*/, (socket) => {
    if (isCut) return void socket.close();
    const device = socket.connectToServer();
    socket.onMessage((message) => device.send(missingNothing(message)));
    device.onMessage((message) => socket.send(message));
    ends.add(() => socket.close());
  });
  await context.route('**/*', (route) => (isCut ? route.abort() : route.continue()));
  if (wanted.script) await context.addInitScript(wanted.script);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.clock.install();
  await page.goto(wanted.address);
  await waitFor(page, 'main[data-view="attract"] .notice-brief');
  return {
    page,
    complaints,
    cut: () => {
      isCut = true;
      for (const end of ends) end().catch(() => undefined);
      ends.clear();
    },
    restore: () => {
      isCut = false;
    },
    close: () => context.close(),
  };
}

/** A new page would show the last outcome of the previous visit. A page that was away for 0 ms has missed nothing. */
function missingNothing(message: string | Buffer): string | Buffer {
  const text = String(message);
  if (!text.includes('/taps/watch') || text.includes('last-event-id')) return message;
  const { p: request, ...rest } = JSON.parse(text);
  return JSON.stringify({ ...rest, p: { ...request, h: { ...request.h, 'last-event-id': '0 ms' } } });
}
