/**
 * Leads in a CRM, in the app as users start and operate it: sign in to Salesforce's double with PKCE, map a field,
 * run a dry run, send 40 hot leads, edit a lead, decide a conflict, erase a lead.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, onTestFinished } from 'vitest';
import { ownFolder } from '../core/fixture.ts';
import { startSalesforce } from '../core/team/destinations/salesforce-double.ts';
import { notRunUnless } from '../not-run.ts';
import { chromiumPath } from '../renderer/browser.ts';
import { buildRenderer } from '../renderer/build-renderer.ts';
import { fillJournal, openDisplay, PIN, startOn } from './app-with-leads.ts';

const crmTest = notRunUnless(existsSync(chromiumPath), 'Chromium is not installed');

const HOT = 40;
const OTHERS = 20;

const openAt = async (page: Page, hash: string): Promise<void> => {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
};

crmTest(
  'the app connects Salesforce with PKCE, maps a field, sends 40 hot leads after a dry run, follows an edit, decides a conflict and erases a lead',
  async () => {
    const double = await startSalesforce(() => 0.99, 'unused');
    onTestFinished(() => double.close());
    await buildRenderer();
    const folder = ownFolder();
    // Three contents make a lead hot.
    const name = (index: number) => [`Ada${index}`, `Canary${index}`, `canary${index}@example.org`] as const;
    fillJournal(folder, HOT + OTHERS, name, (index) => index < HOT);
    const { address } = await startOn(folder);
    const page = await openDisplay(address, 900);
    await page.keyboard.press('F2');
    await page.getByLabel('PIN').waitFor();
    await page.keyboard.type(PIN, { delay: 60 });
    await page.keyboard.press('Enter');
    await page.getByText(`${HOT + OTHERS} people`).waitFor();

    // Connects. The user signs in on another page of the browser.
    await openAt(page, '#/staff/crm');
    const form = page.getByRole('region', { name: 'Connect a CRM' });
    await form.getByLabel('Where to').selectOption('salesforce');
    await form.getByLabel('Sign in with the browser').check();
    await form.getByLabel('Address').fill(double.address);
    await form.getByLabel('Consumer key').fill('consumer-key-of-the-app');
    const signIn = async (): Promise<void> => {
      await form.getByRole('button', { name: 'Sign in', exact: true }).click();
      const link = await form.getByRole('link', { name: 'Open the sign-in page' }).getAttribute('href');
      const consent = (await page.context().browser()?.newPage()) ?? page;
      await consent.goto(link ?? '');
      await consent.getByText('You can close this page').waitFor();
      await consent.close();
    };
    // The administrator forgot the field of the id. The page says so after the sign-in.
    double.spoil = (text) => text.replaceAll('Touchpoint_Id__c', 'Other__c');
    await signIn();
    await form.getByText('The field Touchpoint_Id__c is missing on leads.').waitFor();
    double.spoil = (text) => text;
    await signIn();
    await form.getByText('Connected. Now choose when leads are sent.').waitFor();
    const card = page.getByRole('region', { name: 'Salesforce', exact: true });
    await card.waitFor();

    // Map the team's note to a custom field, with a preview of real leads.
    await card.getByRole('button', { name: 'Fields', exact: true }).click();
    await card.getByLabel('Where Note of the team goes').selectOption('Stand_Note__c');
    await card.getByText('Lead 3', { exact: true }).waitFor();
    if (process.env.TOUCHPOINT_SHOTS)
      await page.screenshot({ path: `${process.env.TOUCHPOINT_SHOTS}/crm-mapping.png` });
    await card.getByRole('button', { name: 'Fields', exact: true }).click();

    // No person has agreed so far, and the dry run says so. Without that condition it lists what would be created.
    await card.getByRole('button', { name: 'Dry run' }).click();
    const plan = card.locator('.crm-plan-table');
    await expect.poll(() => plan.getByText('left out').count()).toBe(HOT);
    await card.getByText(`0 already the same · ${HOT} left out.`).waitFor();
    await card.getByLabel('Only people who agreed').click();
    await expect.poll(() => card.getByLabel('Only people who agreed').isChecked()).toBe(false);
    await card.getByRole('button', { name: 'Dry run' }).click();
    await expect.poll(() => plan.getByText('new there').count()).toBe(HOT);
    expect(double.records.size).toBe(0);
    await card.getByRole('button', { name: 'Send', exact: true }).click();
    await card.getByText(`${HOT} leads seen there`).waitFor({ timeout: 60_000 });
    expect(double.records.size).toBe(HOT);
    if (process.env.TOUCHPOINT_SHOTS)
      await page.screenshot({ path: `${process.env.TOUCHPOINT_SHOTS}/crm-sent.png` });

    await openAt(page, '#/staff/delivery');
    await page.getByText(`${HOT} leads seen there`).waitFor();

    // An edit here is sent automatically, and the lead shows its delivery state.
    const note = async (name: string, text: string): Promise<void> => {
      await openAt(page, '#/staff');
      await page.getByRole('searchbox').fill(name.split(' ')[1] ?? '');
      await page.getByText(name, { exact: true }).first().click();
      await page.locator('.detail h2', { hasText: name }).waitFor();
      await page.getByLabel('Note', { exact: true }).fill(text);
      await page.getByLabel('Note', { exact: true }).blur();
    };
    const recordOf = (lastName: string) =>
      [...double.records.values()].find(({ values }) => values.LastName === lastName);
    await note('Ada39 Canary39', 'Call on Tuesday');
    await expect
      .poll(() => recordOf('Canary39')?.values.Stand_Note__c, { timeout: 60_000 })
      .toBe('Call on Tuesday');
    await page.locator('.detail').getByText('seen there').waitFor({ timeout: 60_000 });

    // A user changes the value at the CRM, and then staff change it here.
    double.edit(recordOf('Canary39')?.id ?? '', 'Stand_Note__c', 'Called already');
    await note('Ada39 Canary39', 'Call on Friday');
    await openAt(page, '#/staff/crm');
    await card.getByText('Changed there and here').waitFor({ timeout: 60_000 });
    expect(recordOf('Canary39')?.values.Stand_Note__c).toBe('Called already');
    if (process.env.TOUCHPOINT_SHOTS)
      await page.screenshot({ path: `${process.env.TOUCHPOINT_SHOTS}/crm-conflict.png` });
    await card.getByRole('button', { name: 'Use ours: Call on Friday' }).click();
    await expect
      .poll(() => recordOf('Canary39')?.values.Stand_Note__c, { timeout: 60_000 })
      .toBe('Call on Friday');

    // A person asks to be forgotten.
    await openAt(page, '#/staff/handover');
    await page.getByPlaceholder('Name, e-mail or badge').fill('Canary7');
    await page.getByRole('button', { name: /Ada7 Canary7/ }).click();
    await page.getByRole('button', { name: 'Erase this person for good' }).click();
    await page
      .getByText(/Salesforce (was asked to erase|has erased) the record/u)
      .waitFor({ timeout: 60_000 });
    await expect.poll(() => recordOf('Canary7'), { timeout: 60_000 }).toBeUndefined();
    expect(double.records.size).toBe(HOT - 1);

    // Tokens are stored only where the platform's key is, and no log contains names.
    const token = [...double.tokens].at(-1) ?? 'none';
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!existsSync(join(folder, name)) || name === 'destination-keys.json') continue;
      const text = readable(join(folder, name));
      expect(text.includes(token), `a token in ${name}`).toBe(false);
      if (/log|destinations\.db|health/u.test(name))
        expect(/canary\d/iu.test(text), `a name in ${name}`).toBe(false);
    }
  },
  240_000,
);

/** The bytes of a file as text. Empty for a folder. */
function readable(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
