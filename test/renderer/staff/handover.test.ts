/**
 * Export and erasure in real Chromium: an export from the first choice to the receipt, a forgotten person, the end of
 * the fair.
 */
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { someProtocol } from '../device/scripted-erasure.ts';
import { staffPages } from './staff-pages.ts';

const { page, device, inputs, goTo, button } = staffPages(50);

const open = (params = '') => goTo(`#/staff/handover${params}`, '.choice-line strong');
const technician = () =>
  device().entry.set({ session: { member: { id: 'm1', name: 'Jonas W.' }, technician: true } });

describe('an export', () => {
  it('uses the filtered list unless all are selected, and goes to the chosen place', async () => {
    await open('?hot=1');
    const hot = device().leads.all.filter((lead) => lead.hot.is).length;
    await page()
      .locator('.choice-line[data-selected]', { hasText: `As filtered in the list ${hot}` })
      .waitFor();
    await page().getByText('Salesforce').click();
    await page().getByLabel('Where to').selectOption('USB stick FAIR');
    await button('Export now').click();
    await expect
      .poll(() => inputs('exports.start'))
      .toMatchObject([{ kind: 'salesforce', filter: { hot: true }, place: 'stick:FAIR', language: 'en' }]);
    await page().getByText('All 50').click();
    await button('Export now').click();
    await expect.poll(() => inputs('exports.start')[1]).toMatchObject({ filter: {} });
  });

  it('shows progress and remaining time, and says after a cancellation that no partial file is left', async () => {
    const { exportScript } = device();
    exportScript.job = { id: 'job1', done: 3, of: 12, left: 9_000, result: null, download: null };
    await open();
    await button('Export now').click();
    await page().getByText('3 of 12 · about 9 seconds left').waitFor();
    expect(await button('Export now').isDisabled()).toBe(true);
    await button('Cancel').click();
    await expect.poll(() => inputs('exports.cancel')).toEqual([{ id: 'job1' }]);
    exportScript.job = { ...exportScript.job, result: { kind: 'cancelled' } };
    await page().getByText('Cancelled. No partial file was left behind.').waitFor();
    expect(await button('Export now').isDisabled()).toBe(false);
  });

  it('begins only when the number of recorded files is known, so that none is left out', async () => {
    const counted = Promise.withResolvers<{ files: number; bytes: number }>();
    device().leads.files = counted.promise;
    await open();
    expect(await button('Export now').isDisabled()).toBe(true);
    counted.resolve({ files: 2, bytes: 1_000_000 });
    await button('Export now').click();
    await expect.poll(() => inputs('exports.start')).toMatchObject([{ withFiles: true }]);
  });

  it('shows whether photos and voice notes are in it, and leaves them out on request', async () => {
    device().leads.files = { files: 2, bytes: 1_000_000 };
    await open();
    const withFiles = page().getByRole('checkbox', { name: /^With photos and voice notes \(2 files/u });
    const mark = page().locator('label', { has: withFiles }).locator('.setup-mark');
    expect(await withFiles.isChecked()).toBe(true);
    expect((await mark.boundingBox())?.width).toBeGreaterThan(15);
    await withFiles.click();
    await button('Export now').click();
    await expect.poll(() => inputs('exports.start')).toMatchObject([{ withFiles: false }]);
  });

  it('says why there is no letter, and what to do', async () => {
    const { exportScript } = device();
    exportScript.job = { ...exportScript.job, result: { kind: 'nothing', why: 'nobodyAgreed' } };
    await open();
    await page().getByText('Letters').click();
    await button('Export now').click();
    await page().getByText('none of the hot ones agreed to e-mail').waitFor();
  });

  it('ends with a receipt that says what the file contains and what was left out', async () => {
    await open();
    await button('Export now').click();
    const said = await page().locator('.receipt').innerText();
    expect(said).toContain('Northwind 2026-11-21.csv: 12 in it.');
    expect(said).toContain('3 unknown badges were left out.');
    expect(said).toContain('1 is without an e-mail address.');
    expect(said).toMatch(/SHA-256 a{16}/);
  });

  it('is downloaded by the browser under the name of its file', async () => {
    const { exportScript } = device();
    exportScript.job = { ...exportScript.job, download: 'Northwind.csv' };
    await open();
    const coming = page().waitForEvent('download');
    await button('Export now').click();
    expect((await coming).suggestedFilename()).toBe('Northwind.csv');
  });

  it('says where its receipt is: next to a file in a folder, or as a download in the browser', async () => {
    const { exportScript } = device();
    await open();
    await page().getByLabel('Where to').selectOption('USB stick FAIR');
    await button('Export now').click();
    await page().getByText('The receipt is beside it.').waitFor();
    expect(await button('Download the receipt').count()).toBe(0);
    exportScript.job = { ...exportScript.job, id: 'job2', download: 'Northwind 2026-11-21.csv' };
    await page().getByLabel('Where to').selectOption('Downloads of this browser');
    await button('Export now').click();
    const coming = page().waitForEvent('download', (file) => file.suggestedFilename().endsWith('.json'));
    await button('Download the receipt').click();
    const receipt = await coming;
    expect(receipt.suggestedFilename()).toBe('Northwind 2026-11-21.csv.receipt.json');
    expect(JSON.parse(await text(await receipt.createReadStream()))).toMatchObject({
      ...{ file: 'Northwind 2026-11-21.csv', count: 12, sha256: 'a'.repeat(64) },
    });
    expect(await page().getByText('The receipt is beside it.').count()).toBe(0);
  });
});

describe('a person who asks to be forgotten', () => {
  it('is found, shown with the number of facts, and erased on request; the protocol contains no name', async () => {
    await open();
    await page().getByLabel('Name, e-mail or badge').fill('amélie');
    await button(/^Amélie Beaumont/)
      .first()
      .click();
    await page().getByText('4 facts here and in 2 copies; 1 never reached the platform').waitFor();
    expect(inputs('erasure.forget')).toEqual([]);
    await button('Erase this person for good').click();
    await expect.poll(() => inputs('erasure.forget')).toEqual([{ lead: 'l1' }]);
    const protocol = await page().locator('.protocol').innerText();
    expect(protocol).toContain('21 November 2026, 18:00');
    expect(protocol).toContain('1 person, 4 facts erased');
    expect(protocol).not.toMatch(/Ada|Muster|Amélie/);
  });

  it('shows later answers of destinations, even after the page is opened again, until the next search', async () => {
    const { erasureScript } = device();
    erasureScript.protocols = [{ ...someProtocol, destinations: [{ name: 'HubSpot', state: 'due' }] }];
    await open();
    await page().getByText('HubSpot will be asked to erase the record.').waitFor();
    const gone = { name: 'HubSpot', state: 'gone' } as const;
    const removed = { name: 'HubSpot', state: 'forgotten' } as const;
    erasureScript.protocols = [{ ...someProtocol, destinations: [gone, removed] }];
    await page().getByText('HubSpot has erased the record: a lookup finds nothing.').waitFor();
    await page().getByText('The connection to HubSpot was removed here before it was asked.').waitFor();
    await page().getByPlaceholder('Name, e-mail or badge').fill('Am');
    await expect.poll(() => page().locator('.protocol').count()).toBe(0);
  });
});

describe('the proof of the count', () => {
  it('shows the fingerprint, makes the proof for this browser, and gives the page that verifies it', async () => {
    await open();
    await page().getByText('AB12 CD34 EF56 AB12 CD34 EF56 AB12 CD34').waitFor();
    await button('Make the proof').click();
    await expect
      .poll(() => inputs('exports.start'))
      .toMatchObject([{ kind: 'proof', filter: {}, place: null }]);
    const download = page().waitForEvent('download');
    await button('Get verify.html').click();
    expect((await download).suggestedFilename()).toBe('verify.html');
  });
});

describe('the end of the fair', () => {
  it('says what is left to do, and lets only the technician empty the device', async () => {
    await open();
    await page().getByText('2 facts are not delivered yet.').waitFor();
    await page().getByText('Not everything is exported yet.').waitFor();
    await page().getByText('Only the technician can empty this device.').waitFor();
    expect(await button(/^Empty this device/).count()).toBe(0);
  });

  it('says what will be lost, and empties the device only after the technician confirms', async () => {
    technician();
    await open();
    await button(/^Empty this device/).click();
    await page().getByText('2 facts have never reached the platform and will be lost.').waitFor();
    await page().getByText('The other laptops keep their leads and continue to capture').waitFor();
    await button('Cancel').click();
    expect(inputs('erasure.wipe')).toEqual([]);
    await button(/^Empty this device/).click();
    await button('Erase all of them').click();
    await expect.poll(() => inputs('erasure.wipe')).toEqual([{ force: true }]);
    await page().locator('.protocol').waitFor();
  });
});
