/**
 * Every screen of the app by name, and how the page behind a scripted device gets to it. Tests and gallery share this
 * list.
 *
 * Invariant: each entry leaves the page on exactly that screen, with nothing still moving.
 */
import type { Page } from '@playwright/test';
import type { TouchpointChoice } from '../../../src-main/contract/device.ts';
import type { DemoBadge, TapEvent } from '../../../src-main/contract/tap.ts';
import { waitFor } from '../browser.ts';
import { captured } from '../device/captured.ts';
import { demoPictures } from '../device/demo-stand.ts';
import { plainStand } from '../device/healthy-device.ts';
import { healthScreens, moreHealthScreens } from './health-screens.ts';
import { type Screen, shaped } from './screen.ts';
import { sessionScreens } from './session-screens.ts';
import { staffScreens } from './staff-screens.ts';

const tapped = (name: string, shape: string, event: () => TapEvent): Screen => ({
  name,
  ready: shaped(shape),
  prepare: (scripted) => scripted.tap(event()),
});

const demoBadges: readonly DemoBadge[] = [
  { code: 'D1', alias: 'amelie', name: 'Amélie Beaumont', kind: 'visitor' },
  { code: 'D2', alias: 'takeshi', name: 'Takeshi Kobayashi', kind: 'visitor' },
  { code: 'D3', alias: 'hassan', name: 'حسن المنصوري', kind: 'visitor' },
  { code: 'D4', alias: 'lena', name: 'Lena Olsson-Fernández', kind: 'visitor' },
  { code: 'D5', alias: 'new', name: 'Badge 5F21', kind: 'unknown' },
  { code: 'D6', alias: 'phone', name: 'A visitor’s phone', kind: 'phone' },
  { code: 'D7', alias: 'early', name: 'Pulled away', kind: 'unreadable' },
];

/** Touchpoints of two partners. */
export const someTouchpoints: readonly TouchpointChoice[] = [
  { id: 'T1', name: 'Hall 4, stand B17', purpose: 'lead', partner: 'Northwind Robotics' },
  { id: 'T2', name: 'Hall 4, stand C02', purpose: 'content', partner: 'Cargo Systems' },
];

const standChoice = (name: string, ready: string, after: (page: Page) => Promise<void>): Screen => ({
  name,
  ready,
  prepare: async (scripted, page) => {
    scripted.touchpoints = someTouchpoints;
    scripted.choicePin = '2580';
    scripted.setState({ assignmentFault: { kind: 'unchosen' } });
    await waitFor(page, '.stand-choice');
    await after(page);
  },
});

