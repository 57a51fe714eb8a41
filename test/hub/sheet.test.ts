/** The sheet of codes in a browser: four on an A4 page, without other files, and readable by a poor camera. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { writeDeviceFiles } from '../../src-hub/device-files.ts';
import { readCode } from '../../src-main/provision/provision-code.ts';
import { makeSigningKey, readProvision } from '../../src-main/provision/provision-file.ts';
import { ownFolder } from '../core/fixture.ts';
import { startBrowser } from '../renderer/browser.ts';
import { axeFaults } from '../renderer/screens/axe.ts';

const DAY = 24 * 60 * 60_000;
const signing = makeSigningKey();
const longest = 'Leads und Inhalte am Empfang der großen Bühne neben dem Café, zweite Reihe links';
const sheetOf = (count: number, language: 'en' | 'de') => {
  const sheet = join(ownFolder(), 'sheet.html');
  const now = Date.now();
  const devices = Array.from({ length: count }, (_, index) => ({
    ...{ id: `D1f167d9e7${index}`, name: index === 1 ? longest : 'Lead capture, robots', partner: 'P1' },
    ...{
      key: `${index}N2fG0Zk1v7Qb9mXh4LsWcTyRjKpEuAoDiHzM5BqVw3`,
      touchpoint: `65f1c0ffee4b6a8b4c1e8f2${index}`,
    },
    purpose: 'lead' as const,
  }));
  const content = {
    ...{
      expo: '65f1c0ffee4b6a8b4c1e9f00',
      address: 'http://192.168.178.120:8820/create/v2',
      hub: 'Hub in hall 7',
    },
    ...{ issuedAt: new Date(now).toISOString(), expiresAt: new Date(now + 7 * DAY).toISOString(), devices },
  };
  const partners = new Map([['P1', 'Nordwind Robotics <script>alert(1)</script>']]);
  writeDeviceFiles({ out: undefined, each: undefined, sheet }, content, signing.privateKey, {
    ...{ event: 'Automation Days 2026', timezone: 'Europe/Berlin', language, partners },
  });
  return sheet;
};

let browser: Browser;
const asked: string[] = [];
const open = async (sheet: string): Promise<Page> => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, deviceScaleFactor: 2 });
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`file://${sheet}`);
  return page;
};
beforeAll(async () => {
  browser = await startBrowser();
  const wasm = readFileSync(
    join(import.meta.dirname, '../../node_modules/zxing-wasm/dist/reader/zxing_reader.wasm'),
  );
  prepareZXingModule({ overrides: { wasmBinary: wasm.buffer as ArrayBuffer } });
}, 60_000);
afterAll(() => browser.close());

it.each(['en', 'de'] as const)(
  'the sheet prints four cards per page, in %s, and requests no other file',
  async (language) => {
    asked.length = 0;
    const page = await open(sheetOf(6, language));
    expect(await page.locator('.card').count()).toBe(6);
    expect(await page.locator('script').count()).toBe(0);
    expect(asked.filter((address) => !address.startsWith('file:') && !address.startsWith('data:'))).toEqual(
      [],
    );
    const card = page.locator('.card').nth(1);
    for (const words of [
      longest,
      'D1f167d9e71',
      signing.fingerprint,
      'Nordwind Robotics <script>',
      'Hub in hall 7',
    ])
      expect(await card.textContent()).toContain(words);
    // No content overflows its card.
    const overflow = await page.$$eval('.card', (cards) =>
      cards.filter((one) => one.scrollHeight > one.clientHeight + 1).map((one) => one.textContent),
    );
    expect(overflow).toEqual([]);
    expect(await axeFaults(page, 'all')).toEqual([]);
    const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(2);
    await page.close();
  },
  60_000,
);

it('a code can be read from a small, rotated, blurred, dim and noisy picture, with the signed content', async () => {
  const page = await open(sheetOf(1, 'en'));
  const photo = await page.locator('.code').screenshot();
  await page.close();
  // A camera with 720 lines sees 32 cm at half a metre, so a code of 80 mm covers 180 lines.
  for (const height of [180, 240, 400]) {
    const noise = { type: 'gaussian', mean: 128, sigma: 8 } as const;
    const small = await sharp(photo).resize(height, height, { kernel: 'cubic' }).toBuffer();
    const grain = await sharp({
      create: { width: 1280, height: 720, channels: 3, background: 'grey', noise },
    })
      .png()
      .toBuffer();
    const turned = await sharp(small)
      .rotate(6, { background: '#c8c8c8' })
      .blur(0.7)
      .linear(0.6, 40)
      .toBuffer();
    const seen = await sharp(grain)
      .composite([{ input: turned, gravity: 'centre', blend: 'over' }])
      .png()
      .toBuffer();
    const [code] = await readBarcodes(new Uint8Array(seen), { formats: ['QRCode'], maxNumberOfSymbols: 1 });
    expect([height, code?.isValid]).toEqual([height, true]);
    const file = readCode(code?.text ?? '');
    const read = file.kind === 'file' ? readProvision(file.text, Date.now(), signing.fingerprint) : file;
    expect(read).toMatchObject({ kind: 'provision', content: { devices: [{ id: 'D1f167d9e70' }] } });
  }
}, 60_000);
