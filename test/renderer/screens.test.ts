/** Every screen in real Chromium: readable, reachable, nothing cut, nothing forbidden by the content policy. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPage, sizes, startBrowser } from './browser.ts';
import { buildRenderer } from './build-renderer.ts';
import { layoutFaults } from './layout-faults.ts';
import { bringTo, screens } from './screens.ts';
import { openStage } from './stage.ts';

let browser: Browser;
let root: string;

beforeAll(async () => {
  root = await buildRenderer();
  expect(existsSync(join(root, 'index.html'))).toBe(true);
  browser = await startBrowser();
});
afterAll(() => browser?.close());

const looks = [
  { language: 'en', dark: false, axe: true },
  { language: 'de', dark: true, axe: true },
  { language: 'ar', dark: false, axe: false },
  { language: 'ja', dark: false, axe: false },
];

for (const size of sizes) {
  for (const look of looks) {
    const axe = look.axe && size.name === 'landscape';
    describe(`${size.name}, ${look.language}${look.dark ? ', dark' : ''}`, () => {
      it('shows every screen without a fault', { timeout: 300_000 }, async () => {
        const stage = await openStage(root);
        const { page, complaints } = await openPage(browser, stage.url, { size, ...look });
        const faults: string[] = [];
        for (const screen of screens) {
          await bringTo(screen, stage, page, () => complaints.splice(0));
          const staff = screen.name.startsWith('staff');
          const smallest = staff || size.name === 'laptop' ? 14 : 20;
          const found = await layoutFaults(page, { smallest, mayCut: screen.long === true || staff });
          // A popover stands outside the page's landmarks by nature.
          if (axe) found.push(...(await axeFaults(page, screen.name === 'languages' ? ['region'] : [])));
          // Chromium itself reports every attempt to reach a device that is gone (link-lost).
          found.push(...complaints.filter((text) => !text.includes('WebSocket')));
          faults.push(...found.map((fault) => `${screen.name}: ${fault}`));
        }
        await page.context().close();
        await stage.close();
        expect(faults).toEqual([]);
      });
    });
  }
}

async function axeFaults(page: Page, but: string[]): Promise<string[]> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const { violations } = await new AxeBuilder({ page }).withTags(tags).disableRules(but).analyze();
  return violations.map(
    ({ id, nodes }) =>
      `axe ${id}: ${nodes.map(({ target, any }) => `${target.join(' ')} ${any[0]?.message ?? ''}`).join('; ')}`,
  );
}
