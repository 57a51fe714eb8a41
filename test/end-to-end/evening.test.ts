/**
 * The evening at the stand, counted in actions: find the hot leads, rate five, note one, export all for the
 * CRM. It runs on the app as users start it, with 300 leads.
 *
 * Every press of a key, button, line or choice and every click into a field is one action. Text that must
 * be typed with any tool (the PIN and the words of the note) is not counted.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Locator, Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import { expect, onTestFinished } from 'vitest';
import type { VisitorSnapshot } from '../../src-main/core/event/mirror/people.ts';
import { openDatabase } from '../../src-main/core/foundations/store/database.ts';
import { createJournal, type FactDraft } from '../../src-main/core/journal/facts/journal.ts';
import { JOURNAL_MIGRATIONS } from '../../src-main/core/journal/facts/schema.ts';
import { handClock, ownFolder } from '../core/fixture.ts';
import { stamperOf } from '../core/real-parts.ts';
import { startApp } from '../launch/running-app.ts';
import { notRunUnless } from '../not-run.ts';
import { chromiumPath, startBrowser } from '../renderer/browser.ts';
import { buildRenderer } from '../renderer/build-renderer.ts';

const stopwatchTest = notRunUnless(existsSync(chromiumPath), 'Chromium is not installed');

const LEADS = 300;
const ALLOWED = 40;
const NOTE = 'Wants six arms; call on Tuesday, ask for "Léa" 🤖';
const PIN = '2580';
/** The stand of the demo event. */
const PARTNER = 'AD2026P001';

const visitorOf = (index: number): VisitorSnapshot => {
  const [firstName, lastName, company] = [`Ada${index}`, `Muster${index}`, `Works ${index % 40}`];
  const record = { id: `v${index}`, firstName, lastName, company, email: `ada${index}@example.org` };
  return {
    ...{ id: record.id, name: `${firstName} ${lastName}`, company, jobTitle: null, place: null },
    record: JSON.stringify(record),
  };
};

/**
 * A day at the stand: everybody once, and every twentieth visitor with three contents, which makes the lead
 * hot.
 */
const aDayOfLeads = (folder: string): void => {
  const database = openDatabase(join(folder, 'journal.db'), {
    ...{ durability: 'full', migrations: JOURNAL_MIGRATIONS },
  });
  const clock = handClock(Date.now() - 8 * 3_600_000);
  const journal = createJournal(database, stamperOf(clock));
  const at = { source: 'nfc', reader: 'r', touchpoint: null, partner: PARTNER, clockOffset: 0, staff: null };
  database.transaction(() => {
    for (let index = 0; index < LEADS; index += 1) {
      clock.pass(60_000);
      const visitor = visitorOf(index);
      const who = { badge: `04${index.toString(16).padStart(12, '0')}`, visitor: visitor.id };
      journal.record({ ...at, kind: 'tap', payload: who } as FactDraft, visitor);
      for (const content of index % 20 === 7 ? ['c1', 'c2', 'c3'] : [])
        journal.record({ ...at, kind: 'collect', payload: { ...who, content } } as FactDraft, visitor);
    }
  })();
  journal.close();
};

/** Acts on the page and counts the actions. */
const openHand = (page: Page) => {
  let actions = 0;
  return {
    actions: () => actions,
    press: async (key: string) => {
      actions += 1;
      await page.keyboard.press(key);
    },
    click: async (target: Locator) => {
      actions += 1;
      await target.click();
    },
    /** Typed text, which is not counted; at the speed of a hand, unlike a scanner. */
    type: (text: string) => page.keyboard.type(text, { delay: 60 }),
  };
};

type Hand = ReturnType<typeof openHand>;

type Way = {
  readonly name: string;
  readonly profile: string;
  readonly enter: (page: Page, hand: Hand) => Promise<void>;
  /** Rates the open lead. */
  readonly rate: (page: Page, hand: Hand, rating: number) => Promise<void>;
  /** Opens the lead at `place` among the hot ones; the first is open already. */
  readonly go: (page: Page, hand: Hand, place: number) => Promise<void>;
  readonly openNote: (page: Page, hand: Hand) => Promise<void>;
};

