/**
 * The screens of the visitor's journey: before a tap, its outcomes with contents to take, and its steps up to the
 * goodbye.
 *
 * Invariant: each entry leaves the page on exactly that screen, with nothing still moving, as `screens.ts` requires.
 */
import type { Page } from '@playwright/test';
import type { Question, Stand } from '../../../src-main/contract/stand.ts';
import type { TapEvent } from '../../../src-main/contract/tap.ts';
import { displayTimes } from '../../../src-renderer/times.ts';
import { waitFor } from '../browser.ts';
import { type Captured, captured } from '../device/captured.ts';
import {
  demoActivity,
  demoOffer,
  demoPictures,
  demoQuestions,
  demoWordmark,
  everyQuestion,
  fullStand,
  hardStand,
} from '../device/demo-stand.ts';
import { healthyDevice } from '../device/healthy-device.ts';
import type { ScriptedDevice } from '../device/scripted-device.ts';
import { type Screen, shaped } from './screen.ts';

const viewOf = (kind: string) => `.display[data-view="${kind}"]`;

/** The largest number of contents on a screen. */
const MOST_CONTENTS = 500;

/** Gives `count` contents to the content picker of a scripted device. */
export function layOut(scripted: ScriptedDevice, count: number, change: Partial<Stand> = {}): void {
  scripted.offer = demoOffer(count);
  // All of them, because the page remembers a picture that was missing on the previous screen.
  scripted.pictures = demoPictures(MOST_CONTENTS);
  const first = scripted.offer[1] ?? scripted.offer[0] ?? null;
  scripted.setStand({ ...fullStand, offer: { count, here: null, first }, ...change });
}

/** Taps and continues at once to the open prompts. */
export async function tapOn(scripted: ScriptedDevice, page: Page, event: Captured): Promise<void> {
  scripted.tap(event);
  await waitFor(page, viewOf('captured'));
  // At once, because on a busy machine the outcome would end before the pointer arrives.
  await page.locator('.invitation').dispatchEvent('click');
}

/** The stand must have arrived before the tap that uses it. */
const standArrived = (page: Page) => waitFor(page, '.notice-brief');

