/**
 * A badge whose chip does not work. Chromium's camera shows a drawn badge, which is read; the person is chosen and
 * rated, and a note is spoken into Chromium's microphone. The lead is on the laptop, at the platform, and in the file
 * for Salesforce with its note.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { unzipSync } from 'fflate';
import { expect, it, onTestFinished } from 'vitest';
import { readFactLines } from '../../src-main/core/journal/facts/fact-lines.ts';
import { createRandom } from '../../src-platform/seed/random.ts';
import { openPhotographs } from '../bench/recognise/pictures.ts';
import { ownFolder } from '../core/fixture.ts';
import { startApp } from '../launch/running-app.ts';
import { fakeCamera, openPage, startBrowser, waitFor } from '../renderer/browser.ts';
import { buildRenderer } from '../renderer/build-renderer.ts';

it('finds the person of a photographed badge, and takes rating and voice note to the platform and Salesforce', {
  timeout: 400_000,
}, async () => {
  await buildRenderer();
  const data = ownFolder();
  const app = startApp(data);
  onTestFinished(async () => {
    app.child.kill('SIGKILL');
    await app.ended;
  });
  const [, base = '', key = '', expo = ''] = await app.line(/^Demo platform: (\S+) key (\S+) expo (\S+)$/);
  const [, address = ''] = await app.line(/^Touchpoint is ready: (\S+)$/);

  const drawing = await startBrowser();
  const photograph = await openPhotographs(drawing);
  const lena = {
    script: 'latin',
    first: 'Lena',
    last: 'Olsson-Fernández',
    name: 'Lena Olsson-Fernández',
  } as const;
  const rest = { company: 'Nordkraft', jobTitle: 'Buyer', email: '', phone: '', web: '' };
  const badge = join(data, '..', 'badge.mjpeg');
  writeFileSync(badge, await photograph('badge', { ...lena, ...rest }, createRandom(4)));
  await drawing.close();

  const browser = await startBrowser([...fakeCamera, `--use-file-for-fake-video-capture=${badge}`]);
  onTestFinished(() => browser.close());
  const size = { name: 'laptop', width: 1280, height: 800 };
  const { page, complaints } = await openPage(browser, address, { size, language: 'en' });
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  await waitFor(page, 'main[data-view="attract"]');
  await page.keyboard.press('F2');
  await page.getByLabel('PIN').waitFor();
  await page.keyboard.type('2580', { delay: 60 });
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: /^Worklist/u }).click();
  await button('Photograph a badge or card').click();
  await waitFor(page, '.media-picture');
  await expect.poll(() => button('Take it now').isEnabled()).toBe(true);
  await button('Take it now').click();
  await button(/^Lena Olsson-Fernández/u).click({ timeout: 200_000 });
  await page.getByRole('heading', { name: 'Lena Olsson-Fernández' }).waitFor();
  await page.getByRole('button', { name: '4 of 5', exact: true }).click();
  await button('Voice note').click();
  await button('I speak').click();
  await page.getByText('0:01 / 2:00').waitFor();
  await button('Stop and keep').click();
  await button(/^Play: Voice note/u).waitFor();

  await page.getByRole('link', { name: /^Hand over/u }).click();
  await page.getByText(/^Salesforce/u).click();
  const coming = page.waitForEvent('download');
  await button('Export now').click();
  const zip = unzipSync(await buffer(await (await coming).createReadStream()));
  const sheet = Buffer.from(zip['leads-salesforce.csv'] ?? []).toString();
  expect(sheet).toContain('Olsson-Fernández');
  const files = Object.keys(zip).filter((name) => name !== 'leads-salesforce.csv');
  expect(files.map((name) => name.split('.').at(-1)).toSorted()).toEqual(['webm', 'webp']);
  for (const name of files) expect(sheet).toContain(name);

  const facts = [...(readFactLines(join(data, 'journal.db')) ?? [])];
  const ids = facts.map(({ id }) => id);
  const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
  const atPlatform = async () => {
    const answer = await fetch(`${base}/actions/${expo}?fromRevision=0`, { headers: { authorization } });
    return answer.ok ? ((await answer.json()) as { clientID: string }[]).map(({ clientID }) => clientID) : [];
  };
  await expect
    .poll(async () => (await atPlatform()).filter((id) => ids.includes(id)).length)
    .toBeGreaterThan(0);
  expect(complaints).toEqual([]);
});
