/**
 * The time at which a page has painted a change, for both benches of taps.
 *
 * Invariant: painted means that the frame with the change was submitted, not that it was requested.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from '@playwright/test';

/**
 * Sets `window.painted` to the time at which the frame with the next new value of `what` was submitted (an
 * empty value is ignored). A message posted in the frame's callback arrives after the frame.
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

/** That time, as soon as it is known; in milliseconds of the wall clock. */
export const paintOf = async (page: Page): Promise<number> => {
  for (let asked = 0; asked < 1_000; asked += 1) {
    const painted: unknown = await page.evaluate('window.painted');
    if (typeof painted === 'number' && painted > 0) return painted;
    await delay(5);
  }
  throw new Error('Expected a result to be painted within 5 s');
};

/** The results of captured taps on the visitor's screen, for `observe`: each has another headline. */
export const observeCaptured = observe(
  `document.querySelector('main')`,
  `document.querySelector('main').dataset.view === 'captured' && document.querySelector('h1')?.textContent`,
);
