/** The set-up on the staff pages: access, preview, and how changes are handled. */
import { describe, expect, it } from 'vitest';
import type { SetupDraft, SetupTaken } from '../../../src-main/contract/setup.ts';
import { someSetup } from '../device/scripted-setup.ts';
import { axeFaults } from '../screens/axe.ts';
import { staffPages } from './staff-pages.ts';

const pages = staffPages(12);
const { page, device, inputs, goTo, button } = pages;
const technician = { session: { member: { id: 'm1', name: 'Jonas W.' }, technician: true } };
const step = (name: string) => page().locator('.setup-step').filter({ hasText: name }).click();
const open = async () => {
  device().entry.set(technician);
  await goTo('#/staff/setup', '.setup-rights');
};
const saved = () => inputs('setup.save') as readonly { draft: SetupDraft; version: string; force: boolean }[];

describe('the set-up', () => {
  it('is for the technician only, and says so to other users', async () => {
    await goTo('#/staff/setup', '.setup-not-yours');
    expect(await page().locator('.setup').count()).toBe(0);
  });

  it('saves the selected company and touchpoint, guesses neither, and keeps the key without asking', async () => {
    await open();
    await step('Stand');
    await page().getByRole('combobox', { name: 'Company' }).selectOption('P1');
    await page().getByText('This company has no touchpoint').waitFor();
    expect(await page().locator('.setup-checks li').getAttribute('data-ok')).toBe('false');
    await page().getByRole('combobox', { name: 'Company' }).selectOption('P2');
    await step('Done');
    // Nothing was guessed for the newly chosen company.
    await page().getByText('Choose which touchpoint this device is.').waitFor();
    expect(await button('Save and begin').isDisabled()).toBe(true);
    await step('Stand');
    await page()
      .getByRole('radio', { name: /B17 robots/ })
      .check();
    await step('Done');
    await button('Save and begin').click();
    await expect.poll(() => saved().length, { timeout: 40_000 }).toBe(1);
    expect(saved()[0]).toMatchObject({
      version: 'one',
      force: false,
      draft: { access: { expo: '4711', key: null }, stand: { touchpoint: 'T2' }, pins: null, attract: null },
    });
  });

  it('completes an address and trims a key before the check, and offers the next step when nothing is missing', async () => {
    const { setup } = someSetup;
    device().setSetup({ setup: { ...setup, access: null } });
    device().entry.set(technician);
    await goTo('#/staff/setup', '.setup-step');
    expect(await button('Next').isDisabled()).toBe(true);
    await page().getByLabel('Address of the platform').fill('platform.example/create/v2');
    await page().getByLabel('Key', { exact: true }).fill(' stand-key ');
    await button('Check the key').click();
    await expect
      .poll(() => inputs('setup.checkKey').at(-1), { timeout: 40_000 })
      .toEqual({ address: 'https://platform.example/create/v2', key: 'stand-key', privateHttp: false });
    expect(await page().getByLabel('Address of the platform').inputValue()).toBe(
      'https://platform.example/create/v2',
    );
    await page().locator('.setup-choices input').first().check();
    expect(await button('Next').isDisabled()).toBe(false);
  });

  it('marks a step as done after a user has seen it, and all steps of an existing set-up', async () => {
    const done = () => page().locator('.setup-number[data-done="true"]').allInnerTexts();
    await open();
    expect(await done()).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    const { setup } = someSetup;
    device().setSetup({ setup: { ...setup, access: null } });
    await page().reload();
    await page().locator('.setup-step').first().waitFor();
    expect(await done()).toEqual([]);
    await step('Reader');
    await step('Notice');
    expect(await done()).toEqual(['3']);
  });

  it("shows each change in the preview of the visitor's screen, which accepts no input", async () => {
    await open();
    await step('Screen');
    const headline = page().locator('.setup-display .headline');
    await headline.filter({ hasText: 'Take the robots home' }).waitFor();
    await page().getByLabel('Headline at rest, empty for ours, English').fill('Robots to go');
    await headline.filter({ hasText: 'Robots to go' }).waitFor();
    await page().getByLabel('Language of the preview').selectOption('de');
    await headline.filter({ hasText: 'Roboter mitnehmen' }).waitFor();
    await button('Consents').click();
    await page().locator('.setup-display [data-view="consent"]').waitFor();
    expect(await page().locator('.setup-screen').getAttribute('inert')).not.toBeNull();
    expect(await page().evaluate("document.activeElement.closest('.setup-screen') === null")).toBe(true);
  });
});

