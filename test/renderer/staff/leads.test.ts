/** The list of leads, one lead, and qualifying it, in real Chromium on a scripted device. */
import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPage, type Size, startBrowser, waitFor } from '../browser.ts';
import { buildRenderer } from '../build-renderer.ts';
import { captured } from '../device/captured.ts';
import { demoLeads, detailOf } from '../device/demo-leads.ts';
import { keysSilent, scan } from '../device/scan.ts';
import { openScriptedDevice, type ScriptedDevice } from '../device/scripted-device.ts';

/** Time limit for a busy machine. */
const patient = { timeout: 40_000 };
const laptop: Size = { name: 'laptop', width: 1280, height: 800 };
const busy = { timeout: 40_000 };
let browser: Browser;
let scripted: ScriptedDevice;
let page: Page;

beforeAll(async () => {
  scripted = await openScriptedDevice(await buildRenderer());
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await scripted?.close();
});
beforeEach(async () => {
  await page?.context().close();
  scripted.reset();
  scripted.leads.all = demoLeads(50);
  ({ page } = await openPage(browser, scripted.url, { size: laptop, language: 'en' }));
  await waitFor(page, '.display[data-shape="attract"]');
});

const inputs = (name: string) => scripted.calls.filter(({ call }) => call === name).map(({ input }) => input);
const open = async () => {
  await page.keyboard.press('F2');
  await page.locator('.timeline').waitFor();
};
const heading = () => page.locator('.detail h2').innerText();

