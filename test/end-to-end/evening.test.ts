/**
 * The evening at the stand, counted in actions: find the hot leads, rate five, write a note for one, export all for
 * the CRM. It runs in the app as users start it, with 300 leads.
 *
 * Every press of a key, button, line or choice and every click into a field is one action. Text that must
 * be typed with any tool (the PIN and the words of the note) is not counted.
 */
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { Locator, Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { ownFolder } from '../core/fixture.ts';
import { notRunUnless } from '../not-run.ts';
import { chromiumPath } from '../renderer/browser.ts';
import { buildRenderer } from '../renderer/build-renderer.ts';
import { fillJournal, openDisplay, PIN, startOn } from './app-with-leads.ts';

const stopwatchTest = notRunUnless(existsSync(chromiumPath), 'Chromium is not installed');

const LEADS = 300;
const ALLOWED = 40;
const NOTE = 'Wants six arms; call on Tuesday, ask for "Léa" 🤖';

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
    /** Types text, which is not counted, at the speed of a person, unlike a scanner. */
    type: (text: string) => page.keyboard.type(text, { delay: 60 }),
  };
};

type Hand = ReturnType<typeof openHand>;

type Way = {
  readonly name: string;
  readonly profile: string;
  readonly enter: (page: Page, hand: Hand) => Promise<void>;
  /** Rates the lead that is open. */
  readonly rate: (page: Page, hand: Hand, rating: number) => Promise<void>;
  /** Opens the lead at `place` among the hot ones. The first one is already open. */
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
    // The digits of the PIN are not counted.
    for (const digit of PIN) await page.getByRole('button', { name: digit, exact: true }).click();
    await hand.click(page.getByRole('button', { name: 'Open' }));
  },
  rate: (page, hand, rating) => hand.click(page.locator('.star-key').nth(rating - 1)),
  go: (page, hand, place) => hand.click(page.locator(`#lead-${place}`)),
  openNote: (page, hand) => hand.click(page.getByLabel('Note', { exact: true })),
};

/** The ratings for the five leads. */
const RATINGS = [5, 4, 5, 4, 5] as const;

const startEvening = async (): Promise<Page> => {
  await buildRenderer();
  const data = ownFolder();
  // Every visitor has one tap, and every twentieth visitor has three contents, which make the lead hot.
  const name = (index: number) => [`Ada${index}`, `Muster${index}`, `ada${index}@example.org`] as const;
  fillJournal(data, LEADS, name, (index) => index % 20 === 7);
  const { address } = await startOn(data);
  return await openDisplay(address);
};

/**
 * The result of the evening: the file for the CRM, the rated leads (first names), and the number of actions.
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
    `finds the hot leads, rates five, notes one and exports all for ${way.profile} in ${ALLOWED} actions, ${way.name}`,
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
