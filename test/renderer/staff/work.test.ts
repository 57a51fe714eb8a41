/**
 * The pages around the list in real Chromium: delivery, health, the rule for hot leads, merge, timeline, import and
 * hand-over.
 */
import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DeadLetter } from '../../../src-main/contract/delivery.ts';
import type { LeadEvent } from '../../../src-main/contract/leads.ts';
import { openPage, startBrowser, waitFor } from '../browser.ts';
import { buildRenderer } from '../build-renderer.ts';
import { demoLeads } from '../device/demo-leads.ts';
import { healthyDevice } from '../device/healthy-device.ts';
import { openScriptedDevice, type ScriptedDevice } from '../device/scripted-device.ts';
import { openEntry } from '../device/scripted-staff.ts';
import { laptop } from '../device/shown-display.ts';

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
const goTo = (section: string) => page.evaluate(`location.hash = ${JSON.stringify(`#/staff${section}`)}`);
const asTechnician = () =>
  scripted.entry.set({
    session: { ...openEntry.session, member: { id: 'm1', name: 'Jonas W.' }, technician: true },
  });
const button = (name: string | RegExp) => page.getByRole('button', { name });

const parkedOf = (factId: string, more: Partial<DeadLetter>): DeadLetter => ({
  ...{
    factId,
    kind: 'tap',
    at: Date.now() - 600_000,
    lead: 'lead-5',
    sealed: false,
    name: 'Pieter van der Velde',
  },
  ...{ badgeTail: '5F44', cause: 'other', about: null, reason: 'no', mend: null, retryable: true, ...more },
});

describe('delivery', () => {
  it('says in plain words why a fact is parked, sends it corrected, and opens the lead and the export', async () => {
    scripted.parked = [
      parkedOf('f1', {
        cause: 'touchpoint',
        about: 'tp-17',
        reason: 'touchpointID: none',
        mend: 'thisStand',
      }),
      parkedOf('f2', { cause: 'label', about: 'L9', mend: 'withoutLabels', kind: 'qualify' }),
      parkedOf('f3', { sealed: true, name: null, badgeTail: '', lead: null }),
    ];
    scripted.setState({ delivery: { ...healthyDevice.delivery, captured: 128, confirmed: 125, parked: 3 } });
    await goTo('/delivery');
    const lines = page.locator('.dead-letter-line');
    await lines.nth(2).waitFor();
    await page.getByText('The copy of the event is from').waitFor();
    await page.getByText(/^The newest backup is from .* and holds 126 facts; 2 came since/u).waitFor();
    // The page may have loaded before the new state.
    await expect
      .poll(() => page.locator('.sum').innerText())
      .toMatch(/128\s*saved here.*125\s*confirmed.*3\s*set aside/su);
    expect(await lines.nth(0).innerText()).toContain('The platform no longer has this touchpoint.');
    expect(await lines.nth(0).innerText()).toContain('The platform says: touchpointID: none');
    expect(await lines.nth(1).innerText()).toContain('The platform no longer has this label.');
    expect(await lines.nth(2).innerText()).toContain('A lead of another partner');
    await lines.nth(0).getByRole('button', { name: 'Send as this stand' }).click();
    await expect.poll(() => inputs('delivery.retry')).toEqual([{ factId: 'f1', mended: true }]);
    await button('Send all corrected').click();
    await expect.poll(() => inputs('delivery.retry').at(-1)).toEqual({ mended: true });
    await lines.nth(1).getByRole('link', { name: 'Pieter van der Velde' }).click();
    await expect.poll(() => page.locator('.detail h2').innerText()).toBe('Pieter van der Velde');
    await goTo('/delivery');
    await page.getByRole('link', { name: 'Export the set aside' }).click();
    await page.locator('.export').waitFor();
    await button('Export now').click();
    await expect.poll(() => inputs('exports.start')).toMatchObject([{ filter: { parked: true } }]);
  });

  it('shows local refusals: codes, and people turned away at a door', async () => {
    scripted.leads.worklist = {
      unknown: [],
      refused: [{ id: 'r1', at: 0, source: 'wedge', text: '04A1', reason: 'odd', settled: false }],
    };
    scripted.turnedAway = [
      { factId: 't1', at: Date.now(), reason: 'full', name: 'Ada Muster', badgeTail: 'CAFE', staff: 'Mia' },
    ];
    await goTo('/delivery');
    await page.getByText('1 code was not a badge of this event; 1 person was turned away').waitFor();
    expect(await page.locator('.dead-letter-line').innerText()).toMatch(/Ada Muster.*no room left.*Mia/su);
    await page.getByRole('link', { name: 'Look at the codes' }).click();
    await expect.poll(() => page.url()).toContain('#/staff/worklist');
  });

  it('lets only the technician remove records that the platform no longer has, and says what that erases', async () => {
    scripted.setState({
      mirror: { ...healthyDevice.mirror, asks: [{ name: 'visitors', wouldRemove: 312 }] },
    });
    await goTo('/delivery');
    await page.getByText('4 are leads of yours').waitFor();
    await page.getByText('Only the technician can have them removed.').waitFor();
    expect(await button('Remove them here too').count()).toBe(0);
    asTechnician();
    await button('Remove them here too').click();
    await expect.poll(() => inputs('mirror.approveRemoval')).toEqual([{ resource: 'visitors' }]);
  });
});

describe('the health page', () => {
  it('says in words how many facts the backup lacks', async () => {
    await goTo('/health');
    await page.getByText(/^The newest backup is from .* and holds 126 facts; 2 came since/u).waitFor();
  });
});

describe('the rule for hot leads', () => {
  it('is shown in words on request, changed there, and unchanged until saved', async () => {
    await goTo('?sort=hot');
    await button('What is hot?').click();
    await page.getByText(/^The team’s rating decides: 4 or better/u).waitFor();
    await button('Change the rule').click();
    await page.getByLabel('Rated at least').selectOption('3');
    await page.getByLabel('Visits, at least').selectOption('');
    expect(inputs('leads.changeHotRule')).toEqual([]);
    await button('Use this rule').click();
    await expect
      .poll(() => inputs('leads.changeHotRule'))
      .toEqual([
        {
          rule: { rating: 3, answers: [{ question: 'when', options: ['soon'] }], contents: 3, visits: null },
        },
      ]);
    await page.getByText(/^The team’s rating decides: 3 or better/u).waitFor();
    await button('Back to the rule of this stand').click();
    await expect.poll(() => inputs('leads.changeHotRule').at(-1)).toEqual({ rule: null });
    await page.getByText(/^The team’s rating decides: 4 or better/u).waitFor();
  });

  it('opens at a lead and above the list, and closes again', async () => {
    await goTo('?lead=lead-3');
    await page.locator('.detail').getByRole('button', { name: 'Why?' }).click();
    await page.getByText(/^The team’s rating decides: 4 or better/u).waitFor();
    await button('What is hot?').click();
    await expect.poll(() => page.locator('.hot-rule').count()).toBe(0);
    await button('What is hot?').click();
    await button('Change the rule').click();
    await page.getByRole('button', { name: 'within three months' }).waitFor();
  });
});

describe('two leads of one person', () => {
  it('become one after selecting the other, and two again with one key', async () => {
    await goTo('?lead=lead-3');
    await button('Same person as …').click();
    await page.getByLabel('Name, company, e-mail or badge').fill('Pieter');
    await page
      .getByRole('button', { name: /^Pieter van der Velde/u })
      .first()
      .click();
    await expect.poll(() => inputs('leads.merge')).toEqual([{ lead: 'lead-3', into: 'lead-5' }]);
    await page.getByText('Saved.').waitFor();
    await page.keyboard.press('u');
    await expect.poll(() => inputs('leads.undo')).toHaveLength(1);
  });
});

describe('the timeline', () => {
  const event = (factId: string, more: Partial<LeadEvent>): LeadEvent => ({
    ...{ factId, kind: 'attach', at: Date.now(), touchpoint: null, staff: null, fields: {}, content: null },
    ...{ byHand: false, attached: null, undone: false, undoable: true, delivery: 'confirmed', reason: null },
    ...more,
  });

  it('names merged and attached people in full, and each button says what it undoes', async () => {
    scripted.leads.more = {
      'lead-3': {
        others: [
          {
            ...{ lead: 'x', name: 'Bo Ng', company: 'Acme', jobTitle: null },
            email: 'bo@example.org',
            phone: null,
            badgeTail: '5F44',
          },
        ],
        timeline: [
          event('m', { attached: { how: 'merged', name: 'Bo Ng', badgeTail: '5F44' } }),
          event('a', { attached: { how: 'attached', name: 'Lena Olsson-Fernández', badgeTail: '77AA' } }),
          event('t', { kind: 'tap', byHand: true }),
          event('q', { kind: 'qualify', undoable: false, fields: { answers: { when: ['soon'], stand: 4 } } }),
          event('d', { kind: 'qualify', fields: { followUpOn: '2031-11-24' } }),
          event('r1', { kind: 'qualify', fields: { rating: 4 } }),
          event('r2', { kind: 'qualify', fields: { rating: 4 } }),
        ],
      },
    };
    await goTo('?lead=lead-3');
    const line = (text: string) => page.locator('.timeline li', { hasText: text });
    await line('Merged with Bo Ng').waitFor();
    await line('Badge ·· 77AA attached: Lena Olsson-Fernández').waitFor();
    await line('Added by hand').waitFor();
    await line('“When do you plan to buy?”: within three months · “stand”: 4').waitFor();
    await line('Follow up on Mon, 24 Nov 2031').waitFor();
    await page.locator('.detail-fields', { hasText: 'Bo Ng · Acme · bo@example.org' }).waitFor();
    const buttons = await page.locator('.timeline').getByRole('button').all();
    const names = await Promise.all(buttons.map((one) => one.getAttribute('aria-label')));
    expect(new Set(names).size).toBe(6);
    expect(names[4]).toMatch(/^Undo: Rated 4 \(/u);
    await line('Merged with').getByRole('button').click();
    await expect.poll(() => inputs('leads.undo')).toEqual([{ factId: 'm' }]);
  });
});

describe('an undo by the team', () => {
  const byHand: LeadEvent = {
    ...{
      factId: 't',
      kind: 'tap',
      at: Date.now(),
      touchpoint: null,
      staff: 'Mia',
      fields: {},
      content: null,
    },
    ...{ byHand: true, attached: null, undone: true, undoable: false, delivery: 'confirmed', reason: null },
  };

  it("is not shown as the visitor's action", async () => {
    scripted.leads.more = { 'lead-3': { undone: true, timeline: [byHand] } };
    await goTo('?lead=lead-3');
    await page.getByText('Added by hand, and taken back by the team.').waitFor();
    expect(await page.getByText('The visitor took it back.').count()).toBe(0);
  });

  it('opens the lead of the badge if the open one no longer exists', async () => {
    const attach: LeadEvent = { ...byHand, kind: 'attach', byHand: false, undone: false, undoable: true };
    scripted.leads.more = { 'lead-3': { timeline: [attach] } };
    scripted.leads.apart = { from: 'lead-3', lead: 'lead-5' };
    await goTo('?lead=lead-3');
    await page.locator('.timeline').getByRole('button').click();
    await page.getByRole('link', { name: 'Where the removed entries are now' }).click();
    await page.locator('.detail').getByRole('heading', { name: 'Pieter van der Velde' }).waitFor();
  });
});

describe('a file of another Touchpoint', () => {
  const choose = (bytes: number) =>
    page
      .getByLabel('Choose a file')
      .setInputFiles({ name: 'leads.jsonl', mimeType: 'application/jsonl', buffer: Buffer.alloc(bytes, 10) });

  it('is sent to the device in pieces and ends with the number of new facts', async () => {
    await goTo('/handover');
    await choose(500_000);
    await page.getByText('10 of 12 entries are new here. Nothing is sent.').waitFor();
    expect(inputs('imports.piece')).toEqual([196_608, 196_608, 106_784]);
  });

  it('is refused in plain words, with the line', async () => {
    scripted.importScript = [{ kind: 'refused', reason: 'altered', line: 7 }];
    await goTo('/handover');
    await choose(9);
    await page.getByText('The file was altered after it was written.').waitFor();
    await page.getByText('(line 7)').waitFor();
  });
});

describe('leads of another partner', () => {
  const suedwind = { partner: 'p2', name: 'Südwind', leads: 20, asks: true };
  const sealed = [suedwind];

  it('cause a question on the staff pages until a user keeps them sealed', async () => {
    scripted.setState({ sealed });
    await goTo('');
    await page.getByText('20 leads of Südwind').waitFor();
    await button('Keep sealed').click();
    await expect.poll(() => inputs('erasure.keepSealed')).toEqual([{ of: 'p2' }]);
    scripted.setState({ sealed: [{ ...suedwind, asks: false }] });
    await expect.poll(() => page.locator('.sealed-question').count()).toBe(0);
  });

  it('are handed over only by the technician: exported first, then erased', async () => {
    scripted.setState({ sealed });
    await goTo('/handover');
    await page.getByText('Only the technician can hand them over').waitFor();
    expect(await button('Export all of them').count()).toBe(0);
    asTechnician();
    await button('Export all of them').waitFor();
    expect(await button('Erase them from this device').count()).toBe(0);
    scripted.erasureScript.check = {
      ...scripted.erasureScript.check,
      exportedAll: { at: Date.now(), file: 'Südwind.jsonl' },
    };
    await button('Export all of them').click();
    await expect.poll(() => inputs('exports.start')).toMatchObject([{ kind: 'jsonl', filter: {}, of: 'p2' }]);
    await button('Erase them from this device').click();
    await expect.poll(() => inputs('erasure.wipe')).toEqual([{ force: true, of: 'p2' }]);
  });
});

describe('the end of the fair', () => {
  it('can be forced by the technician even if only parked facts are left, and says so', async () => {
    scripted.erasureScript.check = { ...scripted.erasureScript.check, undelivered: 0, parked: 2 };
    asTechnician();
    await goTo('/handover');
    await button('Empty this device …').click();
    await page.getByText('2 facts are set aside and will be lost.').waitFor();
    await button('Erase all of them').click();
    await expect.poll(() => inputs('erasure.wipe')).toEqual([{ force: true }]);
  });
});
