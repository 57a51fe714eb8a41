/**
 * Every screen in real Chromium: readable, reachable, nothing cut, nothing forbidden. English in all sizes, other languages and
 * scripts lying and standing; every size of each is walked at night (`full-walk.ts`).
 */
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeCamera, sizes, startBrowser } from '../browser.ts';
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

describe('every screen, in all sizes', () => {
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
    const inSizes = sizes.filter(
      ({ name }) => look.language === 'en' || name === 'laptop' || name === 'portrait',
    );
    const contrastIn = look.language === 'en' || look.language === 'de' ? ['laptop'] : [];
    expect(await walk(browser, root, { ...look, comfort: {}, contrastIn }, spoken, inSizes)).toEqual([]);
  });
});
