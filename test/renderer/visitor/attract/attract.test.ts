/** The attract loop: as a pure list, and in real Chromium with real pictures and a real film. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AttractFiles, openAttractFiles } from '../../../../src-main/page/attract-files.ts';
import { emptyLoop, type Loop, stepLoop } from '../../../../src-renderer/visitor/attract/attract-loop.ts';
import { openPage, startBrowser, waitFor } from '../../browser.ts';
import { buildRenderer } from '../../build-renderer.ts';
import { captured } from '../../device/captured.ts';
import { openScriptedDevice } from '../../device/scripted-device.ts';

const picture = (address: string) => ({ kind: 'picture' as const, address });

describe('a loop', () => {
  /**
   * Everything except broken files loads at once, and every duration ends at once. Returns what was shown, in order.
   */
  function play(addresses: readonly string[], broken: readonly string[], rounds: number): string[] {
    const answer = (loop: Loop): Loop => {
      const { coming } = loop;
      if (!coming || loop.comingIsThere) return loop;
      const kind = broken.includes(coming.address) ? 'broken' : 'there';
      return answer(stepLoop(loop, { kind, address: coming.address }));
    };
    let loop = answer(stepLoop(emptyLoop, { kind: 'items', items: addresses.map(picture) }));
    const shown: string[] = [];
    for (let round = 0; round < rounds && loop.shown; round += 1) {
      shown.push(loop.shown.address);
      loop = answer(stepLoop(loop, { kind: 'due' }));
    }
    return shown;
  }

  it('runs in order and omits broken files', () => {
    expect(play(['a', 'b', 'c'], ['b'], 5)).toEqual(['a', 'c', 'a', 'c', 'a']);
    expect(play(['a'], [], 3)).toEqual(['a', 'a', 'a']);
    expect(play(['a', 'b'], ['a', 'b'], 3)).toEqual([]);
    expect(play([], [], 3)).toEqual([]);
  });

  it('shows every valid picture equally often, whichever files are broken', () => {
    const lists = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(lists, fc.array(fc.nat(7)), (addresses, indexes) => {
        const broken = indexes.flatMap((index) => addresses[index] ?? []);
        const sound = addresses.filter((address) => !broken.includes(address));
        expect(play(addresses, broken, sound.length * 2)).toEqual([...sound, ...sound]);
      }),
    );
  });

  it('keeps the current file until the next one has loaded', () => {
    const items = ['a', 'b'].map(picture);
    let loop = stepLoop(stepLoop(emptyLoop, { kind: 'items', items }), { kind: 'there', address: 'a' });
    loop = stepLoop(loop, { kind: 'due' });
    expect(loop.shown?.address).toBe('a');
    expect(stepLoop(loop, { kind: 'there', address: 'b' }).shown?.address).toBe('b');
  });
});