describe('the list', () => {
  it('scrolls through 50,000 leads and requests only the visible ones', async () => {
    scripted.leads.all = demoLeads(50_000);
    await open();
    await page.getByRole('listbox').focus();
    await page.keyboard.press('End');
    await page.locator('#lead-49999 strong').waitFor();
    expect(await page.locator('.lead-line').count()).toBeLessThan(80);
    expect(inputs('leads.page').length).toBeLessThan(10);
  });

  it('searches while the user types, keeps the search in the URL, and says if nobody is found', async () => {
    await open();
    await page.keyboard.press('/');
    await expect
      .poll(() => page.evaluate('document.activeElement?.className ?? ""'))
      .toContain('search-input');
    await page.keyboard.type('lena', { delay: 80 });
    await expect
      .poll(async () => new Set(await page.locator('.lead-line strong').allTextContents()))
      .toEqual(new Set(['Lena Olsson-Fernández']));
    await expect.poll(() => page.url()).toContain('q=lena');
    await page.keyboard.type('zzz', { delay: 80 });
    await page.getByText('Nothing found').waitFor();
  });

  it('keeps a search that the user continues to type while the previous one is written to the URL', async () => {
    await open();
    const field = page.locator('.search-input');
    await field.fill('lena');
    await expect.poll(() => page.url()).toMatch(/q=lena$/);
    await field.fill('');
    await expect.poll(() => page.url()).not.toContain('q=');
    // The last letter is typed between the writing of the URL and its rendering. The answer to it has already
    // arrived.
    await page.evaluate(`(() => {
      const field = document.querySelector('.search-input');
      const write = history.replaceState.bind(history);
      history.replaceState = (state, title, address) => {
        write(state, title, address);
        if (!address.endsWith('q=len')) return;
        history.replaceState = write;
        field.focus();
        document.execCommand('insertText', false, 'a');
      };
    })()`);
    await field.fill('len');
    await expect.poll(() => page.url()).toMatch(/q=lena$/);
    expect(await field.inputValue()).toBe('lena');
    expect(new Set(await page.locator('.lead-line strong').allTextContents())).toEqual(
      new Set(['Lena Olsson-Fernández']),
    );
  });

  it('keeps its lines until the results of a search arrive', async () => {
    await open();
    await page.evaluate(`new MutationObserver(() => {
      if (document.querySelector('.lead-waiting')) document.body.dataset.waited = 'yes';
    }).observe(document.querySelector('.lead-lines'), { childList: true, subtree: true })`);
    await page.locator('.search-input').fill('lena');
    await expect
      .poll(async () => new Set(await page.locator('.lead-line strong').allTextContents()))
      .toEqual(new Set(['Lena Olsson-Fernández']));
    expect(await page.getAttribute('body', 'data-waited')).toBeNull();
  });

  it('does not restore a search that the user has left when its answer arrives', async () => {
    await open();
    const { promise, resolve } = Promise.withResolvers<void>();
    scripted.leads.held = promise;
    await page.locator('.search-input').fill('lena');
    await expect.poll(() => JSON.stringify(inputs('leads.page'))).toContain('lena');
    await page.evaluate("location.hash = '#/staff/worklist'");
    await page.getByRole('heading', { name: 'Refused codes' }).waitFor();
    resolve();
    await page.evaluate("location.hash = '#/staff'");
    await expect.poll(() => page.locator('.lead-line strong').first().innerText()).not.toContain('Lena');
    expect(await page.locator('.search-input').inputValue()).toBe('');
    expect(page.url()).not.toContain('q=lena');
  });

  it('combines a search with a filter selected before its answer, and Escape empties the search', async () => {
    await open();
    const { promise, resolve } = Promise.withResolvers<void>();
    scripted.leads.held = promise;
    await page.locator('.search-input').fill('lena');
    await page.getByRole('button', { name: /^Hot/ }).click();
    await expect.poll(() => page.url()).toMatch(/q=lena&hot=1/);
    resolve();
    await expect
      .poll(() => inputs('leads.page').at(-1))
      .toMatchObject({ filter: { search: 'lena', hot: true } });
    await page.locator('.search-input').press('Escape');
    await expect.poll(() => page.url()).not.toContain('q=lena');
    expect(page.url()).toContain('hot=1');
    expect(await page.locator('.search-input').inputValue()).toBe('');
  });

  it('is filtered by chips, says how many people, taps and facts remain, and Back removes a chip', async () => {
    await open();
    const all = await page.locator('.counts').innerText();
    await page.getByRole('button', { name: /^Hot/ }).click();
    await expect.poll(() => page.locator('.counts').innerText()).not.toBe(all);
    const hot = scripted.leads.all.filter((lead) => lead.hot.is).length;
    expect(await page.locator('.counts').innerText()).toMatch(
      new RegExp(`^${hot} people · \\d+ taps · \\d+ facts`),
    );
    expect(page.url()).toContain('hot=1');
    await page.goBack();
    await expect.poll(() => page.locator('.counts').innerText()).toBe(all);
  });

  it('shows on its chips the counts within a search, or says that the numbers are of all leads', async () => {
    scripted.leads.all = demoLeads(28);
    await open();
    const hot = page.locator('.filter-chip', { hasText: 'Hot' });
    const hotOf = (name: string) =>
      scripted.leads.all.filter((lead) => lead.hot.is && (lead.name ?? '').includes(name)).length;
    await expect.poll(() => hot.innerText()).toBe(`Hot ${hotOf('')}`);
    await page.getByRole('searchbox').fill('beaumont');
    await expect.poll(() => hot.innerText()).toBe(`Hot ${hotOf('Beaumont')}`);
    expect(hotOf('Beaumont')).toBeLessThan(hotOf(''));
    scripted.leads.fewestUncounted = 1;
    await page.getByRole('searchbox').fill('rossi');
    await page.getByText('The numbers on the filters count all 28 people.').waitFor();
    expect(await hot.innerText()).toBe(`Hot ${hotOf('')}`);
  });

  it('accepts arrow keys at once, and opens the lead that the URL names', async () => {
    await open();
    await page.keyboard.press('ArrowDown');
    await expect.poll(heading).toBe('Takeshi Kobayashi');
    expect(page.url()).toContain('lead=lead-1');
    await page.evaluate("location.hash = '#/staff?lead=lead-3'");
    await expect.poll(heading).toBe('Lena Olsson-Fernández');
  });

  it('shows on a line only unusual states, the complete reason why a lead is hot, and what can be selected', async () => {
    await open();
    const line = (index: number) => page.locator(`#lead-${index}`);
    expect(await line(3).innerText()).not.toContain('Confirmed');
    expect(await line(8).innerText()).not.toContain('not rated');
    expect(await line(5).innerText()).toMatch(/Hot: “within three months”.*Set aside/su);
    const cut = `(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
      scrollWidth > clientWidth || scrollHeight > clientHeight)(document.querySelector('#lead-5 .lead-worth > span'))`;
    expect(await page.evaluate(cut)).toBe(false);
    expect(await line(5).locator('.lead-check').isVisible()).toBe(true);
    await line(5).locator('.lead-check').click();
    await page.getByText('1 selected').waitFor();
    await expect.poll(heading).toBe('Amélie Beaumont');
  });

  it('shows names at 800 by 480, and a wider lead at 1920', async () => {
    await open();
    const widthOf = async (selector: string) =>
      (await page.locator(selector).first().boundingBox())?.width ?? 0;
    const usual = await widthOf('.detail');
    await page.setViewportSize({ width: 1920, height: 1080 });
    await expect.poll(() => widthOf('.detail')).toBeGreaterThan(usual * 1.5);
    await page.setViewportSize({ width: 800, height: 480 });
    await expect.poll(() => widthOf('.lead-who strong')).toBeGreaterThan(60);
  });

  it('shows the initials of first and last name, without an Arabic article and with separate letters', async () => {
    await open();
    const initials = (name: string) =>
      page.locator('.lead-line', { hasText: name }).first().locator('.avatar').innerText();
    expect(await initials('Pieter van der Velde')).toBe('PV');
    expect(await initials('حسن المنصوري')).toBe('ح م');
  });

  it('starts at its top in another order and after a filter', async () => {
    scripted.leads.all = demoLeads(500);
    await open();
    const top = () => page.evaluate("document.querySelector('.lead-list').scrollTop");
    const scrollDown = async () => {
      await page.evaluate("document.querySelector('.lead-list').scrollTo(0, 3000)");
      await expect.poll(top, patient).toBe(3_000);
    };
    await scrollDown();
    await page.getByLabel('Order').selectOption('name');
    await expect.poll(top, patient).toBe(0);
    await scrollDown();
    await page.getByRole('button', { name: /^Not yet rated/ }).click();
    await expect.poll(top, patient).toBe(0);
  });

  it('has selectable text in the details', async () => {
    await open();
    const selectable = 'getComputedStyle(document.querySelector(".detail dd")).userSelect';
    expect(await page.evaluate(selectable)).toBe('text');
  });
});

