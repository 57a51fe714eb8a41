/**
 * Every screen for visitors with high contrast, large text and everything low: nothing cut, nothing out of reach.
 *
 * One setting alone is checked lying or standing, all of them together on a laptop and in one other size. Which size a
 * screen has changes with the seed of the run (`thoroughness.ts`). The nightly run checks every size (`full-walk.ts`).
 */
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScreenSetup } from '../../../src-main/contract/stand.ts';
import { inTurn } from '../../thoroughness.ts';
import { fakeCamera, lyingOrStanding, type Size, sizes, startBrowser } from '../browser.ts';
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

const oneOfTwo = (index: number) => inTurn(lyingOrStanding, index);
const onLaptop = sizes.filter(({ name }) => name === 'laptop');
const others = sizes.filter(({ name }) => name !== 'laptop');
const laptopAndOther = (index: number) => [...onLaptop, ...inTurn(others, index)];
const forVisitors = screens.filter(({ name }) => !name.startsWith('staff'));

describe('every screen for visitors', () => {
  it.each<[string, string, boolean, Partial<ScreenSetup>, (index: number) => readonly Size[]]>([
    ['with high contrast', 'en', false, { contrast: 'high' }, oneOfTwo],
    ['with large text', 'de', false, { text: 'large' }, oneOfTwo],
    ['with everything low', 'ar', false, { reach: 'low' }, oneOfTwo],
    ['with all of it, dark', 'en', true, { contrast: 'high', text: 'large', reach: 'low' }, laptopAndOther],
  ])(
    '%s, in %s, is without a fault',
    { timeout: 1_800_000 },
    async (_mode, language, dark, comfort, sizesOf) => {
      const contrastIn = comfort.contrast === 'high' ? ['laptop'] : [];
      expect(
        await walk(browser, root, { language, dark, comfort, contrastIn }, forVisitors, sizesOf),
      ).toEqual([]);
    },
  );
});
