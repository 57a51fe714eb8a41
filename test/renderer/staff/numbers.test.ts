/** The statistics page in real Chromium: counts, charts, and tables with the same numbers. */
import { describe, expect, it } from 'vitest';
import { numbersOf } from '../device/demo-leads.ts';
import { staffPages } from './staff-pages.ts';

const { page, device, inputs, goTo, button } = staffPages(50);

const open = () => goTo('#/staff/numbers', '.columns');

describe('the numbers', () => {
  it('shows the people, the taps and the hot leads with their numbers', async () => {
    await open();
    const { all } = device().leads;
    const taps = all.reduce((sum, lead) => sum + lead.taps, 0);
    const said = (await page().innerText('.totals')).replace(/\s+/g, ' ');
    expect(said).toContain(`${all.length} people ${taps} taps`);
    expect(said).toContain(`${all.filter(({ hot }) => hot.is).length} hot`);
  });

  it('draws people by hour for the latest day, and for another day on request', async () => {
    await open();
    const columns = () => page().locator('.column-value').allTextContents();
    const latest = await columns();
    expect(latest.length).toBeGreaterThan(3);
    await page().locator('.chart-days button').first().click();
    await expect.poll(columns).not.toEqual(latest);
  });

  it('draws a day of one hour as one column among empty ones', async () => {
    const { leads } = device();
    leads.numbers = {
      ...numbersOf(leads.all),
      hours: [{ day: '2026-11-22', hour: 21, people: 6, taps: 6, hot: 2 }],
    };
    await open();
    const labels = page().locator('.column-label');
    await expect
      .poll(() => labels.allTextContents())
      .toEqual(['14', '15', '16', '17', '18', '19', '20', '21']);
    const { width = 0 } = (await page().locator('.columns rect').last().boundingBox()) ?? {};
    const { width: whole = 0 } = (await page().locator('.columns').boundingBox()) ?? {};
    expect(width).toBeLessThan(whole / 6);
  });

  it('links every bar to the list of its people, where a chip shows the filter and removes it', async () => {
    await open();
    const bars = await page().locator('a.bar-line, .columns a').count();
    expect(bars).toBe(await page().locator('.bar-line, .columns .column-value').count());
    const company = page().locator('.chart', { hasText: 'By company' }).locator('a.bar-line').first();
    const [name = '', count = ''] = await company.locator('.bar-label, .bar-value').allInnerTexts();
    await company.click();
    // The link to the company on the open lead also begins with the count. This test means the line above the list.
    const counts = page().locator('.counts');
    await counts.filter({ hasText: new RegExp(`^${count} people`) }).waitFor();
    await page()
      .getByRole('button', { name: `${name} ${count}` })
      .click();
    await counts.filter({ hasText: /^50 people/ }).waitFor();
    await open();
    await page().locator('.columns a').first().click();
    await page()
      .getByRole('button', { name: /, 9 to 10 h/ })
      .waitFor();
    await expect
      .poll(() => inputs('leads.page').at(-1))
      .toMatchObject({ filter: { hour: expect.stringMatching(/^\d{4}-\d{2}-\d{2} 09$/) } });
  });

  it('leaves a time in another format out of the filter, because the device would refuse the list', async () => {
    await page().evaluate("location.hash = '#/staff?day=abc&hour=9&staff=Jonas'");
    await expect.poll(() => inputs('leads.page').at(-1)).toMatchObject({ filter: { staff: 'Jonas' } });
    expect(inputs('leads.page').at(-1)).not.toHaveProperty('filter.day');
    expect(inputs('leads.page').at(-1)).not.toHaveProperty('filter.hour');
  });

  it('compares today with yesterday and with the target that the team sets', async () => {
    await open();
    const today = page().locator('.chart', { hasText: 'Today beside the day before' });
    const labels = today.locator('.bar-label');
    expect(await labels.allInnerTexts()).toEqual(['Today', 'Yesterday']);
    await today.getByRole('spinbutton', { name: 'Target for a day' }).fill('40');
    await page().keyboard.press('Enter');
    await expect.poll(() => inputs('leads.changeTarget')).toEqual([{ target: 40 }]);
    await expect.poll(() => labels.allInnerTexts()).toEqual(['Today', 'Yesterday', 'Target']);
    expect(await today.locator('.bar-value').last().innerText()).toBe('40');
  });

  it('counts people added by hand, and shows no returning visitors if there are none', async () => {
    const { leads } = device();
    leads.numbers = { ...numbersOf(leads.all), byHand: 2, repeats: { once: 50, again: 0 } };
    await open();
    const said = (await page().innerText('.totals')).replace(/\s+/g, ' ');
    expect(said).toContain('2 added by hand');
    expect(said).not.toContain('came again');
  });

  it('has a table behind a chart, with the same numbers', async () => {
    await open();
    const chart = page().locator('.chart', { hasText: 'By rating of the team' });
    const bars = await chart.locator('.bar-value').allTextContents();
    await chart.getByText('As a table').click();
    expect(await chart.locator('tbody td').allTextContents()).toEqual(bars);
  });

  it('prints on a page of A4', async () => {
    await open();
    await page().evaluate('window.print = () => { document.body.dataset.printed = "yes" }');
    await button('Print').click();
    expect(await page().getAttribute('body', 'data-printed')).toBe('yes');
    const paper = await page().pdf({ preferCSSPageSize: true });
    expect(paper.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1);
  });

  it('shows a message instead of empty charts if nobody has tapped yet', async () => {
    device().leads.all = [];
    await goTo('#/staff/numbers', '.staff-empty h2');
    expect(await page().innerText('.staff-empty')).toContain('No leads yet');
    expect(await page().locator('.chart').count()).toBe(0);
  });
});
