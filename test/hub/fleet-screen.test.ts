/**
 * The fleet page in a real Chromium, in English and German: with no device, with three, and with 2,000 that have
 * every kind of fault. axe reports nothing, no text is cut off or outside the page, and no control is too small for a
 * finger.
 */
import Fastify, { type FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { type FleetDevice, readReport } from '../../src-hub/fleet/reading.ts';
import { addFleet } from '../../src-hub/fleet/routes.ts';
import { startBrowser } from '../renderer/browser.ts';
import { axeFaults } from '../renderer/screens/axe.ts';

const NOW = Date.now();

const TROUBLES = [
  {},
  { readers: 0 },
  { storage: 'full' },
  { pause: 'keyRefused' },
  { battery: 0.07, plugged: false },
  { fault: 'unknown' },
  { outOfOrder: true },
  { mirrorAt: NOW - 9_000_000 },
];

const report = (index: number): string =>
  JSON.stringify({
    ...{ device: `B${index}`, version: '1.4.0', at: NOW, since: NOW - 7_200_000, purpose: 'lead' },
    ...{ lastTapAt: NOW - 5_000, readers: 1, cardService: 'up', storage: 'ok', fault: null, pause: null },
    ...{
      mirrorAt: NOW - 1_000,
      battery: 0.8,
      plugged: null,
      encryption: 'encrypted',
      outOfOrder: false,
      message: index % 9 === 1,
    },
    delivery: {
      ...{ captured: 4_321, due: 21, inFlight: 2, uncertain: 3, atHub: 400 },
      ...{ sent: 900, confirmed: 3_394, parked: 1 },
    },
    command: 0,
    ...TROUBLES[index % TROUBLES.length],
  });

const device = (index: number): FleetDevice => ({
  id: `D${index}`,
  name: index % 5 === 2 ? `${'Wolfeschlegelsteinhausen '.repeat(5)}GmbH & Co. KG` : `Hall 7, stand B${index}`,
  ...{ touchpoint: `AD2026T${index}`, partner: 'AD2026P001' },
  ...{ enrolled: index % 50 !== 49, revoked: index % 40 === 39 },
  reportedAt: index % 13 === 12 ? NOW - 600_000 : NOW - 4_000,
  report: readReport(report(index), NOW),
  counts: { taken: 4_321, atHub: 400, sent: 527, confirmed: 3_394, parked: 0 },
  waiting: [],
});

const serveFleet = async (devices: readonly FleetDevice[]): Promise<[FastifyInstance, string]> => {
  const app = Fastify();
  addFleet(app, {
    hub: 'Hub of hall 7',
    entry: {
      signIn: async () => ({ kind: 'in', token: 'open' }),
      isIn: async (token) => token === 'open',
      leave: () => undefined,
    },
    commander: { send: async () => undefined, waiting: async () => new Map() } as never,
    picture: async () => ({
      ...{ hub: 'Hub of hall 7', now: NOW, devices },
      upstream: { state: 'offline', since: NOW - 60_000 },
      receiptFingerprint: 'AB12 CD34 EF56 AB12 CD34 EF56 AB12 CD34',
    }),
    timezone: () => 'Europe/Berlin',
  });
  return [app, await app.listen({ port: 0, host: '127.0.0.1' })];
};

const SIZES = [
  { width: 1920, height: 1080 },
  { width: 1280, height: 800 },
  { width: 360, height: 740 },
];

/** Controls under 48 px, text outside the page, and a table that scrolls sideways, each as a sentence. */
const FAULTS = `(() => {
  const small = [...document.querySelectorAll('a, button, input:not([type=hidden], [type=checkbox]), select, label:has(input[type=checkbox])')]
    .filter((element) => element.checkVisibility())
    .map((element) => ({ element, box: element.getBoundingClientRect() }))
    .filter(({ box }) => box.height < 47.5 || box.width < 47.5)
    .map(({ element, box }) => element.outerHTML.slice(0, 80) + ' ' + Math.round(box.width) + 'x' + Math.round(box.height));
  const wide = document.documentElement.scrollWidth > innerWidth + 1 ? ['the page scrolls sideways: ' + document.documentElement.scrollWidth] : [];
  const cut = [...document.querySelectorAll('.table, .rail, td')].filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
    .map((element) => 'cut: ' + element.outerHTML.slice(0, 80));
  return [...new Set(small)].slice(0, 5).concat(wide, cut.slice(0, 5));
})()`;

test.each([0, 3, 2_000])(
  'the fleet page with %i devices is complete and accessible',
  async (count) => {
    const [app, address] = await serveFleet(Array.from({ length: count }, (_none, index) => device(index)));
    const browser = await startBrowser();
    try {
      for (const locale of ['en', 'de']) {
        const page = await browser.newPage({ locale });
        const complaints: string[] = [];
        page.on('console', (said) => said.type() === 'error' && complaints.push(said.text()));
        await page.goto(`${address}/fleet`);
        expect(await axeFaults(page, 'all'), 'the entry').toEqual([]);
        await page.locator('#key').fill('any');
        await page.keyboard.press('Enter');
        await page.locator('#sums').waitFor();
        // The most severe fault comes first, as text.
        if (count === 3 && locale === 'en')
          expect(await page.locator('tbody tr').allInnerTexts()).toEqual([
            expect.stringMatching(/Cannot save taps: check the disk/u),
            expect.stringMatching(/^\s*Hall 7, stand B1.*Reader missing/su),
            expect.stringMatching(/^\s*Hall 7, stand B0/u),
          ]);
        for (const size of SIZES) {
          await page.setViewportSize(size);
          const at = `${locale} ${size.width}`;
          expect(await axeFaults(page, size === SIZES[0] ? 'all' : 'layout'), at).toEqual([]);
          expect(await page.evaluate(FAULTS), at).toEqual([]);
        }
        expect(complaints).toEqual([]);
        await page.close();
      }
    } finally {
      await browser.close();
      await app.close();
    }
  },
  300_000,
);