describe('one lead', () => {
  it("shows who it is, how to reach them, what they want and what was promised, in this order, with the country's name", async () => {
    const [first] = scripted.leads.all;
    if (!first) throw new Error('Expected a lead');
    scripted.leads.more = {
      [first.id]: { place: 'Lyon, FR', person: { ...detailOf(first).person, address: null } },
    };
    await open();
    const said = await page.locator('.detail').innerText();
    const parts = [
      'Amélie Beaumont',
      'E-mail',
      'What they want',
      'The newsletter',
      'What we promised',
      'Follow up',
    ];
    const places = [...parts, 'Correct the data', 'Same person as …', 'Timeline'].map((part) =>
      said.indexOf(part),
    );
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places[0]).toBeGreaterThanOrEqual(0);
    expect(said).toContain('Lyon, France');
  });

  it('distinguishes a lead that was never asked from one that agreed to nothing, and lists given consents', async () => {
    await open();
    const consent = () =>
      page
        .locator('.detail dd')
        .filter({ hasText: /newsletter|answer|nothing/ })
        .first();
    await expect.poll(() => consent().innerText(), busy).toContain('The newsletter');
    expect(await page.locator('.timeline').innerText()).toContain('Agreed: The newsletter');
    await page.evaluate("location.hash = '#/staff?lead=lead-1'");
    await expect.poll(() => consent().innerText(), busy).toBe('Not asked, or no answer.');
    await page.evaluate("location.hash = '#/staff?lead=lead-5'");
    await expect.poll(() => consent().innerText(), busy).toContain('Agreed to nothing.');
    expect(await page.locator('.timeline').innerText()).toContain('Agreed to nothing');
  });
});

