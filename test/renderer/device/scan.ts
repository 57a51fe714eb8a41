/** A keyboard scanner over a page in Chromium. */
import type { Page } from '@playwright/test';
import { scannerTimes } from '../../../src-renderer/times.ts';

/** Scans `text`; `\n` is Enter. All keys at once, as a scanner does: waiting for each would make a busy machine type like a hand. */
export async function scan(page: Page, text: string): Promise<void> {
  const keys = await page.context().newCDPSession(page);
  const strokes = [...text].flatMap((key) => {
    const named = key === '\n' ? { key: 'Enter', text: '\r', windowsVirtualKeyCode: 13 } : { key, text: key };
    return [
      keys.send('Input.dispatchKeyEvent', { type: 'keyDown', ...named }),
      keys.send('Input.dispatchKeyEvent', { type: 'keyUp', key: named.key }),
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
