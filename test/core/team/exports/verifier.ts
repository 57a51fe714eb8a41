/** `verify.html` in a real Chromium, opened from the disk. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { startBrowser } from '../../../renderer/browser.ts';
import { ownFolder } from '../../fixture.ts';

const VERIFY_PAGE = join(import.meta.dirname, '../../../../src-renderer/staff/handover/verify.html');

/** Opens `verify.html` from the disk, in English. */
export const openVerifier = async () => {
  const browser = await startBrowser();
  const context = await browser.newContext({ locale: 'en-US' });
  onTestFinished(async () => {
    await context.close();
    await browser.close();
  });
  const page = await context.newPage();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(pathToFileURL(VERIFY_PAGE).href);
  let round = 0;
  /** The verdicts on files, in their order. */
  const verify = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    round += 1;
    const folder = join(ownFolder(), String(round));
    mkdirSync(folder, { recursive: true });
    const paths = Object.entries(files).map(([name, text]) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    });
    await page.setInputFiles('#files', []);
    await page.locator('article').waitFor({ state: 'detached' });
    await page.setInputFiles('#files', paths);
    await page
      .locator('article')
      .nth(paths.length - 1)
      .waitFor();
    return page.locator('article').allInnerTexts();
  };
  /** The first verdict, in German. */
  const chooseGerman = async (): Promise<string> => {
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Einen Beleg von Touchpoint prüfen' }).waitFor();
    const article = page.locator('article', { hasText: /^(Anerkannt|ABGELEHNT)/u }).first();
    return article.innerText();
  };
  return { verify, requests, chooseGerman };
};