describe('the loop on the screen', () => {
  const size = { name: 'landscape', width: 1920, height: 1080 };
  let root: string;
  let folder: string;
  let browser: Browser;
  let attract: AttractFiles;

  beforeAll(async () => {
    root = await buildRenderer();
    browser = await startBrowser();
    folder = await mkdtemp(join(tmpdir(), 'touchpoint-loop-'));
    const page = await browser.newPage({ viewport: { width: 800, height: 450 } });
    for (const [name, colour] of [
      ['1.png', 'teal'],
      ['4.png', 'orange'],
    ] as const) {
      await page.setContent(`<body style="background:${colour}">`);
      await writeFile(join(folder, name), await page.screenshot());
    }
    await writeFile(join(folder, '2.jpg'), 'no picture at all');
    await writeFile(join(folder, '3.webm'), Buffer.from(await page.evaluate<string>(filmed), 'base64'));
    await writeFile(join(folder, '5.mp4'), 'no film at all');
    await page.close();
    attract = openAttractFiles(folder);
  });
  afterAll(async () => {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** A page that shows the loop; the test controls the clock. */
  async function looping(still: boolean) {
    const scripted = await openScriptedDevice(root, {}, attract);
    const { page, complaints } = await openPage(browser, scripted.url, { size, language: 'en', still });
    await page.clock.install();
    await page.evaluate(
      "addEventListener('playing', ({ target }) => { globalThis.played = { muted: target.muted }; }, true)",
    );
    await page.evaluate(keepsShown);
    scripted.setStand({ attract: [...attract.list()] });
    await waitFor(page, '.loop-layer[data-shown="true"]');
    const end = async () => {
      await page.context().close();
      await scripted.close();
    };
    return { scripted, page, complaints, end };
  }

  const first = 0;
  const film = 2;
  const last = 3;
  const addressOf = (index: number) => attract.list()[index]?.address ?? '';
  const shown = (page: Page) => page.locator('.loop-layer[data-shown="true"]').getAttribute('src');
  /** Everything shown so far, in order. On a slow machine several items may pass between two checks. */
  const allShown = (page: Page) => page.evaluate<string[]>('globalThis.allShown');
  /**
   * Advances time until place `place` (from 0) was reached, which a slow machine loads late. Returns what was shown
   * there.
   */
  const shownAt = async (page: Page, place: number) => {
    const afterItsTime = async () => {
      const all = await allShown(page);
      if (all.length <= place) await page.clock.fastForward(8_100);
      return all.length;
    };
    await expect.poll(afterItsTime, { timeout: 40_000, interval: 500 }).toBeGreaterThan(place);
    return (await allShown(page))[place];
  };
  const filmRuns = (page: Page) =>
    page.evaluate<boolean>("!document.querySelector('video.loop-layer[data-shown=true]').paused");

  it('shows pictures and films in turn, silent, and skips broken files', {
    timeout: 60_000,
  }, async () => {
    const { page, complaints, end } = await looping(false);
    expect(await shownAt(page, 0)).toBe(addressOf(first));
    expect(await shownAt(page, 1)).toBe(addressOf(film));
    // The film lasts a second, so it may have ended on a slow machine.
    await expect.poll(() => page.evaluate('globalThis.played'), { timeout: 40_000 }).toEqual({ muted: true });
    // The loop continues when the film ends and when a picture's time is over. No broken file is shown.
    await expect.poll(() => allShown(page), { timeout: 40_000 }).toContain(addressOf(last));
    expect(await shownAt(page, 2)).toBe(addressOf(last));
    expect(await shownAt(page, 3)).toBe(addressOf(first));
    expect(complaints).toEqual([]);
    await end();
  });

  it('stops while paused, and resumes', async () => {
    const { page, end } = await looping(false);
    await page.getByRole('button', { name: 'Pause pictures' }).click();
    await page.clock.fastForward(60_000);
    expect(await shown(page)).toBe(addressOf(first));
    await page.getByRole('button', { name: 'Play pictures' }).click();
    await shownAt(page, 1);
    await end();
  });

  it('changes without a fade and plays films only on request, with reduced motion', {
    timeout: 60_000,
  }, async () => {
    const { page, end } = await looping(true);
    const fade = "getComputedStyle(document.querySelector('.loop-layer')).transitionDuration";
    expect(await page.evaluate(fade)).toBe('0s');
    expect(await shownAt(page, 1)).toBe(addressOf(film));
    expect(await filmRuns(page)).toBe(false);
    await page.getByRole('button', { name: 'Pause pictures' }).click();
    await page.getByRole('button', { name: 'Play pictures' }).click();
    await expect.poll(() => filmRuns(page), { timeout: 40_000 }).toBe(true);
    await end();
  });

  it('shows an animated picture still with reduced motion, until a visitor presses play', async () => {
    const scripted = await openScriptedDevice(root, {}, attract);
    const { page } = await openPage(browser, scripted.url, { size, language: 'en', still: true });
    await writeFile(join(folder, '0.gif'), Buffer.from(animated, 'base64'));
    scripted.setStand({ attract: [...attract.list()].slice(0, 1) });
    await waitFor(page, 'canvas.loop-layer[data-shown="true"]');
    await page.getByRole('button', { name: 'Pause pictures' }).click();
    await page.getByRole('button', { name: 'Play pictures' }).click();
    await waitFor(page, 'img.loop-layer[data-shown="true"]');
    await rm(join(folder, '0.gif'));
    await page.context().close();
    await scripted.close();
  });

  it('disappears at once on a tap, is absent during an outcome, and does not cover the text', async () => {
    const { scripted, page, end } = await looping(false);
    const box = async (part: string) => {
      const found = await page.locator(part).boundingBox();
      if (!found) throw new Error(`No ${part}`);
      return found;
    };
    const [words, loop, ring] = [await box('.words'), await box('.loop'), await box('.ring')];
    expect(words.x + words.width).toBeLessThanOrEqual(loop.x);
    expect(ring.height).toBeGreaterThan(size.height / 3);
    scripted.tap(captured());
    await waitFor(page, '.display[data-shape="captured"]');
    expect(await page.locator('.loop, .tools, video').count()).toBe(0);
    expect((await box('.ring')).height).toBeGreaterThan(ring.height);
    await end();
  });
});

/** A GIF of one by one pixel: two pictures, a tenth of a second each, repeated. */
const animated =
  'R0lGODlhAQABAPAAAP8AAAAA/yH/C05FVFNDQVBFMi4wAwEAAAAh+QQACgAAACwAAAAAAQABAAACAkQBACH5BAAKAAAALAAAAAABAAEAAAICTAEAOw==';

/** Runs in the page: records what the loop shows, one address after another. */
const keepsShown = `{
  globalThis.allShown = [];
  const look = () => {
    const address = document.querySelector('.loop-layer[data-shown="true"]')?.getAttribute('src');
    if (address && globalThis.allShown.at(-1) !== address) globalThis.allShown.push(address);
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
}`;

/** A second of a moving square as WebM, recorded by the browser itself; base64. */
const filmed = `(async () => {
  const canvas = document.createElement('canvas');
  canvas.width = 160;
  canvas.height = 90;
  const drawing = canvas.getContext('2d');
  const recorder = new MediaRecorder(canvas.captureStream(15), { mimeType: 'video/webm;codecs=vp8' });
  const parts = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const ended = new Promise((resolve) => { recorder.onstop = resolve; });
  recorder.start();
  for (let at = 0; at < 20; at += 1) {
    drawing.fillStyle = at % 2 ? 'purple' : 'white';
    drawing.fillRect(0, 0, 160, 90);
    await new Promise((resolve) => setTimeout(resolve, 70));
  }
  recorder.stop();
  await ended;
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  return btoa(String.fromCharCode(...bytes));
})()`;
