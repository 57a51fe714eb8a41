/** The page and a killed app: taps right after the restart are shown, and so are the taps before it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { readFactLines } from '../../src-main/core/journal/facts/fact-lines.ts';
import { ownFolder, until } from '../core/fixture.ts';
import { freePort } from '../free-port.ts';
import { notRunUnless } from '../not-run.ts';
import { chromiumPath, startBrowser } from '../renderer/browser.ts';
import { buildRenderer } from '../renderer/build-renderer.ts';
import { connectTo, openDisplay, startOn } from './app-with-leads.ts';

const pageTest = notRunUnless(existsSync(chromiumPath), 'Chromium is not installed');
const AMELIE = '04A1B2C3D4E5F6';
/** After this many failed WebSockets, Chromium delays the next one by seconds. */
const MANY = 25;

/** Taps a badge as the demo tray does, but without the page, once the app knows its visitors. */
const layBadge = async (data: string): Promise<void> => {
  const app = await connectTo(data);
  for await (const { mirror } of await app.device.watch()) if (mirror.complete) break;
  await app.demo.tap({ code: AMELIE });
};

pageTest(
  'a page whose app was killed reconnects once when the app is back, and shows the next tap',
  async () => {
    await buildRenderer();
    const data = join(ownFolder(), 'data');
    // The app does not use the default port: while the app is down, another program could take that port and answer.
    const port = String(await freePort());
    const first = await startOn(data, ['--port', port]);
    const page = await openDisplay(first.address);
    let sockets = 0;
    let knocks = 0;
    page.on('websocket', () => {
      sockets += 1;
    });
    page.on('requestfailed', (request) => {
      if (request.method() === 'HEAD') knocks += 1;
    });
    first.app.child.kill('SIGKILL');
    await page.locator('main[data-view="linkLost"]').waitFor();
    await until('the reconnect probe of the page failed', () => knocks >= MANY);

    await startOn(data, ['--port', port]);
    await layBadge(data);
    await page.getByText('Amélie B.').first().waitFor();
    expect(await page.locator('main').getAttribute('data-view')).toBe('captured');
    expect(sockets).toBe(1);
  },
  120_000,
);

pageTest(
  'the next page shows a tap of an app that was killed before any page connected, and offers the undo',
  async () => {
    await buildRenderer();
    const data = join(ownFolder(), 'data');
    const { app } = await startOn(data);
    await layBadge(data);
    app.child.kill('SIGKILL');
    await app.ended;

    const { address } = await startOn(data);
    const browser = await startBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage({
      viewport: { width: 1280, height: 800 },
      locale: 'en',
      reducedMotion: 'reduce',
    });
    await page.goto(address);
    await page.getByText('Amélie B.').first().waitFor();
    const facts = () => [...(readFactLines(join(data, 'journal.db')) ?? [])];
    const factId = facts()[0]?.id ?? '';
    expect(await (await connectTo(data)).taps.undo({ factId })).toEqual({ done: true });
    await page.locator('main[data-view="undone"]').waitFor();
    expect(facts().map(({ kind }) => kind)).toEqual(['tap', 'undo']);
  },
  120_000,
);
