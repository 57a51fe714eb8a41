/** A keyboard scanner over a page in Chromium. */
import type { Page } from '@playwright/test';
import { scannerTimes } from '../../../src-renderer/times.ts';

/**
 * Scans `text`, a key every `gap` milliseconds; `\n` is Enter. All keys at once, each with the time at which a scanner would
 * have pressed it: else a busy machine, which hears them late, would type like a hand. A slow scanner pressed them before
 * now. `ahead`: milliseconds by which those times run before the page's.
 */
export async function scan(page: Page, text: string, ahead = 0, gap = 3): Promise<void> {
  const keys = await page.context().newCDPSession(page);
  const slow = gap > 3 ? text.length * gap : 0;
  const from = Date.now() + ahead - slow;
  const strokes = [...text].flatMap((key, nth) => {
    const timestamp = (from + nth * gap) / 1000;
    const named = key === '\n' ? { key: 'Enter', text: '\r', windowsVirtualKeyCode: 13 } : { key, text: key };
    return [
      keys.send('Input.dispatchKeyEvent', { type: 'keyDown', timestamp, ...named }),
      keys.send('Input.dispatchKeyEvent', { type: 'keyUp', timestamp, key: named.key }),
    ];
  });
  await Promise.all(strokes);
  await keys.detach();
}

/** Waits until the page has heard no key for longer than what ends a code. */
export async function keysSilent(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    const silent = () => setTimeout(resolve, ${scannerTimes.silence * 2});
    let timer = silent();
    addEventListener('keydown', () => {
      clearTimeout(timer);
      timer = silent();
    });
  })`);
}
