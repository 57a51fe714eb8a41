/**
 * The camera as a reader of QR codes, in real Chromium. Most tests use the test picture of the Chromium that test files
 * share. A test of codes starts its own, with a film instead of a camera. Only Chromium with windows can refuse a
 * camera and have two.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  fakeCamera,
  holdTime,
  idle,
  openPage,
  quickestChromium,
  startBrowser,
  waitFor,
} from '../../browser.ts';
import { buildRenderer } from '../../build-renderer.ts';
import { captured } from '../../device/captured.ts';
import { plainStand } from '../../device/healthy-device.ts';
import { openScriptedDevice, type ScriptedDevice } from '../../device/scripted-device.ts';
import { type Scene, writeFilm } from './camera-film.ts';

let root: string;
let folder: string;
let scripted: ScriptedDevice;
let browser: Browser | undefined;

beforeAll(async () => {
  root = await buildRenderer();
  folder = await mkdtemp(join(tmpdir(), 'touchpoint-camera-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  scripted = await openScriptedDevice(root);
});
afterEach(async () => {
  await browser?.close();
  await scripted.close();
});

const laptop = { name: 'laptop', width: 1280, height: 800 };
const tool = (page: Page, name: string) => page.locator('.tools').getByRole('button', { name });
const entered = () => scripted.calls.filter(({ call }) => call === 'taps.enter').map(({ input }) => input);

/** Keeps every stream that the page received, for the test to inspect. */
const keepStreams = `
  globalThis.streams = [];
  const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = async (wishes) => {
    if (globalThis.refuseWith) throw new DOMException('', globalThis.refuseWith);
    const stream = await ask(wishes);
    globalThis.streams.push(stream);
    return stream;
  };
`;
const lights = (page: Page) =>
  page.evaluate<string[]>('globalThis.streams.flatMap((s) => s.getTracks().map((t) => t.readyState))');

type Facing = { readonly page: Page; readonly complaints: readonly string[] };

/** A page whose camera is that of a Chromium with these switches, and of this build. */
async function facing(switches: readonly string[] = fakeCamera, build?: string): Promise<Facing> {
  browser = await startBrowser(switches, build);
  const { page, complaints } = await openPage(browser, scripted.url, { size: laptop, language: 'en' });
  await page.addInitScript(keepStreams);
  await page.reload();
  scripted.setStand({ screen: { ...plainStand.screen, camera: true } });
  await waitFor(page, '.tools');
  return { page, complaints };
}

/** A page whose camera shows `scenes`. */
function facingFilm(scenes: readonly Scene[]): Promise<Facing> {
  const film = join(folder, `${Date.now()}.y4m`);
  writeFilm(film, scenes);
  return facing([...fakeCamera, `--use-file-for-fake-video-capture=${film}`], quickestChromium());
}

