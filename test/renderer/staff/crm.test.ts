/** The page of CRMs and webhooks in real Chromium: why something is refused or waits, and a new token. */
import { describe, expect, it } from 'vitest';
import type { Destination, DestinationKindName } from '../../../src-main/contract/destinations.ts';
import { someDestinations } from '../device/scripted-destinations.ts';
import { staffPages } from './staff-pages.ts';

const { page, device, inputs, goTo, button } = staffPages(3);

const openWith = async (kind: DestinationKindName, change: Partial<Destination>) => {
  const script = someDestinations();
  const list = script.list.filter((one) => one.kind === kind).map((one) => ({ ...one, ...change }));
  device().destinationScript = { ...script, list };
  await goTo('#/staff/crm', '.crm-card');
};

describe('a destination', () => {
  it('says why a mapping is refused, and sends only the changed field', async () => {
    await openWith('hubspot', { conflicts: 0 });
    device().destinationScript.mappingFault = { kind: 'taken', property: 'jobtitle', by: 'Job Title' };
    await button('Fields').click();
    await page().getByLabel('Where Note of the team goes').selectOption('jobtitle');
    await page().getByText('Position already goes to jobtitle.').waitFor();
    await page().getByLabel('Where When do you want to decide? goes').waitFor();
    expect(inputs('destinations.save')).toEqual([
      { id: 'd1', settings: { mapping: { 'lead.note': 'jobtitle' } } },
    ]);
    await page().getByText('Lead 3', { exact: true }).waitFor();
  });

  it('says that a failed connection stored nothing', async () => {
    device().destinationScript = { ...someDestinations(), list: [] };
    await goTo('#/staff/crm', '.staff-card');
    const form = page().getByRole('region', { name: 'Connect a CRM' });
    for (const [pause, sentence] of [
      ['offline', 'Nothing answers at this address at present.'],
      ['keyRefused', 'The destination refuses this token or secret. Nothing was stored.'],
      [{ status: 500 }, 'The destination answers with an error (500). Nothing was stored.'],
      ['slow', 'The destination does not answer in time. Nothing was stored.'],
      ['notAPlatform', 'Something else answers at this address, such as the sign-in page of a network.'],
      ['address', 'Type a complete address that begins with https://. Nothing was stored.'],
    ] as const) {
      device().destinationScript.connected = { kind: 'refused', pause };
      await form.getByLabel('Access token').fill('token-0123456789');
      await form.getByRole('button', { name: 'Connect a CRM' }).click();
      await form.getByText(sentence).waitFor();
    }
    expect(await form.getByText('retries automatically').count()).toBe(0);
  });

  it('asks for the whole token, keeps it after a refusal, and clears it when it is stored', async () => {
    device().destinationScript = { ...someDestinations(), list: [], offered: { offers: [], fault: null } };
    await goTo('#/staff/crm', '.staff-card');
    const form = page().getByRole('region', { name: 'Connect a CRM' });
    const connect = form.getByRole('button', { name: 'Connect a CRM' });
    const token = form.getByLabel('Access token');
    await token.fill('short');
    await connect.click();
    await form.getByText('This is too short. Paste all of it.').waitFor();
    expect(inputs('destinations.connect')).toEqual([]);
    await token.fill('token-0123456789');
    device().destinationScript.connected = { kind: 'refused', pause: 'address' };
    await connect.click();
    await form.getByText('Type a complete address').waitFor();
    expect([await form.getByText('too short').count(), await token.inputValue()]).toEqual([
      0,
      'token-0123456789',
    ]);
    device().destinationScript.connected = { kind: 'connected', id: 'd1' };
    await connect.click();
    await expect.poll(() => token.inputValue()).toBe('');
    await form.getByLabel('Where to').selectOption('webhook');
    await form.getByLabel('Signing secret').fill('whsec_');
    await connect.click();
    await form.getByText('A signing secret is whsec_ followed by 24 to 64 bytes').waitFor();
    expect(inputs('destinations.connect')).toHaveLength(2);
  });

  it('hides the dry run once leads are sent, and “1 lead will be sent” once none waits', async () => {
    const script = someDestinations();
    await openWith('webhook', { atHub: false, pause: null });
    await button('Dry run').click();
    const card = page().locator('.crm-card');
    await card.locator('.crm-table').waitFor();
    const withCounts = (due: number, sent: number) =>
      script.list.slice(1).map((one) => ({ ...one, pause: null, counts: { ...one.counts, due, sent } }));
    device().destinationScript.list = withCounts(1, 0);
    await button('Send').click();
    await card.getByText('1 lead will be sent.').waitFor();
    expect(await card.locator('.crm-table').count()).toBe(0);
    device().destinationScript.list = withCounts(0, 1);
    await card.getByText('1 lead sent', { exact: true }).waitFor();
    await expect.poll(() => card.getByText('will be sent').count()).toBe(0);
  });

  it('names fields in words, with the name of the property beside them', async () => {
    await openWith('hubspot', {});
    const card = page().locator('.crm-card');
    await card.getByText('Amélie Beaumont · Position jobtitle').waitFor();
    await button('Dry run').click();
    await card.getByText('First name firstname, Last name lastname, Legal basis hs_legal_basis').waitFor();
    await card.getByText('Changed there, please decide: Position jobtitle, Company company').waitFor();
    await button('Fields').click();
    await card.getByText('* The CRM requires this field.').waitFor();
    const rows = await card.locator('.crm-mapping tbody td:first-child').allInnerTexts();
    expect(rows).toEqual([
      ...['First name', 'Position', 'Stars', 'Note of the team', 'When do you want to decide?'],
    ]);
  });

  it('says that it waits for the answer to a test', async () => {
    await openWith('hubspot', { conflicts: 0 });
    const answer = Promise.withResolvers<null>();
    device().destinationScript.tested = answer.promise;
    await button('Test').click();
    await page().getByText('Waiting for the answer …').waitFor();
    answer.resolve(null);
    await page().getByText('It answers.').waitFor();
    expect(await page().getByText('Waiting for the answer …').count()).toBe(0);
  });

  it('refuses a name that another destination has', async () => {
    await openWith('hubspot', { conflicts: 0, name: 'HubSpot' });
    const name = page().getByLabel('Name', { exact: true });
    await name.fill('Sales');
    device().destinationScript.isNameFree = false;
    await name.blur();
    await page().getByText('Another CRM has this name.').waitFor();
    expect(inputs('destinations.rename')).toEqual([{ id: 'd1', name: 'Sales' }]);
  });

  it('does not retry leads that were deleted at the CRM, and creates one again on request', async () => {
    await openWith('hubspot', { conflicts: 0 });
    device().destinationScript.leftOut = 2;
    await button('Send all again').click();
    await page().getByText('2 leads were deleted there and are left out.').waitFor();
    await page().getByRole('button', { name: 'Create it there again' }).click();
    await expect
      .poll(() => inputs('destinations.retry'))
      .toEqual([{ id: 'd1' }, { id: 'd1', lead: 'lead-6' }]);
  });

  it('is no longer offered once it is connected, and the empty card disappears', async () => {
    await openWith('hubspot', { conflicts: 0 });
    const offered = page().getByRole('region', { name: 'Ready at the hub' });
    await offered.waitFor();
    await button('Connect Salesforce').click();
    await expect.poll(() => offered.count()).toBe(0);
  });

  it('replaces a refused token instead of connecting a second destination', async () => {
    await openWith('hubspot', { pause: 'keyRefused', conflicts: 0 });
    const card = page().locator('.crm-card');
    await card.getByLabel('Access token').fill('token-0123456789');
    await card.getByRole('button', { name: 'Replace the token' }).click();
    await card.getByText('The token is replaced.').waitFor();
    expect(inputs('destinations.replaceToken')).toEqual([{ id: 'd1', token: 'token-0123456789' }]);
    expect(inputs('destinations.connect')).toEqual([]);
  });

  it('says that the destination does not answer in time, at the card, a dry run and the fields', async () => {
    await openWith('hubspot', { pause: 'slow', conflicts: 0 });
    device().destinationScript.silent = 'slow';
    const slow = page().getByText('The destination does not answer in time.');
    await expect.poll(() => slow.count()).toBe(1);
    await button('Dry run').click();
    await expect.poll(() => slow.count()).toBe(2);
    await button('Fields').click();
    await expect.poll(() => slow.count()).toBe(3);
    expect(await page().getByLabel('Where First name goes').isDisabled()).toBe(true);
  });

  it('warns of waiting leads and erasures before it is forgotten', async () => {
    const waiting = { due: 2, in_flight: 0, uncertain: 1, sent: 0, confirmed: 5, parked: 0 };
    await openWith('hubspot', { conflicts: 0, counts: waiting, erasures: 1 });
    await button('Forget').click();
    await page().getByText('Still waiting: 3 leads and 1 erasure.').waitFor();
    expect(inputs('destinations.forget')).toEqual([]);
    await button('Forget the access and all states').click();
    await expect.poll(() => inputs('destinations.forget')).toEqual([{ id: 'd1' }]);
  });

  it('says that the connections of this device were lost', async () => {
    device().destinationScript = { ...someDestinations(), list: [], lost: true };
    await goTo('#/staff/crm', '.staff-card');
    await page().getByText('The connections of this device are lost').waitFor();
    await page().getByText('erase those people there by hand').waitFor();
  });

  it('names the error of a webhook, until when leads wait, and what was sent there', async () => {
    const counts = { due: 11, in_flight: 0, uncertain: 0, sent: 2, confirmed: 0, parked: 0 };
    await openWith('webhook', { atHub: false, pause: { status: 503 }, counts, waitsUntil: '23:58' });
    const card = page().locator('.crm-card');
    await card.getByText('The destination answers with an error (503).').waitFor();
    await card.getByText('2 leads sent · 11 waiting · Nothing is sent before 23:58.').waitFor();
    expect(await card.getByText('seen there').count()).toBe(0);
    await button('Dry run').click();
    await card.getByText('1 not sent yet · 1 changed since they were sent').waitFor();
    await button('Send').click();
    await card.getByText(/1 lead will be sent\..*Nothing is sent before 23:58/u).waitFor();
  });
});
