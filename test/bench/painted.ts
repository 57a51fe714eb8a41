/**
 * When a page has painted a change: what both benches of taps measure to.
 *
 * Invariant: painted means that the frame with the change has been handed over, not that it was asked for.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from '@playwright/test';

/**
 * `window.painted` becomes the time at which the frame with the next new value of `what` was handed over (nothing is of
 * no interest): a message posted from within the frame's callback is heard when the frame is done.
 */
export const observe = (target: string, what: string): string => `{
  window.painted = 0;
  let last = '';
  new MutationObserver(() => {
    const now = ${what};
    if (now && now !== last) requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => { window.painted = performance.timeOrigin + performance.now(); };
      port2.postMessage(0);
    });
    last = now;
  }).observe(${target}, { attributes: true, subtree: true, childList: true, characterData: true });
}`;

/** The time of that, as soon as it is known; in milliseconds of the wall clock. */
export const paintOf = async (page: Page): Promise<number> => {
  for (let asked = 0; asked < 1_000; asked += 1) {
    const painted: unknown = await page.evaluate('window.painted');
    if (typeof painted === 'number' && painted > 0) return painted;
    await delay(5);
  }
  throw new Error('Expected a result to be painted within 5 s');
};

/** The results of captured taps on the visitor's screen, for `observe`: whose headline is another one. */
export const observeCaptured = observe(
  `document.querySelector('main')`,
  `document.querySelector('main').dataset.view === 'captured' && document.querySelector('h1')?.textContent`,
);