const keyboard: Way = {
  name: 'with the keyboard',
  profile: 'Salesforce',
  enter: async (page, hand) => {
    await hand.press('F2');
    await page.getByLabel('PIN').waitFor();
    await hand.type(PIN);
    await hand.press('Enter');
  },
  rate: (_page, hand, rating) => hand.press(String(rating)),
  go: async (_page, hand, place) => {
    if (place === 1) await hand.press('Escape');
    await hand.press('ArrowDown');
  },
  openNote: (_page, hand) => hand.press('e'),
};

const touch: Way = {
  name: 'with a finger',
  profile: 'HubSpot',
  enter: async (page, hand) => {
    await hand.click(page.getByRole('button', { name: 'Staff' }));
    // The digits of the PIN.
    for (const digit of PIN) await page.getByRole('button', { name: digit, exact: true }).click();
    await hand.click(page.getByRole('button', { name: 'Open' }));
  },
  rate: (page, hand, rating) => hand.click(page.locator('.star-key').nth(rating - 1)),
  go: (page, hand, place) => hand.click(page.locator(`#lead-${place}`)),
  openNote: (page, hand) => hand.click(page.getByLabel('Note', { exact: true })),
};

/** The rating of each of the five. */
const RATINGS = [5, 4, 5, 4, 5] as const;

const startEvening = async (): Promise<Page> => {
  await buildRenderer();
  const data = ownFolder();
  aDayOfLeads(data);
  const app = startApp(data);
  onTestFinished(async () => {
    app.child.kill('SIGKILL');
    await app.ended;
  });
  const [, address = ''] = await app.line(/^Touchpoint is ready: (\S+)$/);
  const browser = await startBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en' });
  await page.goto(address);
  await page.locator('main[data-view="attract"]').waitFor();
  return page;
};

/**
 * The result of the evening: the file for the CRM, the rated leads (first names), and the number of
 * actions.
 */
const evening = async (page: Page, way: Way) => {
  const hand = openHand(page);
  const heading = page.locator('.detail h2');
  const rated: string[] = [];
  await way.enter(page, hand);
  await page.getByText(`${LEADS} people`).waitFor();
  await hand.click(page.getByRole('button', { name: /^Hot/ }));
  await page.getByText(`${LEADS / 20} people`).waitFor();
  for (const [place, rating] of RATINGS.entries()) {
    const before = await heading.innerText();
    if (place > 0) {
      await way.go(page, hand, place);
      await expect.poll(() => heading.innerText()).not.toBe(before);
    }
    await way.rate(page, hand, rating);
    await page.locator(`.star-key[data-selected]`, { hasText: String(rating) }).waitFor();
    rated.push((await heading.innerText()).split(' ')[0] ?? '');
  }
  await way.openNote(page, hand);
  await page.locator('.note-input:focus').waitFor();
  await hand.type(NOTE);
  await hand.click(page.getByRole('button', { name: /^Export/ }));
  await hand.click(page.getByText(/^All/));
  await hand.click(page.getByText(new RegExp(`^${way.profile}`)));
  const coming = page.waitForEvent('download');
  await hand.click(page.getByRole('button', { name: 'Export now' }));
  const sheet = await text(await (await coming).createReadStream());
  const rows = parse(sheet, { columns: true, bom: true }) as Record<string, string>[];
  return { rows, rated, actions: hand.actions() };
};

for (const way of [keyboard, touch]) {
  stopwatchTest(
    `finds the hot, rates five, notes one and hands all to ${way.profile} in ${ALLOWED} actions, ${way.name}`,
    async () => {
      const { rows, rated, actions } = await evening(await startEvening(), way);
      expect(rows).toHaveLength(LEADS);
      expect(new Set(rated).size).toBe(RATINGS.length);
      const row = (name: string) => rows.find((one) => one['First Name'] === name);
      const given = rated.map((name) => row(name)?.Rating);
      expect(given).toEqual(way === touch ? RATINGS.map(String) : RATINGS.map(() => 'Hot'));
      expect(JSON.stringify(row(rated.at(-1) ?? ''))).toContain(JSON.stringify(NOTE).slice(1, -1));
      expect(actions).toBeLessThanOrEqual(ALLOWED);
    },
    120_000,
  );
}