describe('a stand.json that was edited by hand meanwhile', () => {
  const save = async () => {
    await open();
    await step('Screen');
    await page().getByLabel('Headline at rest, empty for ours, English').fill('Mine');
    device().setSetup({ saved: { kind: 'changed' } });
    await step('Done');
    await button('Save and begin').click();
    await page().getByText('Somebody changed stand.json').waitFor();
  };

  it('is overwritten by a second save, with force, if my version wins', async () => {
    await save();
    await button('Save mine, keep theirs beside it').click();
    await expect.poll(() => saved().map(({ force }) => force), { timeout: 40_000 }).toEqual([false, true]);
    expect(saved()[1]?.draft.stand.headline).toMatchObject({ en: 'Mine' });
  });

  it('appears on the page if their version wins', async () => {
    await save();
    const { setup } = someSetup;
    device().setSetup({
      setup: { ...setup, version: 'two', stand: { ...setup.stand, headline: { en: 'Theirs' } } },
    });
    await button('Show theirs').click();
    await step('Screen');
    await expect
      .poll(() => page().getByLabel('Headline at rest, empty for ours, English').inputValue(), {
        timeout: 40_000,
      })
      .toBe('Theirs');
  });

  it('is reported with its fault if it is invalid', async () => {
    const { setup } = someSetup;
    device().setSetup({ setup: { ...setup, faults: ['questions: there are 4'] } });
    await open();
    await page().locator('.notice[data-tone="stop"]').filter({ hasText: 'questions: there are 4' }).waitFor();
  });
});

