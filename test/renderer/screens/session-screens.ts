/**
 * The screens of the visitor's journey: before a tap, its outcomes with something to take, its steps to the goodbye.
 *
 * Invariant: each entry leaves the page showing exactly that screen, settled, as `screens.ts` asks.
 */
import type { Page } from '@playwright/test';
import type { Question, Stand } from '../../../src-main/contract/stand.ts';
import type { TapEvent } from '../../../src-main/contract/tap.ts';
import { times } from '../../../src-renderer/visitor/state/view.ts';
import { waitFor } from '../browser.ts';
import {
  demoActivity,
  demoOffer,
  demoPictures,
  demoQuestions,
  fullStand,
  hardStand,
} from '../device/demo-stand.ts';
import { healthyDevice } from '../device/healthy-device.ts';
import type { Stage } from '../device/scripted-device.ts';
import type { Screen } from './screens.ts';

type Captured = Extract<TapEvent, { kind: 'captured' }>;
type Capture = (change?: Partial<Captured>) => Captured;

const staged = (kind: string) => `.display[data-stage="${kind}"]`;
const shaped = (shape: string) => `.display[data-shape="${shape}"]`;

/** Puts `count` contents on the shelf of a stage. */
export function layOut(stage: Stage, count: number, change: Partial<Stand> = {}): void {
  stage.offer = demoOffer(count);
  stage.pictures = demoPictures(count);
  stage.stand({ ...fullStand, offer: { count, here: null }, ...change });
}

/** Taps and goes on to the first step at once. */
export async function tapOn(stage: Stage, page: Page, event: Captured): Promise<void> {
  stage.tap(event);
  await waitFor(page, staged('captured'));
  // At once: on a busy machine the outcome has gone on by itself before a pointer would be there.
  await page.locator('.actions .action-strong').first().dispatchEvent('click');
}

/** The stand has to have arrived before a tap is made of it. */
const standArrived = (page: Page) => waitFor(page, '.notice-brief');

