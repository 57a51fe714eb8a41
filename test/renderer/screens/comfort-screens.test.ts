/**
 * Every screen for visitors with high contrast, large text and low controls: nothing is cut off or out of reach.
 *
 * An ordinary run tests every fifth screen with all three settings, and every ninth with each setting alone, each in
 * one size. The seed of the run decides which (`thoroughness.ts`). The numbers have no common divisor with the number
 * of sizes, so each screen has each size in turn. The nightly run tries every setting in every size (`full-walk.ts`).
 */
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScreenSetup } from '../../../src-main/contract/stand.ts';
import { inTurn, isDue, isThorough } from '../../thoroughness.ts';
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

const forVisitors = screens.filter(({ name }) => !name.startsWith('staff'));

describe('every screen for visitors', () => {
  it.each<[string, string, boolean, Partial<ScreenSetup>, number | null]>([
    ['with high contrast', 'en', false, { contrast: 'high' }, 0],
    ['with large text', 'de', false, { text: 'large' }, 1],
    ['with everything low', 'ar', false, { reach: 'low' }, 2],
    ['with all of it, dark', 'en', true, { contrast: 'high', text: 'large', reach: 'low' }, null],
  ])('%s, in %s, shows no fault', { timeout: 1_800_000 }, async (_mode, language, dark, comfort, alone) => {
    const tried = forVisitors.filter((_screen, index) =>
      alone === null ? isDue(index, 5) : isDue(index + alone, 9),
    );
    const sizesOf = (index: number) => inTurn(alone === null ? sizes : lyingOrStanding, index);
    const contrastIn = () => (comfort.contrast === 'high' ? ['laptop'] : []);
    const axe = (index: number) => isThorough() || (alone === null && isDue(index, 2));
    expect(await walk(browser, root, { language, dark, comfort, contrastIn, axe }, tried, sizesOf)).toEqual(
      [],
    );
  });
});
