/**
 * Every screen in real Chromium, in each of four languages and scripts: readable, reachable, nothing cut, nothing forbidden.
 *
 * English is checked on a laptop and in one other size, the other languages lying or standing. Which size a screen has
 * changes with the seed of the run (`thoroughness.ts`). The nightly run checks every screen in every size (`full-walk.ts`).
 */
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTurn } from '../../thoroughness.ts';
import { fakeCamera, lyingOrStanding, sizes, startBrowser } from '../browser.ts';
import { buildRenderer } from '../build-renderer.ts';
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
  ])('is without a fault in $language (dark: $dark)', { timeout: 1_800_000 }, async (look) => {
    // The team's pages speak English and German; elsewhere one of them shows how they run the other way.
    const spoken = screens.filter(
      ({ name }) => look.language === 'en' || look.language === 'de' || !name.startsWith('staff-'),
    );
    const sizesOf = (index: number) =>
      look.language === 'en' ? [...onLaptop, ...inTurn(others, index)] : inTurn(lyingOrStanding, index);
    const contrastIn = look.language === 'en' || look.language === 'de' ? ['laptop'] : [];
    expect(await walk(browser, root, { ...look, comfort: {}, contrastIn }, spoken, sizesOf)).toEqual([]);
  });
});