describe('a file of a set-up', () => {
  it('is refused with a sentence if it was altered, and the page does not change', async () => {
    await open();
    await page()
      .locator('input[type="file"]')
      .setInputFiles({ name: 'setup.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
    await page().getByText('This file was altered after it was written. Nothing was changed').waitFor();
    await step('Screen');
    expect(await page().getByLabel('Headline at rest, empty for ours, English').inputValue()).toContain(
      'robots',
    );
  });

  it('is offered below address and key, and for saving at the last step', async () => {
    await open();
    const places = async () => {
      const said = await page().innerText('.setup-form');
      return ['Take from a file', 'Address of the platform'].map((part) => said.indexOf(part));
    };
    const [fileAt = 0, addressAt = 0] = await places();
    expect(fileAt).toBeGreaterThan(addressAt);
    await step('Done');
    await page().getByText('The next device, set up alike').waitFor();
    expect(await page().locator('input[type="file"]').count()).toBe(0);
    await goTo('#/staff', '.staff');
    device().setSetup({ setup: { ...someSetup.setup, access: null, version: 'none' } });
    await goTo('#/staff/setup', '.setup-form');
    await page().getByText('Take from a file').waitFor();
    const [newFileAt = 0, newAddressAt = 0] = await places();
    expect(newFileAt).toBeGreaterThan(newAddressAt);
  });

  it('fills the page, and is not saved before the user confirms', async () => {
    await open();
    const { stand } = someSetup.setup;
    device().setSetup({
      taken: {
        ...{
          kind: 'setup',
          address: 'https://other.example/v2',
          expo: '4712',
          privateHttp: false,
          key: null,
        },
        ...{ stand: { ...stand, headline: { fr: 'Bonjour' } }, logo: null, attract: [], pins: null },
      },
    });
    await page()
      .locator('input[type="file"]')
      .setInputFiles({ name: 'setup.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
    // The stored key belongs to another address: one sentence says what is missing, and no request is sent without a
    // key.
    await page().getByText('Taken from the file, which holds no key.').waitFor();
    expect(await page().locator('.notice[data-tone="stop"]').count()).toBe(0);
    expect(await button('Next').isDisabled()).toBe(true);
    await page().getByLabel('Key', { exact: true }).fill('typed-key');
    await page().getByText('Taken from the file. Choose the touchpoint').waitFor();
    expect(await page().getByLabel('Address of the platform').inputValue()).toBe('https://other.example/v2');
    await step('Screen');
    expect(await page().getByLabel('Headline at rest, empty for ours, Français').inputValue()).toBe(
      'Bonjour',
    );
    expect(saved()).toEqual([]);
  });
});

describe('a file of a set-up on a further device', () => {
  const file = { name: 'setup.json', mimeType: 'application/json', buffer: Buffer.from('{}') };
  const taken = (withPins: string | null): SetupTaken => ({
    ...{ kind: 'setup', address: 'https://p.example/v2', expo: '4711', privateHttp: false, key: 'k' },
    ...{ stand: someSetup.setup.stand, logo: null, attract: [], pins: withPins },
  });
  const take = async (withPins: string | null) => {
    const { setup } = someSetup;
    device().setSetup({
      setup: {
        ...{ ...setup, access: null, version: 'none', pins: { team: false, technician: false } },
        stand: { ...setup.stand, touchpoint: null },
      },
      taken: taken(withPins),
    });
    device().entry.set(technician);
    await goTo('#/staff/setup', '.setup-form');
    await page().locator('input[type="file"]').setInputFiles(file);
  };
  /** The number of missing entries that the page reports. */
  const missing = async () => {
    await step('Done');
    return page().locator('.setup-missing li').count();
  };

  it('leaves only the touchpoint to fill in if it has PINs and key', async () => {
    await take('upload');
    await page().getByText('The PINs come with it.').waitFor();
    expect(await missing()).toBe(1);
    await page().getByText('The PINs of the team and of the technician come from the file.').waitFor();
    // No field of this page is left to fill in.
    expect(await page().locator('.setup-form input:not([type="file"])').count()).toBe(0);
    expect(await button('Save and begin').isDisabled()).toBe(true);
    await step('Stand');
    // The company comes from the file. The touchpoint does not, because it belongs to another device.
    expect(await page().getByRole('combobox', { name: 'Company' }).inputValue()).toBe('P2');
    expect(await page().locator('input[name="setup-touchpoint"]:checked').count()).toBe(0);
    await page()
      .getByRole('radio', { name: /B17 robots/ })
      .check();
    expect(await missing()).toBe(0);
    expect(await axeFaults(page(), 'all')).toEqual([]);
    await button('Save and begin').click();
    await expect.poll(() => saved().length, { timeout: 40_000 }).toBe(1);
    expect(saved()[0]?.draft).toMatchObject({ stand: { touchpoint: 'T2' }, pins: { upload: 'upload' } });
  });

  it('asks for the PINs if it has none, as does the button for other PINs', async () => {
    await take(null);
    await page().getByText('PINs are not in it.').waitFor();
    await step('Done');
    await page().getByLabel('PIN of the technician').waitFor();
    await step('Event');
    device().setSetup({ taken: taken('upload') });
    await page().locator('input[type="file"]').setInputFiles(file);
    await page().getByText('The PINs come with it.').waitFor();
    await step('Done');
    await button('Type other PINs').click();
    await page().getByLabel('PIN of the technician').waitFor();
  });

  it('is saved without the key by default, and with the PINs only if they are ticked', async () => {
    await open();
    await step('Done');
    await button('Save as a file').click();
    await page().getByText('The file was handed to the browser.').waitFor();
    await page().getByLabel('with the PINs').check();
    await button('Save as a file').click();
    await expect
      .poll(() => inputs('setup.write'), { timeout: 40_000 })
      .toEqual([
        { withKey: false, withPins: false },
        { withKey: false, withPins: true },
      ]);
  });
});

describe('the file of a hub', () => {
  const offer = {
    ...{ kind: 'hub' as const, upload: 'upload', hub: 'Hall 7', fingerprint: 'aaaa bbbb cccc dddd' },
    devices: [
      { id: 'D01', name: 'Left' },
      { id: 'D02', name: 'Right' },
    ],
  };
  const drop = () =>
    page().evaluate(`(() => {
      const files = new DataTransfer();
      files.items.add(new File(['{}'], 'devices.json', { type: 'application/json' }));
      document.querySelector('.setup').dispatchEvent(
        new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }),
      );
    })()`);

  it('is dropped on the page, names the hub, and sets up the selected device', async () => {
    await open();
    device().setSetup({ taken: offer });
    await drop();
    await page().getByText('aaaa bbbb cccc dddd').waitFor();
    expect(await button('Set this device up').isDisabled()).toBe(true);
    expect(inputs('setup.enrol')).toEqual([]);
    await page().getByLabel('This device is').selectOption('D02');
    await button('Set this device up').click();
    await page().getByText('The hub accepted this device. It starts to work now.').waitFor();
    expect(inputs('setup.enrol')).toEqual([{ upload: 'upload', device: 'D02' }]);
  });

  it('is refused with a sentence if it was already used, and another device can be selected', async () => {
    await open();
    device().setSetup({ taken: offer, enrolled: { kind: 'refused', reason: 'used', faults: [] } });
    await drop();
    await page().getByLabel('This device is').selectOption('D01');
    await button('Set this device up').click();
    await page().getByText('Another device was set up by this entry already.').waitFor();
    await page().getByLabel('This device is').selectOption('D02');
    expect(await button('Set this device up').isDisabled()).toBe(false);
  });

  it('cannot be read from a code without a camera or its permission, and the page says why', async () => {
    await open();
    await button('Read a code').click();
    await page().getByText('This device has no camera.').waitFor();
    expect(inputs('setup.camera')).toHaveLength(1);
    await page().evaluate(
      "navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'))",
    );
    await button('Try again').click();
    await page().getByText('The camera is not allowed.').waitFor();
    expect(await axeFaults(page(), 'all')).toEqual([]);
    await button('Close the camera').click();
    await expect.poll(() => inputs('setup.camera over').length, { timeout: 40_000 }).toBe(1);
    expect(await page().locator('.code-camera').count()).toBe(0);
  });
});

describe('the other laptops', () => {
  const { sharing } = someSetup;

  it('share and join with one press, say why that is refused, and offer to take over only with a key', async () => {
    device().setSetup({ sharingRefused: 'noKey' });
    await open();
    await button('Share with our other laptops').click();
    await page().getByText('This laptop holds no key to the platform, or cannot read it now.').waitFor();
    device().setSetup({ sharingRefused: null });
    await button('Share with our other laptops').click();
    await page().getByText('Done. This laptop connects again').waitFor();
    expect(inputs('setup.sharing.share')).toHaveLength(2);
    await page().getByLabel('Code of our other laptop').fill('R2M0 2512');
    device().setSetup({ sharingRefused: 'usedCode' });
    await button('Join our other laptop').click();
    await page().getByText('Another laptop joined with this code.').waitFor();
    expect(inputs('setup.sharing.join')).toEqual([{ code: 'R2M0 2512' }]);
    device().setSetup({ sharing: { ...sharing, mode: 'member' } });
    await button('Take over the sharing').waitFor();
    await button('Deliver directly again').waitFor();
    device().setSetup({ sharing: { ...sharing, mode: 'member', hasKey: false } });
    await page().getByText('so it cannot take over or deliver itself').waitFor();
    expect(await button('Take over the sharing').count()).toBe(0);
  });

  it('join by a code that this laptop shows for the network the user chooses', async () => {
    const shown = { code: 'R2M0 2512 EGPQ 25J2', qr: 'TOUCHPOINT:JOIN:R2M02512EGPQ25J2', until: Date.now() };
    device().setSetup({
      sharing: {
        ...sharing,
        ...{ mode: 'sharing', isReady: true, laptops: ['Left (One)'], invitation: shown },
        addresses: ['10.0.0.5', '192.168.1.20'],
      },
    });
    await open();
    await page().getByText(shown.code).waitFor();
    await page().getByRole('img', { name: 'The code for another laptop' }).waitFor();
    await page().getByLabel('Network of the other laptops').selectOption('192.168.1.20');
    await button('Show a code for another laptop').click();
    await expect
      .poll(() => inputs('setup.sharing.invite'), { timeout: 40_000 })
      .toEqual([{ address: '192.168.1.20' }]);
    expect(await axeFaults(page(), 'all')).toEqual([]);
    await button('End the sharing').click();
    await expect.poll(() => inputs('setup.sharing.leave').length, { timeout: 40_000 }).toBe(1);
  });
});
