/** Every screen in real Chromium, every size and script: readable, reachable, nothing cut, nothing forbidden. */
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeCamera, startBrowser } from '../browser.ts';
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
  ])('is without a fault in $language (dark: $dark)', { timeout: 600_000 }, async (look) => {
    // The team's pages speak English and German; elsewhere one of them shows how they run the other way.
    const spoken = screens.filter(
      ({ name }) => look.language === 'en' || look.language === 'de' || !name.startsWith('staff-'),
    );
    const contrastIn = look.language === 'en' || look.language === 'de' ? ['laptop'] : [];
    expect(await walk(browser, root, { ...look, comfort: {}, contrastIn }, spoken)).toEqual([]);
  });
});
