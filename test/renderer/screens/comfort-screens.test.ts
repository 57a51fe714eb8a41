/**
 * Every screen for visitors with high contrast, large text and everything low: nothing cut, nothing out of reach.
 *
 * One setting alone is looked at lying and standing; every size of each is walked at night (`full-walk.ts`).
 */
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScreenSetup } from '../../../src-main/contract/stand.ts';
import { fakeCamera, type Size, sizes, startBrowser } from '../browser.ts';
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

const lyingAndStanding = sizes.filter(({ name }) => name === 'laptop' || name === 'portrait');
const forVisitors = screens.filter(({ name }) => !name.startsWith('staff'));

describe('every screen for visitors, in all sizes', () => {
  it.each<[string, string, boolean, Partial<ScreenSetup>, readonly Size[]]>([
    ['with high contrast', 'en', false, { contrast: 'high' }, lyingAndStanding],
    ['with large text', 'de', false, { text: 'large' }, lyingAndStanding],
    ['with everything low', 'ar', false, { reach: 'low' }, lyingAndStanding],
    ['with all of it, dark', 'en', true, { contrast: 'high', text: 'large', reach: 'low' }, sizes],
  ])(
    '%s, in %s, is without a fault',
    { timeout: 1_800_000 },
    async (_mode, language, dark, comfort, inSizes) => {
      const contrastIn = comfort.contrast === 'high' ? ['laptop'] : [];
      expect(
        await walk(browser, root, { language, dark, comfort, contrastIn }, forVisitors, inSizes),
      ).toEqual([]);
    },
  );
});
