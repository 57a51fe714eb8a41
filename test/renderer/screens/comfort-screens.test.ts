/** Every screen for visitors with high contrast, large text and everything low: nothing cut, nothing out of reach. */
import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScreenSetup } from '../../../src-main/contract/stand.ts';
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

const forVisitors = screens.filter(({ name }) => !name.startsWith('staff'));

describe('every screen for visitors, in all sizes', () => {
  it.each<[string, string, boolean, Partial<ScreenSetup>]>([
    ['with high contrast', 'en', false, { contrast: 'high' }],
    ['with large text', 'de', false, { text: 'large' }],
    ['with everything low', 'ar', false, { reach: 'low' }],
    ['with all of it, dark', 'en', true, { contrast: 'high', text: 'large', reach: 'low' }],
  ])('%s, in %s, is without a fault', { timeout: 600_000 }, async (_mode, language, dark, comfort) => {
    const contrastIn = comfort.contrast === 'high' ? ['laptop'] : [];
    expect(await walk(browser, root, { language, dark, comfort, contrastIn }, forVisitors)).toEqual([]);
  });
});
