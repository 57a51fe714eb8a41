/** A keyboard scanner for a page in Chromium. */
import type { Page } from '@playwright/test';
import { scannerTimes } from '../../../src-renderer/times.ts';

/**
 * Scans `text` with a key every `gap` milliseconds; `\n` is Enter. All keys are sent at once, each with the timestamp
 * that a real scanner would give. Otherwise a busy machine would receive them late, as if a person typed. The
 * timestamps of a slow scanner are in the past. `ahead`: milliseconds by which the timestamps run ahead of the page's
 * clock.
 */
export async function scan(page: Page, text: string, ahead = 0, gap = 3): Promise<void> {
  const slow = gap > 3 ? text.length * gap : 0;
  // Taken before the session is opened, which takes long on a busy machine: `ahead` counts from the call.
  const from = Date.now() + ahead - slow;
  const keys = await page.context().newCDPSession(page);
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

/** Waits until the page received no key for longer than the silence that ends a code. */
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