describe('the timeline', () => {
  it('describes corrections in the words of the page, and values that were reset to those of the event', async () => {
    await open();
    await page.evaluate("location.hash = '#/staff?lead=lead-3'");
    await expect
      .poll(() => page.locator('.timeline').innerText(), busy)
      .toContain('First name: Lena · Phone: as the event has it');
  });
});

describe('qualifying', () => {
  it('rates with one key, opens the next unrated lead with one, and undoes with one', async () => {
    await open();
    await page.keyboard.press('5');
    await page.getByText('Saved.').waitFor();
    expect(inputs('leads.edit')).toEqual([{ lead: 'lead-0', change: { rating: 5 } }]);
    await page.keyboard.press('u');
    await page.getByText('Taken back.').waitFor();
    expect(inputs('leads.undo')).toEqual([{ factId: 'edit-1' }]);
    await page.keyboard.press('n');
    await expect.poll(heading).toContain('Unknown badge');
    await page.keyboard.press('3');
    await expect.poll(() => inputs('leads.edit')).toHaveLength(2);
    expect(inputs('leads.edit')[1]).toEqual({ lead: 'lead-2', change: { rating: 3 } });
  });

  it('is not triggered by a scanner whose code begins with the keys for ratings', async () => {
    const ratings = () => scripted.leads.all.map(({ rating }) => rating);
    const before = ratings();
    await open();
    await scan(page, '54321A0CAFE12');
    await expect.poll(() => inputs('taps.enter')).toHaveLength(1);
    await page.keyboard.press('Escape');
    await open();
    await scan(page, '54321A0CAFE13\n', 0, 80);
    await expect.poll(() => inputs('taps.enter')).toHaveLength(2);
    await expect.poll(ratings).toEqual(before);
  });

  it('is undone if a busy machine delivers the second character of a code late', async () => {
    await open();
    const at = Date.now();
    await scan(page, '5');
    await expect.poll(() => scripted.leads.all[0]?.rating).toBe(5);
    await scan(page, '4321', at + 3 - Date.now());
    await expect.poll(() => inputs('leads.undo')).toHaveLength(1);
    expect(scripted.leads.all[0]?.rating).toBe(4);
  });

  it('selects nobody, opens nobody and undoes nothing if a busy machine delivers the rest of a code late', async () => {
    await open();
    /** The first character of a code, and the next ones when `ran` shows that its shortcut ran. */
    const stalled = async (first: string, ran: () => Promise<void>) => {
      const at = Date.now();
      await scan(page, first);
      await ran();
      const silent = keysSilent(page);
      await scan(page, '4321', at + 3 - Date.now());
      await silent;
    };
    const selected = page.getByText('1 selected');
    await stalled('x', () => selected.waitFor());
    await selected.waitFor({ state: 'detached' });
    await stalled('n', () => expect.poll(heading, patient).toContain('Unknown badge'));
    await expect.poll(heading, patient).toBe('Amélie Beaumont');
    expect(inputs('leads.edit')).toEqual([]);
    await page.keyboard.press('5');
    await expect.poll(() => inputs('leads.edit'), patient).toHaveLength(1);
    await page.getByText('Saved.').waitFor();
    await stalled('u', () => expect.poll(() => inputs('leads.undo'), patient).toHaveLength(1));
    await expect
      .poll(() => inputs('leads.edit').at(1), patient)
      .toEqual({ lead: 'lead-0', change: { rating: 5 } });
    expect(scripted.leads.all[0]?.rating).toBe(5);
  });

  it("keeps a scanner's code out of a note, and keeps the typed text", async () => {
    await open();
    const note = page.getByLabel('Note', { exact: true });
    await note.fill('Call ');
    const badges = [3, 30, 80].map((gap) => ({ gap, code: `04A1B2C3D4E5${gap}` }));
    for (const [index, { gap, code }] of badges.entries()) {
      await scan(page, `${code}\n`, 0, gap);
      await expect.poll(() => inputs('taps.enter')).toHaveLength(index + 1);
      await expect.poll(() => note.inputValue()).toBe('Call ');
    }
    expect(inputs('taps.enter')).toEqual(badges.map(({ code }) => ({ text: code, source: 'wedge' })));
    await expect
      .poll(() => inputs('leads.edit').at(-1))
      .toEqual({ lead: 'lead-0', change: { note: 'Call ' } });
  });

  it('saves a note automatically, and at once when a visitor taps', async () => {
    await open();
    await page.getByLabel('Note', { exact: true }).fill('Call Tuesday');
    await expect
      .poll(() => inputs('leads.edit'))
      .toEqual([{ lead: 'lead-0', change: { note: 'Call Tuesday' } }]);
    await page.getByLabel('Note', { exact: true }).fill('Call Wednesday');
    scripted.tap(captured());
    await expect.poll(() => inputs('staff.lock')).toHaveLength(1);
    const order = scripted.calls.map(({ call }) => call);
    expect(inputs('leads.edit').at(-1)).toEqual({ lead: 'lead-0', change: { note: 'Call Wednesday' } });
    expect(order.lastIndexOf('leads.edit')).toBeLessThan(order.indexOf('staff.lock'));
  });

  it('says that the disk refused a change', async () => {
    scripted.leads.edited = 'failed';
    await open();
    await page.keyboard.press('4');
    await page.getByText('Nothing was saved.').waitFor();
  });

  it('opens the visitor who tapped last when a staff badge is tapped after them', async () => {
    await open();
    scripted.tap(captured({ leadId: 'lead-5' }));
    await waitFor(page, '.display[data-shape="captured"]');
    await expect.poll(() => inputs('staff.lock')).toHaveLength(1);
    await page.keyboard.press('Escape');
    await waitFor(page, '.display[data-shape="attract"]');
    scripted.tap({ kind: 'staff', at: Date.now(), ticket: 'T1' });
    await expect.poll(heading).toBe('Pieter van der Velde');
    await page.keyboard.press('4');
    await expect.poll(() => inputs('leads.edit')).toEqual([{ lead: 'lead-5', change: { rating: 4 } }]);
  });

  it('sets labels and a follow-up, and corrects a company, each as its own edit', async () => {
    // On the day before the follow-up, pressing "tomorrow" would remove it.
    scripted.leads.all = scripted.leads.all.map((lead) => ({ ...lead, followUpOn: null, followUpBy: null }));
    await open();
    await page.getByRole('button', { name: 'Distributor' }).click();
    await page.getByRole('button', { name: 'Tomorrow' }).click();
    await page.getByRole('button', { name: 'Correct the data' }).click();
    await page.getByRole('textbox', { name: 'Company' }).fill('Ateliers du Rhône SA');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect
      .poll(() => inputs('leads.correct'))
      .toEqual([{ lead: 'lead-0', change: { company: 'Ateliers du Rhône SA' } }]);
    expect(inputs('leads.edit')).toEqual([
      { lead: 'lead-0', change: { labels: ['L1', 'L2', 'L3'] } },
      { lead: 'lead-0', change: { followUpOn: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) } },
    ]);
  });

  it('warns next to the field about an invalid e-mail address, and saves it at the second attempt', async () => {
    await open();
    await page.getByRole('button', { name: 'Correct the data' }).click();
    await page.getByRole('textbox', { name: 'E-mail' }).fill('a@@b');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await save.click();
    await page.getByText('This does not look like an e-mail address.').waitFor();
    expect(inputs('leads.correct')).toEqual([]);
    await save.click();
    await expect
      .poll(() => inputs('leads.correct'), busy)
      .toEqual([{ lead: 'lead-0', change: { email: 'a@@b' } }]);
  });

  it('reports no other lead of the person before it has searched for one', async () => {
    scripted.leads.all = demoLeads(1);
    await open();
    await page.getByRole('button', { name: 'Same person as …' }).click();
    const other = page.getByRole('searchbox', { name: 'Name, company, e-mail or badge', exact: true });
    await other.fill('zzz');
    await page.getByText('No other lead found.').waitFor();
    await other.fill('');
    await page.getByText('No other lead found.').waitFor({ state: 'hidden', timeout: 40_000 });
  });

  it('opens the next lead when a rated lead leaves the filtered list', async () => {
    await open();
    await page.evaluate("location.hash = '#/staff?hot=1'");
    const hot = scripted.leads.all.filter((lead) => lead.hot.is).map(({ id }) => id);
    await page.locator(`.lead-line[aria-setsize="${hot.length}"]`).first().waitFor();
    await page.getByRole('listbox').focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.url()).toContain(`lead=${hot[1]}`);
    await page.keyboard.press('1');
    await page
      .locator(`.lead-line[aria-setsize="${hot.length - 1}"]`)
      .first()
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.url()).toMatch(new RegExp(`lead=${hot[2]}$`));
  });
});

