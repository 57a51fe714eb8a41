/**
 * `npm run bench -- tap-to-paint`: from the card's first answer to the reader (its UID) to the painted result, with
 * 100,000 mirrored visitors. In the same browser, a bare page paints a word that it receives, for comparison.
 *
 * Invariants:
 * - Virtual reader, pcscd, the app as users start it, and Chromium form one complete path.
 * - Both times are from one machine's clock.
 * - Painted means that the frame with the result was submitted, not that it was requested.
 * - A tap without a result, or without the visitor's name, fails the bench.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser } from '@playwright/test';
import { chromiumPath, startBrowser } from '../renderer/browser.ts';
import { buildRenderer } from '../renderer/build-renderer.ts';
import { openVirtualReader, type VirtualReader, virtualReader } from '../virtual-reader/virtual-reader.ts';
import { quantileRows, type Row } from './figures.ts';
import { expectPaint, observe, observeCaptured, paintOf } from './painted.ts';
import { type Badge, inside, startTappedApp } from './tapped-app.ts';

const VISITORS = 100_000;
/** So many that p99 is not the slowest tap alone. */
const TAPS = 200;
const WARM_UP = 5;
const BETWEEN_MS = 1_200;

/** Milliseconds from the bare server's send to the bare page's paint. */
const measureBare = async (browser: Browser, painter: ChildProcess): Promise<readonly number[]> => {
  if (painter.stdout === null) throw new Error('The bare server has no output');
  const lines = createInterface({ input: painter.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<number> => Number((await lines.next()).value);
  const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
  const port = await next();
  await page.evaluate(`{
    document.body.innerHTML = '<main></main>';
    new WebSocket('ws://127.0.0.1:${port}').onmessage = ({ data }) => { document.querySelector('main').textContent = data; };
  }`);
  await delay(500);
  await page.evaluate(
    observe('document.body', `document.body.textContent.startsWith('shown') && document.body.textContent`),
  );
  const times: number[] = [];
  for (let turn = 0; turn < TAPS + WARM_UP; turn += 1) {
    painter.stdin?.write('away\n');
    await next();
    await delay(100);
    await expectPaint(page);
    painter.stdin?.write(`shown ${turn}\n`);
    const sent = await next();
    times.push((await paintOf(page)) - sent);
  }
  await page.close();
  return times.slice(WARM_UP);
};

/** Milliseconds from the card's first answer, its UID, to the painted result. */
const measureTaps = async (
  reader: VirtualReader,
  browser: Browser,
  address: string,
  badges: readonly Badge[],
): Promise<readonly number[]> => {
  const page = await browser.newPage({ viewport: { width: 1920, height: 1080 }, locale: 'en' });
  await page.goto(address);
  await page.locator('main[data-view="attract"]').waitFor({ timeout: 120_000 });
  await page.evaluate(observeCaptured);
  const times: number[] = [];
  for (const { code, called } of badges) {
    await expectPaint(page);
    await reader.insert({ kind: 'type2', uid: code });
    const painted = await paintOf(page);
    const headline = await page.locator('h1').innerText();
    if (!called.some((name) => headline.includes(name)))
      throw new Error(`Expected "${headline}" to greet ${called.join(' ')}`);
    const answered = await reader.identifiedAt();
    if (answered === null) throw new Error('Expected the card to have been asked');
    times.push(painted - answered);
    await reader.remove();
    await delay(BETWEEN_MS);
  }
  await page.close();
  return times.slice(WARM_UP);
};

/** The figures of this bench. */
export async function* bench(): AsyncGenerator<Row> {
  if (!virtualReader.present) {
    process.stderr.write(`Not measured, because ${virtualReader.reason}.\n`);
    return;
  }
  await buildRenderer();
  const folder = mkdtempSync(join(tmpdir(), 'touchpoint-tap-to-paint-'));
  await using reader = await openVirtualReader();
  await reader.startService();
  const app = await startTappedApp(reader, folder, VISITORS);
  const painter = inside(reader, [join(import.meta.dirname, 'bare-painter.ts')], 'pipe');
  const badges = await app.badges(TAPS + WARM_UP);
  const browser = await startBrowser([], reader.wrapper(chromiumPath));
  try {
    const painted = await measureTaps(reader, browser, app.address, badges);
    const bare = await measureBare(browser, painter);
    yield* quantileRows(
      'tap-to-paint',
      `card's answer to painted result, ${VISITORS} visitors,`,
      'ms',
      painted,
      bare,
    );
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
