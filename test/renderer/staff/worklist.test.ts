/** The worklist in real Chromium: badges without a name, refused codes, people without a badge. */
import { describe, expect, it } from 'vitest';
import { holdTime } from '../browser.ts';
import { healthyDevice } from '../device/healthy-device.ts';
import { staffPages } from './staff-pages.ts';

const { page, device, inputs, goTo, button } = staffPages(12);

const open = async () => {
  const { leads } = device();
  leads.worklist = {
    unknown: leads.all.filter(({ unknown }) => unknown).slice(0, 1),
    refused: [
      { id: 'r1', at: Date.now(), source: 'wedge', text: '04A1B2', reason: 'garbledScan', settled: false },
    ],
  };
  await goTo('#/staff/worklist', '.work-line');
};

/** Opens the search for the owner of the unknown badge. Later typing goes there. */
const askWho = async () => {
  await button('Who is it?').click();
  await page().locator('.person-search input:focus').waitFor();
};

describe('the worklist', () => {
  it('shows its length, the code, source and reason of each refused code, and links to other work', async () => {
    await open();
    expect(await page().innerText('.counts')).toBe('2 unknown badges · 1 refused code');
    // As on a device with more of them than one list holds.
    await page().getByText('The latest one is listed.').waitFor();
    const refused = page().locator('.work-line', { hasText: '04A1B2' });
    expect(await refused.innerText()).toMatch(/scanner · incomplete, or two codes in one/);
    await refused.getByRole('button', { name: 'Settled' }).click();
    await expect.poll(() => inputs('leads.settle')).toEqual([{ id: 'r1', settled: true }]);
    await page()
      .getByRole('link', { name: /^Not yet rated \d+$/ })
      .click();
    await expect.poll(() => page().url()).toContain('unrated=1');
  });

  it('attaches an unknown badge to a person found by name, and undoes that', async () => {
    await open();
    await askWho();
    expect(inputs('leads.persons')).toEqual([]);
    await page().keyboard.type('lena', { delay: 80 });
    await button(/^Lena/).first().click();
    await expect.poll(() => inputs('leads.attach')).toEqual([{ lead: 'lead-2', visitor: 'visitor-lead-3' }]);
    await page().getByText('Saved.').waitFor();
    await button('Undo the last change').click();
    await expect.poll(() => inputs('leads.undo')).toHaveLength(1);
  });

  it('merges an unknown badge with a person added by hand', async () => {
    device().leads.persons = [
      { visitor: null, name: 'Lena Handmade', company: null, jobTitle: null, place: null, lead: 'lead-9' },
    ];
    await open();
    await askWho();
    await page().keyboard.type('lena', { delay: 80 });
    await page().getByText('Added by hand').waitFor();
    await button(/^Lena Handmade/).click();
    await expect.poll(() => inputs('leads.merge')).toEqual([{ lead: 'lead-2', into: 'lead-9' }]);
  });

  it('warns about an address that a lead already has, and opens that lead', async () => {
    const known = device().leads.all.find(({ email }) => email !== null);
    await open();
    await page()
      .getByLabel('E-mail')
      .fill(known?.email?.toUpperCase() ?? '');
    await page().getByText(`${known?.name} is already a lead with this address.`).waitFor();
    await button('Open the lead').click();
    await expect.poll(() => page().url()).toContain(`lead=${known?.id}`);
  });

  it('shows the number of open items in the menu', async () => {
    await open();
    await page().reload();
    await goTo('#/staff/worklist', '.work-line');
    const unknown = device().leads.all.filter((lead) => lead.unknown).length;
    const item = page().getByRole('link', { name: /^Worklist/u });
    await expect.poll(() => item.innerText()).toMatch(new RegExp(`^Worklist\\s*${unknown + 1}$`, 'u'));
  });

  it('accepts a complete card that a scanner types line by line, and reports no tap', async () => {
    const card = 'BEGIN:VCARD\nVERSION:3.0\nN:Suzuki;Ichiro;;;\nORG:Foo\nTEL:+81 3 1234\nEND:VCARD\n';
    await open();
    await page().getByLabel('Business card as text').focus();
    // A scanner makes no pause that could end a card, but a slow machine would appear to.
    await holdTime(page());
    await page().keyboard.type(card);
    await page().clock.resume();
    await expect.poll(() => page().getByLabel('First name').inputValue()).toBe('Ada');
    const read = inputs('leads.readContact').map((input) => Object(input).text.trim());
    expect(new Set(read)).toEqual(new Set([card.trim()]));
    await expect.poll(() => page().getByLabel('Business card as text').inputValue()).toBe('');
    expect(inputs('taps.enter')).toEqual([]);
  });

  it('fills the form from the QR code of a business card, and saves the person only on request', async () => {
    await open();
    await page().getByLabel('Business card as text').fill('MECARD:N:Lovelace,Ada;;');
    await expect.poll(() => page().getByLabel('Last name').inputValue()).toBe('Lovelace');
    expect(inputs('leads.add')).toEqual([]);
    await page().getByLabel('Phone').fill('+41 44 555 12 34');
    await button('Add this person').click();
    await expect
      .poll(() => inputs('leads.add'))
      .toEqual([
        {
          contact: expect.objectContaining({ lastName: 'Lovelace', phone: '+41 44 555 12 34' }),
          note: '12 St James’s Square, London',
        },
      ]);
    await expect.poll(() => page().url()).toContain('lead=');
  });

  it('is one link away from the list, with the form for people without a badge above the refused codes', async () => {
    await goTo('#/staff', '.lead-list');
    await page().getByRole('link', { name: 'Somebody without a badge' }).click();
    await page().getByRole('heading', { name: 'Somebody without a badge' }).waitFor();
    expect(await page().getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      'Unknown badges',
      'Somebody without a badge',
      'Refused codes',
    ]);
  });

  it('shows the whole form that a picture of a card filled, with the focus in its first field', async () => {
    device().leads.recognised = {
      kind: 'read',
      candidates: [],
      card: {
        contact: {
          ...{ firstName: 'Ada', lastName: 'Lovelace', company: 'Analytical Engines', jobTitle: null },
          ...{ email: 'ada@example.org', phone: null },
        },
        more: 'www.example.org',
      },
      names: 'all',
    };
    await open();
    const name = page().getByLabel('First name');
    const height = async () => (await name.locator('..').boundingBox())?.height;
    const before = await height();
    const asked = page().waitForEvent('filechooser');
    await page().getByText('Choose a picture of one').click();
    await (await asked).setFiles({ name: 'card.png', mimeType: 'image/png', buffer: Buffer.of(1) });
    await page().locator('.correct-field', { hasText: 'First name' }).locator('input:focus').waitFor();
    expect(await page().getByText('Read: check').count()).toBe(4);
    // The marks do not make the form longer.
    expect(await height()).toBe(before);
    const add = await button('Add this person').boundingBox();
    expect((add?.y ?? 0) + (add?.height ?? 0)).toBeLessThanOrEqual(page().viewportSize()?.height ?? 0);
    expect((await name.boundingBox())?.y).toBeGreaterThan(0);
  });

  it('says so if there is nothing to do', async () => {
    await goTo('#/staff/worklist', '.staff-card');
    await page().getByText('Every badge that was tapped has a name.').waitFor();
    await page().getByText('No code was refused.').waitFor();
  });
});

describe('a key that cannot read visitors', () => {
  it('is mentioned where the page would otherwise promise a name', async () => {
    const visitors = { name: 'visitors', count: 0, complete: false, refused: true };
    device().setState({ mirror: { ...healthyDevice.mirror, resources: [visitors] } });
    await open();
    await page()
      .getByText(/no name arrives automatically/u)
      .waitFor();
    await goTo('#/staff?lead=lead-2', '.timeline');
    await page()
      .getByText(/so no name arrives here/u)
      .waitFor();
    await page().getByText('Without a name: this device reads no people').first().waitFor();
    expect(await page().getByText('Named when the list is updated').count()).toBe(0);
  });
});
