/**
 * Finds parts of a page that move although nobody touched them.
 *
 * Invariant: a part is the same element with the same text before and after; one that appears, disappears or gets another
 * text has not moved.
 */
import type { Page } from '@playwright/test';

/** Every control and text that has another place after `act`, and every button that has another size, as text. */
export async function movedBy(page: Page, act: () => Promise<void>): Promise<string[]> {
  await page.evaluate(remember);
  await act();
  return page.evaluate<string[]>(compare);
}

const visible = `const seen = (one) => one.isConnected && one.checkVisibility() && !one.closest('svg, .only-heard');`;

const remember = `(() => {
  ${visible}
  const own = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  const parts = [...document.querySelectorAll('#root *')].filter((one) => seen(one) && (one.matches('button, input, .ring') || own(one)));
  globalThis.partsBefore = new Map(parts.map((part) => [part, { box: part.getBoundingClientRect(), text: part.textContent }]));
})()`;

const compare = `(async () => {
  ${visible}
  // A measurement after the paint may still change something.
  for (let frame = 0; frame < 3; frame += 1) await new Promise((done) => requestAnimationFrame(done));
  return [...globalThis.partsBefore].filter(([part, { text }]) => seen(part) && part.textContent === text).flatMap(([part, { box: before }]) => {
    const { left, top, width, height } = part.getBoundingClientRect();
    const [across, down] = [left - before.left, top - before.top].map(Math.round);
    const grown = [width - before.width, height - before.height].map(Math.round);
    const name = part.tagName.toLowerCase() + '.' + [...part.classList].join('.');
    if (across !== 0 || down !== 0) return [name + ' moved by ' + across + ', ' + down + ': ' + part.textContent.slice(0, 40)];
    return part.matches('button') && grown.some((by) => by !== 0) ? [name + ' grew by ' + grown.join(', ') + ': ' + part.textContent.slice(0, 40)] : [];
  });
})()`;
