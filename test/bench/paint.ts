/**
 * Tap to painted result on real parts: virtual reader, pcscd, the app, Chromium; beside them a bare nfc-pcsc program
 * that hears the same card.
 *
 * Invariants: all three times come from one machine's wall clock; a tap whose picture did not come fails the bench.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import kioskFlags from '../../setup/kiosk-flags.json' with { type: 'json' };
import { watch } from '../launch/running-app.ts';
import { chromiumPath, startBrowser } from '../renderer/browser.ts';
import { buildRenderer } from '../renderer/build-renderer.ts';
import { openVirtualReader } from '../virtual-reader/virtual-reader.ts';

const root = join(import.meta.dirname, '../..');

/** Milliseconds from the badge being laid down. */
export type PaintTimes = { readonly painted: readonly number[]; readonly bareCard: readonly number[] };

// The frame after the change is on the screen when the next one begins.
const OBSERVE = `{
  const main = document.querySelector('main');
  window.paints = [];
  let last = '';
  new MutationObserver(() => {
    const now = main.dataset.view + main.innerText;
    if (main.dataset.view !== 'captured' || now === last) return;
    last = now;
    requestAnimationFrame(() => requestAnimationFrame(() => window.paints.push(Date.now())));
  }).observe(main, { attributes: true, subtree: true, childList: true, characterData: true });
}`;

// Asked again and again from outside: the page's content policy lets nobody evaluate text inside.
const firstPaint = async (page: Page): Promise<number> => {
  for (let asked = 0; asked < 1_000; asked += 1) {
    const paint: unknown = await page.evaluate('window.paints[0] ?? 0');
    if (typeof paint === 'number' && paint > 0) return paint;
    await delay(10);
  }
  throw new Error('Expected the result to be painted within 10 s');
};

const nextOf = async (events: readonly number[], seen: number): Promise<number> => {
  for (let asked = 0; asked < 300; asked += 1) {
    const event = events[seen];
    if (event !== undefined) return event;
    await delay(10);
  }
  throw new Error('Expected the bare program to hear the card, too');
};

/** Lays `taps` different badges, one after the other. */
export const measurePaint = async (taps: number): Promise<PaintTimes> => {
  await buildRenderer();
  const data = mkdtempSync(join(tmpdir(), 'touchpoint-paint-'));
  // The paint of the tap is measured, not what the demo stand asks after it.
  writeFileSync(join(data, 'stand.json'), '{}');
  await using reader = await openVirtualReader();
  await reader.startService();
  const start = [...kioskFlags, join(root, 'src-main/launch/main.ts'), '--data', data, '--no-open'];
  const app = watch(
    reader.spawn(process.execPath, [...start, '--shell', 'browser', '--reader', 'pcsc'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  const [, address = ''] = await app.line(/^Touchpoint is ready: (\S+)$/);
  const bare = reader.spawn(process.execPath, [join(import.meta.dirname, 'bare-card.ts')], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const cardEvents: number[] = [];
  if (bare.stdout !== null)
    createInterface({ input: bare.stdout }).on('line', (line) => cardEvents.push(Number(line)));
  const browser = await startBrowser([], reader.wrapper(chromiumPath));
  try {
    const page = await browser.newPage({ viewport: { width: 1920, height: 1080 }, locale: 'en' });
    await page.goto(address);
    await page.locator('main[data-view="attract"]').waitFor();
    await page.evaluate(OBSERVE);
    await delay(2_000);
    const painted: number[] = [];
    const bareCard: number[] = [];
    for (let tap = 0; tap < taps; tap += 1) {
      // From rest, so that no count-down of the last result is taken for this one.
      await page.locator('main[data-view="attract"]').waitFor({ timeout: 30_000 });
      const seen = cardEvents.length;
      await page.evaluate('window.paints.length = 0');
      const laid = Date.now();
      await reader.insert({
        kind: 'type2',
        uid: `04BE${(tap + 4096).toString(16).padStart(10, '0')}`.toUpperCase(),
      });
      const paint = await firstPaint(page);
      const card = await nextOf(cardEvents, seen);
      painted.push(paint - laid);
      bareCard.push(card - laid);
      await reader.remove();
    }
    return { painted, bareCard };
  } finally {
    await browser.close();
    rmSync(data, { recursive: true, force: true });
  }
};