describe('a camera', () => {
  it('is absent unless the stand enables it, and off until the user starts it', async () => {
    const { page } = await facing();
    await tool(page, 'Scan a QR code').waitFor();
    await idle(page);
    expect(await lights(page)).toEqual([]);
    scripted.setStand({ screen: { ...plainStand.screen, camera: false } });
    await tool(page, 'Scan a QR code').waitFor({ state: 'detached' });
  });

  it('enters a code once while it stays in view, and again after it was gone', {
    timeout: 60_000,
  }, async () => {
    const { page, complaints } = await facingFilm([
      // Each scene is long enough to be seen on a slow machine, and short enough that the other code is not missed.
      { code: 'EV-4711-0815', seconds: 6 },
      { code: 'EV-4711-0816', seconds: 5 },
    ]);
    await tool(page, 'Scan a QR code').click();
    await expect.poll(() => entered().length, { timeout: 40_000 }).toBeGreaterThanOrEqual(3);
    const [one, other, again] = entered();
    expect(one).toMatchObject({ text: expect.stringMatching(/^EV-4711-081[56]$/), source: 'qr' });
    expect(other).not.toEqual(one);
    expect(again).toEqual(one);
    expect(complaints).toEqual([]);
  });

  it('makes room for the outcome, and its picture returns mirrored inside the ring', async () => {
    const { page } = await facing();
    await tool(page, 'Scan a QR code').click();
    await waitFor(page, '.camera-picture[data-mirrored="true"]');
    const [ring, picture] = await Promise.all(
      ['.ring', '.camera-picture'].map((part) => page.locator(part).boundingBox()),
    );
    const middle = (box: typeof ring) => Math.round((box?.x ?? 0) + (box?.width ?? 0) / 2);
    expect(Math.abs(middle(ring) - middle(picture))).toBeLessThan(2);
    expect(await page.locator('.camera-note').textContent()).toContain('QR code of your badge');
    scripted.tap(captured());
    await waitFor(page, '.display[data-shape="captured"]');
    expect(await page.locator('.camera-picture').count()).toBe(0);
    await page.keyboard.press('Escape');
    await waitFor(page, '.camera-picture');
  });

  it('switches off when closed, after a minute without a code, and when staff pages open', {
    timeout: 60_000,
  }, async () => {
    const { page } = await facing();
    await holdTime(page);
    await tool(page, 'Scan a QR code').focus();
    await page.keyboard.press('Enter');
    await waitFor(page, '.camera-picture');
    expect(await lights(page)).toEqual(['live']);
    // The same control closes it.
    await page.keyboard.press('Enter');
    await expect.poll(() => lights(page)).toEqual(['ended']);
    await page.keyboard.press('Enter');
    await waitFor(page, '.camera-picture');
    await page.clock.fastForward(55_000);
    expect(await lights(page)).toEqual(['ended', 'live']);
    // The page checks the time between two pictures, and on a slow machine it may have started late.
    const later = async () => {
      await page.clock.fastForward(6_000);
      return lights(page);
    };
    await expect.poll(later, { interval: 500 }).toEqual(['ended', 'ended']);
    await page.clock.resume();
    await tool(page, 'Scan a QR code').click();
    await waitFor(page, '.camera-picture');
    await page.keyboard.press('F2');
    await expect.poll(() => lights(page)).toEqual(['ended', 'ended', 'ended']);
  });

  it('can switch to the second camera', async () => {
    const two = '--use-fake-device-for-media-stream=device-count=2';
    const { page } = await facing(['--use-fake-ui-for-media-stream', two]);
    await tool(page, 'Scan a QR code').click();
    await tool(page, 'Other camera').click();
    await expect.poll(() => lights(page)).toEqual(['ended', 'live']);
    const [first, second] = await page.evaluate<string[]>(
      'globalThis.streams.map((s) => s.getVideoTracks()[0].getSettings().deviceId)',
    );
    expect(second).not.toBe(first);
    // The selected camera stays in use.
    await page.reload();
    await tool(page, 'Scan a QR code').click();
    await waitFor(page, '.camera-picture');
    const used = await page.evaluate<string>(
      'globalThis.streams[0].getVideoTracks()[0].getSettings().deviceId',
    );
    expect(used).toBe(second);
  });
});

describe('a camera that does not work shows the reason and offers a retry', () => {
  const note = (page: Page) => page.locator('.camera-note[data-failed="true"]');

  it('because it is not permitted', async () => {
    const { page } = await facing(['--deny-permission-prompts', '--use-fake-device-for-media-stream']);
    await tool(page, 'Scan a QR code').click();
    expect(await note(page).textContent()).toContain('not allowed');
    await tool(page, 'Try again').waitFor();
  });

  it('because there is none', async () => {
    const { page } = await facing(['--use-fake-ui-for-media-stream'], quickestChromium());
    await tool(page, 'Scan a QR code').click();
    expect(await note(page).textContent()).toContain('no camera');
    await tool(page, 'Try again').waitFor();
  });

  it('because another program uses it, and works once it is free', async () => {
    const { page } = await facing();
    await page.evaluate("globalThis.refuseWith = 'NotReadableError'");
    await tool(page, 'Scan a QR code').click();
    expect(await note(page).textContent()).toContain('not free');
    await page.evaluate('delete globalThis.refuseWith');
    await tool(page, 'Try again').click();
    await waitFor(page, '.camera-picture');
  });

  it('because it was unplugged during use', async () => {
    const { page } = await facing();
    await tool(page, 'Scan a QR code').click();
    await waitFor(page, '.camera-picture');
    await page.evaluate("globalThis.streams[0].getTracks()[0].dispatchEvent(new Event('ended'))");
    expect(await note(page).textContent()).toContain('gone');
    expect(await lights(page)).toEqual(['ended']);
    await tool(page, 'Try again').click();
    await waitFor(page, '.camera-picture');
  });
});

it('takes the content of a QR code as text, even if it is markup', { timeout: 120_000 }, async () => {
  const codes = [
    '<img src=x onerror="document.title=1"><script>document.title=1</script>',
    'javascript:document.title=1',
    'A1'.repeat(2_040),
    'BADGE-小林-حسن-Ü',
  ];
  const { page, complaints } = await facingFilm(codes.map((code) => ({ code, seconds: 4 })));
  await tool(page, 'Scan a QR code').click();
  const inputs = codes.map((text) => ({ text, source: 'qr' }));
  await expect.poll(entered, { timeout: 100_000 }).toEqual(expect.arrayContaining(inputs));
  expect(inputs).toEqual(expect.arrayContaining(entered()));
  scripted.tap({ kind: 'refused', at: Date.now(), reason: 'notABadge' });
  await waitFor(page, '.display[data-shape="notABadge"]');
  expect(await page.title()).toBe('Touchpoint');
  expect(complaints).toEqual([]);
});
