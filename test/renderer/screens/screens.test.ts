/**
 * Every screen in real Chromium, in four languages and three scripts: readable, reachable, nothing cut off, and nothing
 * that the policy forbids.
 *
 * An ordinary run tries a share of the combinations, and the seed of the run decides which (`thoroughness.ts`):
 * - English: every fourth screen on a laptop. Of that fourth: a fifth of the visitors' screens also in one other size,
 *   the rules of axe on a fifth, the contrast on a third.
 * - German, dark: every seventh screen for visitors and every eleventh page of the team; the contrast of every third.
 * - Arabic and Japanese: every seventh screen for visitors each.
 *
 * No two shares of a language have a common divisor. Otherwise a run could leave out the same check for a screen every
 * time. The nightly run tries every screen in every size (`full-walk.ts`).
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
    { language: 'en', dark: false, shift: 0 },
    { language: 'de', dark: true, shift: 0 },
    { language: 'ar', dark: false, shift: 1 },
    { language: 'ja', dark: true, shift: 2 },
  ])('has no fault in $language (dark: $dark)', { timeout: 1_800_000 }, async (look) => {
    // The staff pages have English and German.
    const isSpoken = ({ name }: Screen, index: number) => {
      const isOfTeam = name.startsWith('staff-');
      if (look.language === 'en') return isDue(index, 4);
      if (isOfTeam) return look.language === 'de' && isDue(index, 11);
      return isDue(index + look.shift, 7);
    };
    const spoken = screens.filter(isSpoken);
    const sizesOf = (index: number) => {
      if (look.language !== 'en') return inTurn(lyingOrStanding, index);
      const isFront = spoken[index]?.name.startsWith('staff-') === false;
      return isFront && isDue(index, 5) ? [...onLaptop, ...inTurn(others, index)] : onLaptop;
    };
    const contrastIn = (index: number) =>
      isDue(look.dark ? index : index + 1, 3) && /^(en|de)$/.test(look.language) ? ['laptop'] : [];
    const axe = (index: number) => isThorough() || (look.language === 'en' && isDue(index, 5));
    expect(await walk(browser, root, { ...look, comfort: {}, contrastIn, axe }, spoken, sizesOf)).toEqual([]);
  });
});