/** All of them; `captured` makes a captured event. */
export function visitScreens(captured: Capture): readonly Screen[] {
  const question = (kind: Question['kind']): Screen => ({
    name: `question-${kind}`,
    ready: staged('question'),
    prepare: async (stage, page) => {
      layOut(stage, 0, { questions: [demoQuestions[kind], demoQuestions.choice] });
      await standArrived(page);
      await tapOn(stage, page, captured({ asksQuestions: true }));
    },
  });
  const shelf = (name: string, count: number, ready: string): Screen => ({
    name,
    ready,
    long: true,
    prepare: async (stage, page) => {
      stage.device({ purpose: 'content' });
      layOut(stage, count);
      await standArrived(page);
      await tapOn(stage, page, captured());
    },
  });
  const checkin = (name: string, shape: string, event: () => TapEvent): Screen => ({
    name,
    ready: shaped(shape),
    prepare: async (stage, page) => {
      stage.device({ purpose: 'checkin' });
      stage.stand({ ...fullStand, activity: demoActivity });
      await standArrived(page);
      stage.tap(event());
    },
  });
  const checkedIn = (result: 'welcome' | 'again') => () =>
    captured({ checkin: { result, since: demoActivity.start ?? 0, count: 43 } });
  const notAdmitted = (reason: 'notRegistered' | 'full' | 'restricted') =>
    checkin(`check-in-${reason}`, reason, () => ({ kind: 'notAdmitted', at: Date.now(), reason }));

  const hard = (name: string, ready: string, change: Partial<Captured> | null): Screen => ({
    name: `hard-${name}`,
    ready,
    long: true,
    prepare: async (stage, page) => {
      stage.device({ partner: { id: '1', name: 'N'.repeat(200), stand: null }, purpose: 'checkin' });
      stage.stand(hardStand);
      await standArrived(page);
      if (change) await tapOn(stage, page, captured(change));
    },
  });

  return [
    hard('attract', '.notice-brief', null),
    hard('consent', staged('consent'), { asksConsent: true }),
    hard('question', staged('question'), { asksQuestions: true }),
    {
      ...hard('notice', staged('notice'), null),
      prepare: async (stage, page) => {
        await hard('', '', null).prepare(stage, page);
        await page.locator('.notice-brief .quiet-button').click();
      },
    },
    {
      ...hard('check-in', shaped('welcome'), null),
      prepare: async (stage, page) => {
        await hard('', '', null).prepare(stage, page);
        const visitor = { name: '🦊'.repeat(100), company: 'C'.repeat(200), language: null };
        stage.tap(captured({ visitor, checkin: { result: 'welcome', since: Date.now(), count: 99_999 } }));
      },
    },
    {
      name: 'first-sync-notice',
      ready: '.notice-brief',
      prepare: (stage) => {
        const { mirror } = healthyDevice;
        const resources = ['partners', 'contents', 'visitors', 'participants'].map((name) => ({
          name,
          count: 1_240,
          complete: false,
        }));
        stage.device({ mirror: { ...mirror, complete: false, lastPassAt: null, resources } });
        stage.stand(fullStand);
      },
    },
    {
      name: 'attract-notice',
      ready: '.notice-brief',
      prepare: (stage) => stage.stand(fullStand),
    },
    {
      name: 'attract-content',
      ready: '.notice-brief',
      prepare: (stage) => {
        stage.device({ purpose: 'content' });
        stage.stand({ ...fullStand, offer: { count: 12, here: demoOffer(2)[1] ?? null } });
      },
    },
    {
      name: 'attract-choose',
      ready: '.words .action-strong',
      prepare: (stage) => {
        stage.device({ purpose: 'content' });
        layOut(stage, 12);
      },
    },
    {
      name: 'attract-check-in',
      ready: '.notice-brief',
      prepare: (stage) => {
        stage.device({ purpose: 'checkin' });
        stage.stand({ ...fullStand, activity: demoActivity });
      },
    },
    {
      name: 'notice',
      ready: staged('notice'),
      prepare: async (stage, page) => {
        stage.stand(fullStand);
        await page.locator('.notice-brief .quiet-button').click();
      },
    },
    {
      name: 'captured-content',
      ready: shaped('captured'),
      prepare: async (stage, page) => {
        const [, here = null] = demoOffer(2);
        stage.device({ purpose: 'content' });
        stage.stand({ ...fullStand, offer: { count: 12, here } });
        await standArrived(page);
        stage.tap(captured({ collected: here }));
      },
    },
    {
      name: 'captured-offer',
      ready: shaped('captured'),
      prepare: async (stage, page) => {
        layOut(stage, 5);
        await standArrived(page);
        stage.tap(captured());
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
      prepare: (stage) => stage.tap({ kind: 'refused', at: Date.now(), reason: 'clash' }),
    },
    {
      name: 'consent',
      ready: staged('consent'),
      prepare: async (stage, page) => {
        stage.stand(fullStand);
        await standArrived(page);
        await tapOn(stage, page, captured({ asksConsent: true, asksQuestions: true }));
        await page.locator('.switch').first().click();
      },
    },
    {
      name: 'consent-not-kept',
      ready: '.step-note[data-tone="stop"]',
      prepare: async (stage, page) => {
        stage.stand(fullStand);
        stage.keeps = false;
        await standArrived(page);
        await tapOn(stage, page, captured({ asksConsent: true }));
        await page.locator('.step-actions .action-strong').click();
      },
    },
    question('choice'),
    question('several'),
    question('rating'),
    question('yesNo'),
    question('text'),
    shelf('shelf', 5, '.cards[data-count="5"] .offer-picture'),
    shelf('shelf-one', 1, '.closer'),
    shelf('shelf-many', 500, '.cards[data-count="8"] .offer-picture'),
    {
      ...shelf('shelf-search', 500, '.keyboard'),
      prepare: async (stage, page) => {
        await shelf('', 500, '').prepare(stage, page);
        await page.locator('.shelf-input').click();
      },
    },
    {
      ...shelf('closer-look', 5, '.closer img'),
      prepare: async (stage, page) => {
        await shelf('', 5, '').prepare(stage, page);
        await page.locator('.card-look').nth(1).click();
      },
    },
    {
      name: 'choosing',
      long: true,
      ready: '.card[data-hold="chosen"]',
      prepare: async (stage, page) => {
        stage.device({ purpose: 'content' });
        layOut(stage, 4);
        await page.locator('.words .action-strong').click();
        await page.locator('.take').nth(1).click();
      },
    },
    {
      name: 'still',
      ready: staged('still'),
      prepare: async (stage, page) => {
        stage.stand(fullStand);
        await standArrived(page);
        await page.clock.install();
        await tapOn(stage, page, captured({ asksConsent: true }));
        await waitFor(page, staged('consent'));
        await page.clock.fastForward(times.patience);
      },
    },
    {
      name: 'goodbye',
      ready: staged('goodbye'),
      prepare: async (stage, page) => {
        stage.device({ purpose: 'content' });
        layOut(stage, 4);
        await standArrived(page);
        await tapOn(stage, page, captured({ asksConsent: true }));
        await page.locator('.switch').first().click();
        await page.locator('.step-actions .action-strong').click();
        await page.locator('.take').first().click();
        await page.locator('.take').nth(1).click();
        await waitFor(page, '.card[data-hold="taken"]');
        await page.locator('.step-actions .action-strong').click();
      },
    },
  ];
}
