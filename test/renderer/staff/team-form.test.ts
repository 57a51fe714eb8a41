/** The team's own questions, the next step and the company on a lead, and the letters, in real Chromium. */
import { expect, it } from 'vitest';
import { axeFaults } from '../screens/axe.ts';
import { staffPages } from './staff-pages.ts';

const { page, device, inputs, goTo, button } = staffPages(12);
const question = (name: string) => page().getByRole('group', { name });
const changes = () =>
  (inputs('leads.edit') as readonly { readonly change: Record<string, unknown> }[]).map(
    ({ change }) => change,
  );
/** Opens the second lead. The first one was open before and has the same parts. */
const openLead = async (lead: 'lead-1') => {
  await page().keyboard.press('F2');
  await goTo(`#/staff?lead=${lead}`, '.team-form');
  await expect.poll(() => page().locator('.detail h2').innerText()).toBe('Takeshi Kobayashi');
};

it('answers six questions with one touch or one field each, and removes an answer with a second touch', async () => {
  await openLead('lead-1');
  await question('Budget').getByText('must be answered').waitFor();
  await question('Budget').getByRole('button', { name: 'more' }).click();
  await question('Interested in').getByRole('button', { name: 'vision' }).click();
  await question('Interested in').getByRole('button', { name: 'vision', pressed: true }).waitFor();
  await question('Interested in').getByRole('button', { name: 'arms' }).click();
  await question('How well do we fit?').getByRole('button', { name: '4' }).click();
  await question('How many sites?').getByRole('textbox').fill('1,200');
  await question('Works with').getByRole('textbox').fill('شركة النور');
  await question('Works with').getByRole('textbox').press('Enter');
  await question('Decides by').getByLabel('Decides by').fill('2027-01-31');
  await question('Budget').getByRole('button', { name: 'more', pressed: true }).click();
  await question('Budget').getByText('must be answered').waitFor();
  expect(changes()).toEqual([
    { form: { budget: ['b3'] } },
    { form: { lines: ['vision'] } },
    { form: { lines: ['arms', 'vision'] } },
    { form: { fit: 4 } },
    { form: { seats: 1200 } },
    { form: { rival: 'شركة النور' } },
    { form: { decides: '2027-01-31' } },
    { form: { budget: null } },
  ]);
  expect(await axeFaults(page(), 'all')).toEqual([]);
});

it('takes a day from the keyboard, and opens its picker at one touch', async () => {
  await openLead('lead-1');
  await page().evaluate(`
    window.picked = 0;
    const { showPicker } = HTMLInputElement.prototype;
    HTMLInputElement.prototype.showPicker = function () {
      window.picked += 1;
      showPicker.call(this);
    };
  `);
  const day = question('Decides by').getByLabel('Decides by');
  await day.focus();
  // As slowly as a person types: a faster burst is a scanner.
  await page().keyboard.type('01012027', { delay: 130 });
  await expect.poll(changes).toContainEqual({ form: { decides: '2027-01-01' } });
  expect(await page().evaluate('window.picked')).toBe(0);
  await day.click();
  expect(await page().evaluate('window.picked')).toBe(1);
});

it('marks a text that is not a number and does not save it, and saves a number afterwards', async () => {
  await openLead('lead-1');
  const sites = question('How many sites?').getByRole('textbox');
  await sites.fill('a dozen');
  await sites.blur();
  await page().getByText('This is not a number').waitFor();
  expect(changes()).toEqual([]);
  expect(await sites.inputValue()).toBe('a dozen');
  await sites.fill('12.5');
  await sites.blur();
  await expect.poll(changes).toEqual([{ form: { seats: 12.5 } }]);
});

it('shows an answer that no longer fits its question as an earlier answer', async () => {
  device().leads.more = {};
  device().leads.all = device().leads.all.map((line) => ({
    ...line,
    form: { fit: ['old'], budget: ['b1'] },
  }));
  await openLead('lead-1');
  await question('How well do we fit?').getByText('Earlier answer: old').waitFor();
});

it('sets a next step with day, time and kind, and clears the time with the day', async () => {
  await openLead('lead-1');
  const step = question('Follow up');
  expect(await step.getByLabel('Time').isDisabled()).toBe(true);
  await step.getByLabel('Day').fill('2031-03-30');
  await step.getByLabel('Time').fill('14:30');
  await step.getByRole('button', { name: 'Meeting' }).click();
  await step.getByRole('button', { name: 'Meeting', pressed: true }).waitFor();
  await step.getByLabel('Day').fill('');
  await expect
    .poll(changes)
    .toEqual([
      { followUpOn: '2031-03-30' },
      { followUpTime: '14:30' },
      { followUpKind: 'meeting' },
      { followUpOn: null, followUpTime: null },
    ]);
});

it('puts companies under one name, and a lead under another', async () => {
  await page().keyboard.press('F2');
  await goTo('#/staff/companies', '.company-line');
  expect(await axeFaults(page(), 'all')).toEqual([]);
  for (const name of ['Choose Ateliers du Rhône', 'Choose Nordlager AB'])
    await page().getByRole('checkbox', { name }).check();
  await page().getByLabel('These 2 are one company:').fill('Nordlager');
  await button('File them under this name').click();
  await expect
    .poll(() => inputs('leads.mergeCompanies'))
    .toEqual([{ companies: ['Ateliers du Rhône', 'Nordlager AB'], into: 'Nordlager' }]);
  await openLead('lead-1');
  await button('Another company …').click();
  await page().getByLabel('Belongs to').fill('Shinkawa Group');
  await page().getByLabel('Belongs to').press('Enter');
  await expect.poll(changes).toEqual([{ companyGroup: 'Shinkawa Group' }]);
});

it('shows the letters before they are written, in their language and direction', async () => {
  await page().keyboard.press('F2');
  await goTo('#/staff/handover', '.export');
  await page().locator('.choice-line').filter({ hasText: 'a draft for each hot lead' }).click();
  await page().getByText('Letter 1 of 2').waitFor();
  await page().getByText('Bonjour Amélie Beaumont').waitFor();
  await page().getByText('with the appointment as a calendar file').waitFor();
  await button('Next').click();
  await page().locator('.letter-paper[lang="ar"]').waitFor();
  expect(await axeFaults(page(), 'all')).toEqual([]);
  expect(inputs('exports.start')).toEqual([]);
});
