/**
 * The time at which a page has painted a change, for both benches that tap.
 *
 * Invariant: painted means that the frame with the change was submitted, not that it was requested.
 */
import type { Page } from '@playwright/test';

/**
 * Makes `window.painted()` a promise of the time at which the frame with the next new value of `what` is
 * submitted (an empty value is ignored). A message posted in the frame's callback arrives after the frame.
 */
export const observe = (target: string, what: string): string => `{
  let last = '';
  let next = Promise.withResolvers();
  window.painted = () => next.promise;
  window.expectPaint = () => { next = Promise.withResolvers(); };
  new MutationObserver(() => {
    const now = ${what};
    if (now && now !== last) requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => next.resolve(performance.timeOrigin + performance.now());
      port2.postMessage(0);
    });
    last = now;
  }).observe(${target}, { attributes: true, subtree: true, childList: true, characterData: true });
}`;

/** Forgets the last paint: `paintOf` then waits for the next one. */
export const expectPaint = async (page: Page): Promise<void> => {
  await page.evaluate('window.expectPaint()');
};

/**
 * The time of the paint that `observe` reports, in milliseconds of the wall clock. The page is asked once, because
 * each question takes time on the thread that paints. Throws after 5 s.
 */
export const paintOf = async (page: Page): Promise<number> => {
  const late = 'new Promise((resolve) => setTimeout(resolve, 5_000, 0))';
  const painted: unknown = await page.evaluate(`Promise.race([window.painted(), ${late}])`);
  if (typeof painted === 'number' && painted > 0) return painted;
  throw new Error('Expected a result to be painted within 5 s');
};

/** The results of captured taps on the visitor's screen, for `observe`. Each has a different headline. */
export const observeCaptured = observe(
  `document.querySelector('main')`,
  `document.querySelector('main').dataset.view === 'captured' && document.querySelector('h1')?.textContent`,
);
