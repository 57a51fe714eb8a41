/** The code of a visitor's bag in real Chromium, read from the screen as a phone reads it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { codeOfBag } from '../../../../src-renderer/visitor/outcome/bag-code.ts';
import { resize, waitFor } from '../../browser.ts';
import { capturedForLong } from '../../device/captured.ts';
import { demoOffer } from '../../device/demo-stand.ts';
import { laptop, showDisplay } from '../../device/shown-display.ts';
import { layOut } from '../../screens/session-screens.ts';

const { scripted, page } = await showDisplay();

beforeAll(async () => {
  const wasm = join(import.meta.dirname, '../../../../node_modules/zxing-wasm/dist/reader/zxing_reader.wasm');
  prepareZXingModule({ overrides: { wasmBinary: (await readFile(wasm)).buffer as ArrayBuffer } });
});

const bag = 'https://events.example.org/bag/E1';

/** Takes the first `count` contents of the offer and goes to the goodbye. Returns the fact id of the tap. */
const take = async (count: number, base: string | null) => {
  scripted.setState({ purpose: 'content' });
  layOut(scripted, 5, { offer: { count: 5, here: null, bag: base } });
  await waitFor(page, '.notice-brief');
  const event = capturedForLong();
  scripted.tap(event);
  await page.locator('.reward').click();
  for (let index = 0; index < count; index += 1) {
    await page.locator('.take').nth(index).click();
    await expect.poll(() => page.locator('.card[data-selection="taken"]').count()).toBe(index + 1);
  }
  await page.locator('.way-out').click();
  await waitFor(page, '.display[data-view="goodbye"]');
  return event.factId;
};
/** The text of the code that a phone reads on the screen. */
const read = async () => {
  const [code] = await readBarcodes(await page.screenshot(), { formats: ['QRCode'], maxNumberOfSymbols: 1 });
  return code?.text ?? null;
};

describe('the code of a bag', () => {
  it('contains the address of the tap’s page if the platform has such pages', async () => {
    const factId = await take(2, bag);
    expect(await read()).toBe(`${bag}/${factId}`);
  });

  it('contains a list with every name and link if the platform has no such pages', async () => {
    await take(2, null);
    const [first, second] = scripted.offer;
    expect(await read()).toBe(`${first?.name}\n${first?.link}\n\n${second?.name}\n${second?.link}`);
  });

  it('contains the list while the device is offline, although the platform has pages', async () => {
    await take(2, bag);
    scripted.setState({ network: 'offline' });
    await page.locator('.offline-mark').waitFor();
    expect(await read()).toContain(scripted.offer[1]?.name);
  });

  it('is at least a quarter as high as the screen, in every size', async () => {
    await take(2, bag);
    const heights: Record<string, number> = {};
    for (const [width, height] of [
      [800, 480],
      [1024, 600],
      [1280, 800],
      [1920, 1080],
      [1080, 1920],
    ] as const) {
      await resize(page, { name: '', width, height });
      const box = await page.locator('.bag-code .qr-ink').boundingBox();
      heights[`${width}x${height}`] = (box?.height ?? 0) / height;
    }
    await resize(page, laptop);
    expect(Object.entries(heights).filter(([, share]) => share < 0.25)).toEqual([]);
  });

  it('holds the link of a single content, only names if links are too long, and is missing if names are too', () => {
    const [one, ...others] = demoOffer(5);
    if (one === undefined) throw new Error('Expected an offer');
    expect(codeOfBag([one], null)).toBe(one.link);
    expect(codeOfBag([{ ...one, link: null }], null)).toBeNull();
    const many = Array.from({ length: 30 }, (_, index) => ({ ...one, name: `Machine ${index}` }));
    expect(codeOfBag(many, null)?.split('\n')).toEqual(many.map(({ name }) => name));
    expect(codeOfBag([...many, ...others, { ...one, name: 'x'.repeat(1_000) }], null)).toBeNull();
    expect(codeOfBag([], bag)).toBeNull();
  });
});