describe('ten leads with the keyboard alone', () => {
  it('can be rated and noted one after the other; Escape saves the note and leaves its field, and no rating key is typed into a note', async () => {
    await open();
    const leads = scripted.leads.all.slice(0, 10).map(({ id }) => id);
    const names = await page.locator('.lead-line strong').allInnerTexts();
    const ratings = leads.map((_lead, index) => (index % 5) + 1);
    for (const [index, lead] of leads.entries()) {
      if (index > 0) await page.keyboard.press('ArrowDown');
      await expect.poll(heading, patient).toBe(names[index]);
      const rated = keysSilent(page);
      await page.keyboard.press(`${ratings[index]}`);
      await rated;
      await expect
        .poll(() => inputs('leads.edit').at(-1), patient)
        .toEqual({ lead, change: { rating: ratings[index] } });
      await page.keyboard.press('e');
      await page.locator('.note-input:focus').waitFor();
      await page.keyboard.type(`Seen ${index}`, { delay: 130 });
      await page.keyboard.press('Escape');
      await page.locator('.lead-list:focus').waitFor();
    }
    const noted = (lead: string) => scripted.leads.all.find(({ id }) => id === lead)?.note;
    for (const [index, lead] of leads.entries())
      await expect.poll(() => noted(lead), patient).toMatch(new RegExp(`Seen ${index}$`));
  });

  it('get the focus back on Escape in the search, a date, a name and a correction', async () => {
    await open();
    await page.getByRole('button', { name: 'Correct the data' }).click();
    for (const field of ['.search-input', '.detail input[type="date"]', '.detail select', '.correct input']) {
      await page.locator(field).first().focus();
      await page.keyboard.press('Escape');
      await page.locator('.lead-list:focus').waitFor();
    }
  });
});