export const screens: readonly Screen[] = [
  standChoice('stand-choice', '.stand-choice', async () => undefined),
  standChoice('stand-choice-pin', '.stand-pin', async (page) => {
    await page.locator('.stand-choice-item').first().click();
    await page.locator('.action-strong').click();
  }),
  { name: 'attract', ready: shaped('attract'), prepare: () => undefined },
  {
    name: 'attract-offline',
    ready: shaped('attract'),
    prepare: (scripted) => scripted.setState({ network: 'offline' }),
  },
  {
    name: 'first-sync',
    ready: shaped('sync'),
    prepare: (scripted) =>
      scripted.setState({
        mirror: {
          complete: false,
          lastPassAt: null,
          remaining: { share: 0.4, secondsLeft: 12 },
          asks: [],
          resources: [
            { name: 'partners', count: 40, complete: true },
            { name: 'contents', count: 312, complete: true },
            { name: 'visitors', count: 12_400, complete: false },
            { name: 'participants', count: 0, complete: false },
          ],
        },
      }),
  },
  {
    name: 'attract-loop',
    ready: '.loop[data-shown="true"]',
    prepare: (scripted) => {
      const pictures = [...demoPictures(3).values()];
      scripted.setStand({ attract: pictures.map(({ address }) => ({ kind: 'picture', address })) });
    },
  },
  {
    name: 'camera',
    ready: '.camera-picture',
    prepare: async (scripted, page) => {
      scripted.setStand({ screen: { ...plainStand.screen, camera: true } });
      // Once the stand has arrived, the first tool is the control of the camera.
      await page.locator('.camera-note').waitFor({ state: 'attached' });
      await page.locator('.tools .pill').first().click();
    },
  },
  {
    name: 'comfort',
    popover: true,
    ready: '.comfort-choices',
    prepare: async (_stage, page) => {
      await page.locator('.tools .pill').last().click();
    },
  },
  {
    name: 'statement',
    popover: true,
    ready: '.statement',
    prepare: async (_stage, page) => {
      await page.locator('.tools .pill').last().click();
      await page.locator('.comfort-choices .quiet-button').click();
    },
  },
  tapped('reading', 'reading', () => ({ kind: 'reading', at: Date.now() })),
  tapped('captured', 'captured', () => captured()),
  {
    name: 'captured-offline',
    ready: shaped('captured'),
    prepare: (scripted) => {
      scripted.setState({ network: 'offline' });
      scripted.tap(captured({ visitor: { name: 'Takeshi K.', company: 'Shinkawa Seiki', language: null } }));
    },
  },
  tapped('unknown', 'unknown', () => captured({ visitor: null })),
  tapped('repeat', 'again', () => captured({ repeat: { count: 3, since: Date.now() - 3_600_000 } })),
  tapped('not-read', 'longer', () => ({ kind: 'notRead', at: Date.now(), reason: 'pulled' })),
  tapped('phone', 'phone', () => ({ kind: 'refused', at: Date.now(), reason: 'phone' })),
  tapped('not-a-badge', 'notABadge', () => ({ kind: 'refused', at: Date.now(), reason: 'notABadge' })),
  tapped('random-uid', 'notABadge', () => ({ kind: 'refused', at: Date.now(), reason: 'randomUid' })),
  tapped('failed', 'failed', () => ({ kind: 'failed', at: Date.now(), reason: 'full' })),
  {
    name: 'undone',
    ready: shaped('undone'),
    prepare: (scripted) => {
      const event = captured();
      scripted.tap(event);
      scripted.tap({ kind: 'undone', at: Date.now(), factId: event.factId });
    },
  },
  {
    name: 'out-of-order',
    ready: shaped('outOfOrder'),
    prepare: (scripted) => scripted.setState({ cardService: 'up', readers: [] }),
  },
  {
    name: 'out-of-order-by-the-hub',
    ready: shaped('outOfOrder'),
    prepare: (scripted) => scripted.setState({ outOfOrder: true }),
  },
  ...sessionScreens(),
  { name: 'link-lost', ready: shaped('linkLost'), prepare: (scripted) => scripted.cut() },
  {
    name: 'typing',
    ready: shaped('typing'),
    prepare: async (_stage, page) => {
      await page.locator('.foot-start .quiet-button').click();
    },
  },
  {
    name: 'demo-tray',
    ready: '.tray-badges',
    prepare: async (scripted, page) => {
      scripted.badges = demoBadges;
      scripted.setState({ demo: true });
      await page.locator('.tray-handle').click();
    },
  },
  {
    name: 'long-name',
    long: true,
    ready: shaped('captured'),
    prepare: (scripted) =>
      scripted.tap(
        captured({
          visitor: {
            name: `${'Wolfeschlegelsteinhausenbergerdorff '.repeat(6)}B.`.slice(0, 200),
            company: null,
            language: null,
          },
        }),
      ),
  },
  {
    name: 'rtl-name',
    ready: shaped('again'),
    prepare: (scripted) =>
      scripted.tap(
        captured({
          visitor: { name: 'حسن م.', company: null, language: null },
          repeat: { count: 2, since: Date.now() - 90_000_000 },
        }),
      ),
  },
  {
    name: 'languages',
    popover: true,
    ready: '.language-grid',
    prepare: async (_stage, page) => {
      await page.locator('.languages > .pill').click();
    },
  },
  {
    // The voice stays on for a while, so this must be the last of the visitor's screens.
    name: 'speech',
    popover: true,
    ready: '.speech-volume',
    prepare: async (_stage, page) => {
      await page.locator('.tools .pill').last().click();
      const voice = page.locator('.comfort-choices .tool-row:nth-child(2) .comfort-choice').first();
      if ((await voice.getAttribute('aria-pressed')) !== 'true') await voice.click();
    },
  },
  ...staffScreens,
  ...healthScreens,
];

/** All screens with pictures. Those that no test checks are variants of the screens above. */
export const pictured: readonly Screen[] = [...screens, ...moreHealthScreens];