/** All screens of the visitor's journey. */
export function sessionScreens(): readonly Screen[] {
  const question = (kind: Question['kind']): Screen => ({
    name: `question-${kind}`,
    ready: viewOf('question'),
    prepare: async (scripted, page) => {
      layOut(scripted, 0, { questions: [demoQuestions[kind], demoQuestions.choice] });
      await standArrived(page);
      await tapOn(scripted, page, captured({ openQuestions: everyQuestion }));
    },
  });
  const picker = (name: string, count: number, ready: string): Screen => ({
    name,
    ready,
    long: true,
    prepare: async (scripted, page) => {
      scripted.setState({ purpose: 'content' });
      layOut(scripted, count);
      await standArrived(page);
      scripted.tap(captured());
      await waitFor(page, viewOf('captured'));
      await page.locator('.reward').dispatchEvent('click');
    },
  });
  const checkin = (name: string, shape: string, event: () => TapEvent): Screen => ({
    name,
    ready: shaped(shape),
    prepare: async (scripted, page) => {
      scripted.setState({ purpose: 'checkin' });
      scripted.setStand({ ...fullStand, activity: demoActivity });
      await standArrived(page);
      scripted.tap(event());
    },
  });
  const checkedIn = (result: 'welcome' | 'again') => () =>
    captured({ checkin: { result, since: demoActivity.start ?? 0, count: 43 } });
  const notAdmitted = (reason: 'notRegistered' | 'full' | 'restricted') =>
    checkin(`check-in-${reason}`, reason, () => ({ kind: 'notAdmitted', at: Date.now(), reason }));

  const refused = (name: string, reason: 'impossibleCode' | 'garbledScan'): Screen => ({
    name,
    ready: shaped('longer'),
    prepare: (scripted) => scripted.tap({ kind: 'refused', at: Date.now(), reason }),
  });

  const hard = (name: string, ready: string, change: Partial<Captured> | null): Screen => ({
    name: `hard-${name}`,
    ready,
    long: true,
    prepare: async (scripted, page) => {
      scripted.setState({ partner: { id: '1', name: 'N'.repeat(200), stand: null }, purpose: 'checkin' });
      scripted.setStand(hardStand);
      await standArrived(page);
      if (change) await tapOn(scripted, page, captured(change));
    },
  });

  return [
    hard('attract', '.notice-brief', null),
    hard('consent', viewOf('consent'), { asksConsent: true }),
    hard('question', viewOf('question'), { openQuestions: everyQuestion }),
    {
      ...hard('notice', viewOf('notice'), null),
      prepare: async (scripted, page) => {
        await hard('', '', null).prepare(scripted, page);
        await page.locator('.notice-brief .quiet-button').click();
      },
    },
    {
      ...hard('check-in', shaped('welcome'), null),
      prepare: async (scripted, page) => {
        await hard('', '', null).prepare(scripted, page);
        const visitor = { name: '🦊'.repeat(100), company: 'C'.repeat(200), language: null };
        scripted.tap(captured({ visitor, checkin: { result: 'welcome', since: Date.now(), count: 99_999 } }));
      },
    },
    {
      name: 'first-sync-notice',
      ready: '.notice-brief',
      prepare: (scripted) => {
        const { mirror } = healthyDevice;
        const resources = ['partners', 'contents', 'visitors', 'participants'].map((name) => ({
          name,
          count: 1_240,
          complete: false,
        }));
        scripted.setState({ mirror: { ...mirror, complete: false, lastPassAt: null, resources } });
        scripted.setStand(fullStand);
      },
    },
    {
      name: 'attract-notice',
      ready: '.notice-brief',
      prepare: (scripted) => scripted.setStand(fullStand),
    },
    {
      name: 'attract-content',
      ready: '.notice-brief',
      prepare: (scripted) => {
        scripted.setState({ purpose: 'content' });
        scripted.setStand({ ...fullStand, offer: { count: 12, here: demoOffer(2)[1] ?? null } });
      },
    },
    {
      name: 'attract-choose',
      ready: '.words .action-strong',
      prepare: (scripted) => {
        scripted.setState({ purpose: 'content' });
        layOut(scripted, 12);
      },
    },
    {
      name: 'attract-check-in',
      ready: '.notice-brief',
      prepare: (scripted) => {
        scripted.setState({ purpose: 'checkin' });
        scripted.setStand({ ...fullStand, activity: demoActivity });
      },
    },
    {
      name: 'notice',
      ready: viewOf('notice'),
      prepare: async (scripted, page) => {
        scripted.setStand(fullStand);
        await page.locator('.notice-brief .quiet-button').click();
      },
    },
    {
      name: 'captured-content',
      ready: shaped('captured'),
      prepare: async (scripted, page) => {
        const [, here = null] = demoOffer(2);
        scripted.setState({ purpose: 'content' });
        scripted.pictures = demoPictures(2);
        scripted.setStand({ ...fullStand, offer: { count: 12, here } });
        await standArrived(page);
        scripted.tap(captured({ collected: here }));
      },
    },
    {
      name: 'attract-hero',
      ready: '.hero-picture img',
      prepare: async (scripted) => {
        // Not the contents of the previous screens, which had no pictures.
        const here = demoOffer(6)[5] ?? null;
        scripted.pictures = demoPictures(6);
        scripted.setState({ purpose: 'content' });
        scripted.setStand({ ...fullStand, offer: { count: 12, here } });
      },
    },
    {
      name: 'attract-headline',
      ready: '.notice-brief',
      prepare: async (scripted) => {
        scripted.setStand({
          ...fullStand,
          headline: {
            en: 'Tap your badge. Take the robots home.',
            de: 'Badge auflegen. Roboter mitnehmen.',
            ar: 'المس شارتك وخذ الروبوتات معك.',
            ja: 'タッチして、ロボットを持ち帰ろう。',
          },
          brand: { colour: '#ffd400', logo: null },
        });
      },
    },
    ...(['#16233f', '#ffffff'] as const).map((ink) => ({
      name: ink === '#ffffff' ? 'attract-logo-pale' : 'attract-logo',
      ready: '.brand-logo[data-wide="true"]:not([data-ground="waiting"])',
      prepare: (scripted: ScriptedDevice) => {
        scripted.pictures = new Map([[ink, demoWordmark(ink)]]);
        scripted.setStand({ ...fullStand, brand: { colour: null, logo: ink } });
      },
    })),
    {
      name: 'captured-everything',
      ready: '.reward',
      prepare: async (scripted, page) => {
        layOut(scripted, 5);
        await standArrived(page);
        scripted.tap(captured({ asksConsent: true, openQuestions: everyQuestion }));
      },
    },
    {
      name: 'captured-over',
      ready: `${viewOf('captured')}:not(:has(.countdown))`,
      prepare: async (scripted, page) => {
        layOut(scripted, 5);
        await standArrived(page);
        scripted.tap(captured({ undoUntil: Date.now() - 1 }));
      },
    },
    {
      name: 'queue',
      ready: '.mark-queue',
      prepare: async (scripted, page) => {
        await page.clock.install();
        for (const name of ['Amélie B.', 'Takeshi K.', 'Lena O.']) {
          scripted.tap(captured({ visitor: { name, company: null, language: null } }));
        }
      },
    },
    refused('impossible-code', 'impossibleCode'),
    refused('garbled-scan', 'garbledScan'),
    {
      name: 'consent-five',
      ready: viewOf('consent'),
      prepare: async (scripted, page) => {
        const [consent] = fullStand.consents;
        const five = Array.from({ length: 5 }, (_, index) => ({ text: {}, ...consent, id: `c${index}` }));
        scripted.setStand({ ...fullStand, consents: five });
        await standArrived(page);
        await tapOn(scripted, page, captured({ asksConsent: true }));
      },
    },
    {
      name: 'captured-offer',
      ready: shaped('captured'),
      prepare: async (scripted, page) => {
        layOut(scripted, 5);
        await standArrived(page);
        scripted.tap(captured());
      },
    },
    checkin('check-in-welcome', 'welcome', checkedIn('welcome')),
    checkin('check-in-again', 'inAlready', checkedIn('again')),
    notAdmitted('notRegistered'),
    notAdmitted('full'),
    notAdmitted('restricted'),
    {
      name: 'clash',
      ready: shaped('clash'),
      prepare: (scripted) => scripted.tap({ kind: 'refused', at: Date.now(), reason: 'clash' }),
    },
    {
      name: 'consent',
      ready: viewOf('consent'),
      prepare: async (scripted, page) => {
        scripted.setStand(fullStand);
        await standArrived(page);
        await tapOn(scripted, page, captured({ asksConsent: true, openQuestions: everyQuestion }));
        await page.locator('.switch').first().click();
      },
    },
    {
      name: 'consent-not-kept',
      ready: '.step-note[data-tone="stop"]',
      prepare: async (scripted, page) => {
        scripted.setStand(fullStand);
        scripted.keeps = false;
        await standArrived(page);
        await tapOn(scripted, page, captured({ asksConsent: true }));
        await page.locator('.switch').first().click();
        await page.locator('.step-actions .action-strong').click();
      },
    },
    question('choice'),
    question('several'),
    question('rating'),
    question('yesNo'),
    question('text'),
    picker('content-picker', 8, '.cards[data-count="4"] .content-picture'),
    picker('content-picker-one', 1, '.content-detail'),
    picker('content-picker-many', 500, '.cards[data-count="4"] .content-picture'),
    {
      ...picker('content-picker-search', 500, '.keyboard'),
      prepare: async (scripted, page) => {
        await picker('', 500, '').prepare(scripted, page);
        await page.locator('.content-picker-input').click();
      },
    },
    {
      ...picker('content-detail', 5, '.content-detail img'),
      prepare: async (scripted, page) => {
        await picker('', 5, '').prepare(scripted, page);
        await page.locator('.card-look').nth(1).click();
      },
    },
    {
      name: 'choosing',
      long: true,
      ready: '.card[data-selection="chosen"]',
      prepare: async (scripted, page) => {
        scripted.setState({ purpose: 'content' });
        layOut(scripted, 4);
        await page.locator('.words .action-strong').click();
        await page.locator('.take').nth(1).click();
      },
    },
    {
      name: 'idle-prompt',
      ready: viewOf('idlePrompt'),
      prepare: async (scripted, page) => {
        scripted.setStand(fullStand);
        await standArrived(page);
        await page.clock.install();
        await tapOn(scripted, page, captured({ asksConsent: true }));
        await waitFor(page, viewOf('consent'));
        await page.clock.fastForward(displayTimes.stepIdle);
      },
    },
    {
      name: 'goodbye',
      ready: viewOf('goodbye'),
      prepare: async (scripted, page) => {
        scripted.setState({ purpose: 'content' });
        layOut(scripted, 4);
        await standArrived(page);
        await tapOn(scripted, page, captured({ asksConsent: true, openQuestions: everyQuestion }));
        await page.locator('.switch').first().click();
        await page.locator('.step-actions .action-strong').click();
        // The prompts stay open: their invitation beside the bag is the fullest case.
        await waitFor(page, viewOf('question'));
        await page.locator('.way-out').click();
        await page.locator('.reward').click();
        await page.locator('.take').first().click();
        await page.locator('.take').nth(1).click();
        await waitFor(page, '.card[data-selection="taken"]');
        await page.locator('.way-out').click();
      },
    },
  ];
}