describe('the keys of a list of 300', () => {
  it('select its last and first lead and a page of lines, even after a click on a star', async () => {
    scripted.leads.all = demoLeads(300);
    await open();
    const at = () =>
      page.evaluate(
        "Number(document.querySelector('.lead-line[aria-selected=true]')?.getAttribute('aria-posinset'))",
      );
    await page.keyboard.press('End');
    await expect.poll(at, patient).toBe(300);
    await page.keyboard.press('Home');
    await expect.poll(at, patient).toBe(1);
    await page.keyboard.press('PageDown');
    await expect.poll(at, patient).toBeGreaterThan(5);
    expect(await at()).toBeLessThan(20);
    await page.keyboard.press('PageUp');
    await expect.poll(at, patient).toBe(1);
    const framed = () =>
      page.evaluate(`[...document.querySelectorAll('body *')].filter(
        (element) => getComputedStyle(element).outlineStyle !== 'none').length`);
    await page.locator('.star-key').first().click();
    await page.keyboard.press('Tab');
    await expect.poll(framed).toBe(1);
    await page.keyboard.press('ArrowDown');
    await expect.poll(at, patient).toBe(2);
    await expect.poll(framed).toBe(1);
  });
});

describe('the offer to undo an edit', () => {
  it('ends when another lead is opened, and its key undoes nothing there', async () => {
    await open();
    await page.keyboard.press('5');
    await page.getByText('Saved.').waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(heading).toBe('Takeshi Kobayashi');
    await expect.poll(() => page.locator('.edit-status').innerText(), patient).toBe('');
    const silent = keysSilent(page);
    await page.keyboard.press('u');
    await silent;
    await page.keyboard.press('4');
    await page.getByText('Saved.').waitFor();
    expect(inputs('leads.edit')).toHaveLength(2);
    expect(inputs('leads.undo')).toEqual([]);
    await page.keyboard.press('u');
    await expect.poll(() => inputs('leads.undo'), patient).toHaveLength(1);
  });

  it('does not return when a note is saved while its lead closes', async () => {
    await open();
    await page.getByLabel('Note', { exact: true }).fill('Call Tuesday');
    await page.evaluate("location.hash = '#/staff?lead=lead-3'");
    await expect.poll(heading).toBe('Lena Olsson-Fernández');
    await expect.poll(() => inputs('leads.edit'), patient).toHaveLength(1);
    expect(await page.locator('.edit-status').innerText()).toBe('');
    await page.keyboard.press('5');
    await page.getByText('Saved.').waitFor();
    await page.evaluate("location.hash = '#/staff/worklist'");
    await page.getByRole('heading', { name: 'Refused codes' }).waitFor();
    await expect.poll(() => page.locator('.counts').innerText(), patient).not.toMatch(/Saved|Undo/);
  });
});

