/**
 * The explorer finds planted faults on the real page: one for each property. An ordinary run plants every second one,
 * which the seed of the run selects.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChance } from '../simulation/chance.ts';
import { isDue } from '../thoroughness.ts';
import { type Demo, openDemo } from './demo-visit.ts';
import { explore } from './explorer.ts';

let demo: Demo;

beforeAll(async () => {
  demo = await openDemo();
}, 60_000);
afterAll(() => demo?.close());

/** Runs `work` after every change of the page. */
const onChange = (work: string) =>
  `addEventListener('DOMContentLoaded', () => new MutationObserver(() => { ${work} }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-view'] }));`;

const planted = [
  [
    'private',
    'the last greeting stays in an attribute',
    onChange(`
      const main = document.querySelector('main[data-view="captured"] h1');
      if (main && document.body.dataset.last !== main.textContent) document.body.dataset.last = main.textContent;`),
  ],
  [
    'dead end',
    'the screen receives touches that nobody made',
    "setInterval(() => dispatchEvent(new PointerEvent('pointerdown')), 1_000);",
  ],
  [
    'one primary action',
    'the exit looks like the primary action',
    onChange(`document.querySelector('.way-out:not(.action-strong)')?.classList.add('action-strong');`),
  ],
  [
    'no text cut',
    'the headline has a fixed height',
    `addEventListener('DOMContentLoaded', () => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('.headline, .step-headline { block-size: 0.6em !important; overflow: hidden !important }');
      document.adoptedStyleSheets = [sheet];
    });`,
  ],
] as const;

/** Runs visits until a fault is found. A single random visit may never reach it. */
async function firstFound(script: string, visits: number): Promise<readonly string[]> {
  for (let seed = 1; seed <= visits; seed += 1) {
    const found = await explore(demo, createChance(seed), 12, script);
    if (found.length > 0) return found.map(({ property }) => property);
  }
  return [];
}

describe('the explorer', () => {
  it.each(planted.filter((_fault, index) => isDue(index, 2)))(
    'finds a fault of "%s": %s',
    { timeout: 120_000 },
    async (property, _what, script) => {
      expect(await firstFound(script, 8)).toContain(property);
    },
  );
});
