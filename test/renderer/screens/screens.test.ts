/**
 * Every screen in real Chromium, in four languages and scripts: readable, reachable, nothing cut off, and nothing
 * that the policy forbids.
 *
 * An ordinary run tries a share of the combinations, and the seed of the run decides which (`thoroughness.ts`):
 * - English: every screen on a laptop, and every third screen for visitors in one other size; the rules of
 *   axe on every third screen.
 * - German, dark: every second screen for visitors and every fourth page of the team.
 * - Arabic and Japanese: every third screen for visitors each. The nightly run tries every screen in every size
 *   (`full-walk.ts`).
 */
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTurn, isDue, isThorough } from '../../thoroughness.ts';
import { fakeCamera, lyingOrStanding, sizes, startBrowser } from '../browser.ts';
import { buildRenderer } from '../build-renderer.ts';
import type { Screen } from './screen.ts';
import { screens } from './screens.ts';
import { walk } from './walk.ts';

let browser: Browser;
let root: string;

beforeAll(async () => {
  root = await buildRenderer();
  browser = await startBrowser(fakeCamera);
});
afterAll(() => browser?.close());

const onLaptop = sizes.filter(({ name }) => name === 'laptop');
const others = sizes.filter(({ name }) => name !== 'laptop');

describe('every screen', () => {
  it.each([
    { language: 'en', dark: false },
    { language: 'de', dark: true },
    { language: 'ar', dark: false },
    { language: 'ja', dark: true },
  ])('has no fault in $language (dark: $dark)', { timeout: 1_800_000 }, async (look) => {
    // The staff pages have English and German.
    const isSpoken = ({ name }: Screen, index: number) => {
      if (look.language === 'en') return true;
      if (name.startsWith('staff-')) return look.language === 'de' && isDue(index, 4);
      return look.language === 'de' ? isDue(index, 2) : isDue(look.language === 'ar' ? index : index + 1, 3);
    };
    const spoken = screens.filter(isSpoken);
    const sizesOf = (index: number) => {
      if (look.language !== 'en') return inTurn(lyingOrStanding, index);
      const isFront = spoken[index]?.name.startsWith('staff-') === false;
      return isFront && isDue(index, 3) ? [...onLaptop, ...inTurn(others, index)] : onLaptop;
    };
    // Every second screen in light colours, the others in dark ones.
    const contrastIn = (index: number) =>
      isDue(look.dark ? index : index + 1, 2) && /^(en|de)$/.test(look.language) ? ['laptop'] : [];
    const axe = (index: number) => isThorough() || (look.language === 'en' && isDue(index, 3));
    expect(await walk(browser, root, { ...look, comfort: {}, contrastIn, axe }, spoken, sizesOf)).toEqual([]);
  });
});