describe('the keyboard', () => {
  it('shows the list of its keys on ?; keys work while the list is shown, and Escape hides it', async () => {
    await open();
    await page.keyboard.press('?');
    const keys = page.getByRole('complementary', { name: 'Keys' });
    await keys.getByText('Next lead without a rating').waitFor();
    await page.keyboard.press('5');
    await expect.poll(() => inputs('leads.edit')).toHaveLength(1);
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'hidden' });
  });

  it('finds people, filters and pages on Ctrl+K, and returns to the list', async () => {
    await open();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Find people, pages and filters' });
    await field.fill('lena');
    await page
      .getByRole('option', { name: /^Lena Olsson-Fernández/u, selected: true })
      .first()
      .waitFor();
    await field.press('Enter');
    await expect.poll(heading).toBe('Lena Olsson-Fernández');
    await expect.poll(() => field.count()).toBe(0);
    await page.keyboard.press('Control+k');
    await field.fill('leads hot');
    await page.getByRole('option', { name: 'Leads: Hot', selected: true }).waitFor();
    await field.press('Enter');
    await expect.poll(() => page.url()).toContain('hot=1');
    await page.keyboard.press('Control+k');
    await field.press('ArrowDown');
    await page.getByRole('option', { name: 'Worklist', selected: true }).click();
    await page.getByRole('heading', { name: 'Refused codes' }).waitFor();
    await page.keyboard.press('Control+k');
    await field.fill('zzzz');
    await page.getByText('Nothing found').waitFor();
    await field.press('Escape');
    await expect.poll(() => field.count()).toBe(0);
    expect(inputs('leads.edit')).toEqual([]);
  });
});
