/** Print in real Chromium: the shift sheet on one A4 page with any content, a list and a lead. */
import { describe, expect, it } from 'vitest';
import { demoLeads } from '../device/demo-leads.ts';
import { staffPages } from './staff-pages.ts';

const { page, device, goTo } = staffPages(50);

/** Pages of the browser's printout of the page. */
const sheetsOfPaper = async () => {
  const paper = await page().pdf({ preferCSSPageSize: true });
  return paper.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length;
};
const today = new Date().toLocaleDateString('sv');

describe('the shift sheet', () => {
  it('counts leads that are hot, due, unrated, unknown and not delivered, and says how many more there are', async () => {
    await goTo('#/staff/sheet', '.sheet tbody');
    const { all } = device().leads;
    const hot = all.filter((lead) => lead.hot.is).length;
    const part = page().locator('[data-part="hot"]');
    await expect.poll(() => part.locator('h3').innerText()).toContain(`Hot: ${hot}`);
    // All parts are read at one moment, because content that arrives for one part takes room from another.
    const look = () =>
      page().evaluate<readonly [number, string]>(
        "((part) => [part.querySelectorAll('tr').length, part.querySelector('h3').innerText])(document.querySelector('[data-part=\"hot\"]'))",
      );
    await expect.poll(async () => (await look())[0]).toBeGreaterThanOrEqual(12);
    const [shown, title] = await look();
    expect(title).toMatch(shown < hot ? new RegExp(`and ${hot - shown} more`) : /Hot: \d+$/u);
    for (const [id, words] of [
      ['due', 'To follow up by tomorrow'],
      ['unrated', 'Not yet rated'],
      ['unknown', 'Unknown badges'],
      ['undelivered', 'Not delivered'],
    ])
      expect(await page().innerText(`[data-part="${id}"] h3`)).toContain(words);
  });

  it.each([
    ['nobody', 0, 0, {}],
    ['50 leads', 50, 4, {}],
    [
      'names of 200 letters and notes of pages, everybody hot and due',
      50,
      5,
      {
        name: 'Wolfeschlegelsteinhausen 小林'.repeat(8).slice(0, 200),
        company: 'Gesellschaft für '.repeat(12).slice(0, 200),
        email: `${'a'.repeat(60)}@${'b'.repeat(120)}.example.org`,
        phone: null,
        note: 'Needs six arms, and more. '.repeat(400),
        hot: { is: true, why: { kind: 'contents' as const, count: 3 } },
        followUpOn: today,
        followUpBy: 'Jonas W.'.repeat(8),
      },
    ],
  ])('fits one page with %s', async (_what, count, parts, change) => {
    device().leads.all = demoLeads(count).map((lead) => ({ ...lead, ...change }));
    await goTo('#/staff/sheet', count > 0 ? '.sheet tbody' : '.sheet h3');
    await expect.poll(() => page().locator('[data-part]:has(tr)').count()).toBeGreaterThanOrEqual(parts);
    expect(await sheetsOfPaper()).toBe(1);
  });
});

describe('the room of the page', () => {
  it('goes to the parts that have content: a single part gets the whole page', async () => {
    const cold = { is: false, why: null };
    device().leads.all = demoLeads(60).map((lead) => ({
      ...{ ...lead, hot: cold, unknown: false, rating: null, note: null, delivery: 'confirmed' as const },
      ...{ name: 'Amélie Beaumont', company: null, phone: null, email: null },
      followUpOn: null,
      followUpBy: null,
    }));
    await goTo('#/staff/sheet', '.sheet tbody');
    const unrated = page().locator('[data-part="unrated"]');
    await expect.poll(() => unrated.locator('tr').count()).toBe(40);
    expect(await unrated.locator('h3').innerText()).toContain('and 20 more');
    expect(await sheetsOfPaper()).toBe(1);
  });
});

describe('a sheet with few leads', () => {
  it('does not cut names, and fits one page with as many long names as possible', async () => {
    const name = 'Lena Olsson-Fernández Lindqvist';
    const email = 'lena.olsson-fernandez@mail.example.org';
    device().leads.all = demoLeads(11).map((lead) => ({
      ...{ ...lead, name, email, phone: null, rating: null, unknown: false, note: name, undone: false },
      hot: { is: true, why: { kind: 'contents' as const, count: 3 } },
      ...{ delivery: 'confirmed' as const, followUpOn: null, followUpBy: null },
    }));
    await goTo('#/staff/sheet', '.sheet tbody');
    await page().locator('[data-part="unrated"] tr').nth(10).waitFor();
    const cut =
      "[...document.querySelectorAll('.sheet-cell')].filter((one) => one.scrollHeight > one.clientHeight + 1)";
    expect(await page().evaluate(`${cut}.map((one) => one.textContent)`)).toEqual([]);
    expect(await sheetsOfPaper()).toBe(1);
  });
});

describe('a full sheet', () => {
  it('does not cut the number of a badge or the domain of an address', async () => {
    device().leads.all = demoLeads(300);
    await goTo('#/staff/sheet', '.sheet tbody');
    await page().locator('[data-part="unknown"] tr').nth(1).waitFor();
    const cut =
      "[...document.querySelectorAll('.sheet :is(th, td:nth-child(3)) .sheet-cell')].filter((one) => one.scrollHeight > one.clientHeight + 1)";
    expect(await page().evaluate(`${cut}.map((one) => one.textContent)`)).toEqual([]);
    expect(await sheetsOfPaper()).toBe(1);
  });
});

describe('the list on paper', () => {
  const printed = async () => {
    await page().emulateMedia({ media: 'print' });
    await page().evaluate("window.dispatchEvent(new Event('beforeprint'))");
    return page().innerText('body');
  };

  it('contains the lines around the visible ones, states which lines it contains, and has no controls', async () => {
    device().leads.all = demoLeads(150);
    await goTo('#/staff', '.lead-line strong');
    await expect.poll(printed).toContain('1 to 100 of 150');
    // A hundred lines with notes, as the browser prints them.
    expect(await sheetsOfPaper()).toBeGreaterThan(2);
    const paper = await printed();
    expect(await page().locator('.printed-list tr').count()).toBe(100);
    expect(paper).not.toContain('Export');
    await page().evaluate("window.dispatchEvent(new Event('afterprint'))");
    await expect.poll(() => page().locator('.printed-list').count()).toBe(0);
  });

  it('contains only the open lead, with its whole note, in black on white', async () => {
    const note = Array.from({ length: 40 }, (_, index) => `Line ${index}`).join('\n');
    device().leads.all = demoLeads(50).map((lead) => ({ ...lead, note }));
    await page().evaluate("document.documentElement.dataset.theme = 'dark'");
    await goTo('#/staff?lead=lead-1', '.timeline');
    const paper = await printed();
    expect(paper).toContain('Takeshi Kobayashi');
    expect(paper).not.toContain('Amélie');
    const cut = "document.querySelector('.note-input')";
    expect(await page().evaluate(`${cut}.scrollHeight <= ${cut}.clientHeight + 1`)).toBe(true);
    expect(await page().evaluate("getComputedStyle(document.querySelector('.detail h2')).color")).toBe(
      'rgb(20, 23, 31)',
    );
  });
});
