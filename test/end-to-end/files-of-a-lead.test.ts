/**
 * A photo and a voice note at the stand, with Chromium's fake camera and microphone, in the app as users start it:
 * stored with the lead, shown, played, included in the file for the CRM, and removed when staff discard it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { unzipSync } from 'fflate';
import { expect, it, onTestFinished } from 'vitest';
import { ownFolder } from '../core/fixture.ts';
import { startApp } from '../launch/running-app.ts';
import { fakeCamera, openPage, startBrowser, waitFor } from '../renderer/browser.ts';
import { buildRenderer } from '../renderer/build-renderer.ts';

it('keeps a photo and a voice note with a lead, shows and exports them, and removes a discarded photo', {
  timeout: 180_000,
}, async () => {
  await buildRenderer();
  const data = ownFolder();
  const app = startApp(data);
  onTestFinished(async () => {
    app.child.kill('SIGKILL');
    await app.ended;
  });
  const [, address = ''] = await app.line(/^Touchpoint is ready: (\S+)$/);
  const browser = await startBrowser(fakeCamera);
  onTestFinished(() => browser.close());
  const size = { name: 'laptop', width: 1280, height: 800 };
  const { page, complaints } = await openPage(browser, address, { size, language: 'en' });
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const kept = () => {
    const place = join(data, 'attachments');
    return existsSync(place) ? readdirSync(place) : [];
  };
  await waitFor(page, 'main[data-view="attract"]');
  await page.keyboard.press('F2');
  await page.getByLabel('PIN').waitFor();
  await page.keyboard.type('2580', { delay: 60 });
  await page.keyboard.press('Enter');

  // A person without a badge is added, so that there is a lead.
  await page.getByRole('link', { name: /^Worklist/u }).click();
  await page.getByLabel('First name').fill('Zacharias');
  await page.getByLabel('Last name').fill('Unmistakable');
  await button('Add this person').click();
  await page.getByRole('heading', { name: 'Zacharias Unmistakable' }).waitFor();

  await button('Take a photo').click();
  await waitFor(page, '.media-picture');
  await expect.poll(() => button('Take it now').isEnabled()).toBe(true);
  await expect
    .poll(() => page.evaluate("document.querySelector('.media-picture').videoWidth"))
    .toBeGreaterThan(0);
  await button('Take it now').click();
  await waitFor(page, '.file-photo');
  await expect
    .poll(() => page.evaluate("document.querySelector('.file-photo').naturalWidth"))
    .toBeGreaterThan(600);

  await button('Voice note').click();
  await button('The visitor speaks').click();
  await page.getByText(/^May we record what you say\?/u).waitFor();
  await button('No').click();
  await button('Voice note').click();
  await button('I speak').click();
  await page.getByText('0:02 / 2:00').waitFor();
  await button('Stop and keep').click();
  await button(/^Play: Voice note/u).click();
  await button(/^Pause: Voice note/u).waitFor();
  await page.getByText(/^0:01 of 0:0[2-9]$/u).waitFor();
  // The recording was played to its end.
  await button(/^Play: Voice note/u).waitFor();
  const position = page.getByRole('slider', { name: /^Voice note/u });
  await expect.poll(() => position.getAttribute('aria-valuetext')).toMatch(/^0:00 of/u);
  await page.evaluate(`{
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function () {
      window.playedFrom = this.currentTime;
      return play.call(this);
    };
  }`);
  await position.press('ArrowRight');
  expect(await position.getAttribute('aria-valuetext')).toMatch(/^0:01 of/u);
  await button(/^Play: Voice note/u).press('Enter');
  await expect.poll(() => page.evaluate('window.playedFrom')).toBe(1);
  await button(/^Play: Voice note/u).waitFor();
  expect(
    kept()
      .map((name) => name.split('.')[1])
      .toSorted(),
  ).toEqual(['webm', 'webp']);
  const sound = kept().find((name) => name.endsWith('.webm')) ?? '';
  expect(
    readFileSync(join(data, 'attachments', sound))
      .subarray(0, 400)
      .toString('latin1'),
  ).toContain('A_OPUS');

  await page.getByRole('link', { name: /^Hand over/u }).click();
  await page.getByText(/^With photos and voice notes \(2 files/u).waitFor();
  await page.getByText(/^Salesforce/u).click();
  const coming = page.waitForEvent('download');
  await button('Export now').click();
  const zip = unzipSync(await buffer(await (await coming).createReadStream()));
  const names = Object.keys(zip);
  expect(names).toHaveLength(3);
  const sheet = Buffer.from(zip['leads-salesforce.csv'] ?? []).toString();
  for (const name of names.slice(1)) expect(sheet).toContain(name);

  await page.goBack();
  await button(/^Discard: Photo/u).click();
  // The buttons below move up when the photo is removed.
  await button(/^Discard: Photo/u).waitFor({ state: 'detached' });
  await expect.poll(() => kept().map((name) => name.split('.')[1])).toEqual(['webm']);

  // A muted microphone that is unplugged: the page reports both, and keeps the recording so far.
  await page.evaluate(`{
    const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (wanted) => {
      const stream = await real(wanted);
      const [track] = stream.getAudioTracks();
      track.enabled = false;
      window.unplug = () => track.dispatchEvent(new Event('ended'));
      return stream;
    };
  }`);
  await button('Voice note').click();
  await button('I speak').click();
  await page.getByText('Nothing can be heard. Is the microphone muted?').waitFor();
  await page.evaluate('window.unplug()');
  await page.getByText(/^The microphone was unplugged\. What was recorded/u).waitFor();
  await expect.poll(() => kept().length).toBe(2);
  expect(complaints).toEqual([]);
});
