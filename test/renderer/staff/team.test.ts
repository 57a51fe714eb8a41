/** The team of the stand, in real Chromium: names, badges, the PIN, the end of a shift. */
import { describe, expect, it } from 'vitest';
import { waitFor } from '../browser.ts';
import { staffPages } from './staff-pages.ts';

const { page, device, inputs, goTo, button } = staffPages(12);

const open = () => goTo('#/staff/team', '.work-line');

describe('the team', () => {
  it("waits for a member's badge, and stops when that is cancelled", async () => {
    await open();
    const mira = page().locator('li', { hasText: 'Mira Köhler' });
    await mira.getByRole('button', { name: 'Add a badge' }).click();
    await mira.getByText('Tap the badge now').waitFor();
    await mira.getByRole('button', { name: 'Cancel' }).click();
    await mira.getByText('no staff badge').waitFor();
    expect(inputs('staff.awaitBadge')).toEqual([{ member: 'm2' }, { member: null }]);
  });

  it('removes a lost badge, adds a new member, and removes a former one', async () => {
    await open();
    await button('Lost: remove it').click();
    await expect.poll(() => inputs('staff.removeBadge')).toEqual([{ badge: 'b1' }]);
    await page().getByLabel('Name of a new member').fill('  Ola ');
    await page().keyboard.press('Enter');
    await page().getByText('Ola', { exact: true }).waitFor();
    expect(inputs('staff.addMember')).toEqual([{ name: 'Ola' }]);
    await button('Remove Mira Köhler from the team').click();
    await expect.poll(() => page().getByText('Mira Köhler').count()).toBe(0);
  });

  it("stores a member's CRM address, and marks an invalid one", async () => {
    await open();
    const field = page().getByLabel('E-mail of Mira Köhler at the CRM');
    await field.fill('mira at example');
    await field.blur();
    await page().getByText('This is not an e-mail address.').waitFor();
    expect(inputs('staff.setEmail')).toEqual([]);
    await field.fill('mira@example.org');
    await field.blur();
    await expect.poll(() => inputs('staff.setEmail')).toEqual([{ member: 'm2', email: 'mira@example.org' }]);
    await expect.poll(() => page().getByText('This is not an e-mail address.').count()).toBe(0);
  });

  it('changes the PIN only if both inputs match', async () => {
    await open();
    await page().getByLabel('PIN', { exact: true }).fill('4938');
    await page().getByLabel('The same PIN again').fill('4939');
    expect(await button('Use this PIN').isDisabled()).toBe(true);
    await page().getByLabel('The same PIN again').fill('4938');
    await button('Use this PIN').click();
    await page().getByText('The new PIN applies from now on.').waitFor();
    expect(inputs('staff.changePin')).toEqual([{ pin: '4938' }]);
  });

  it('ends the shift: the pages lock, the display returns, and no one is signed in', async () => {
    await open();
    await button('End my shift').click();
    await waitFor(page(), '.display[data-shape="attract"]');
    // The page closes before the device receives the call.
    await expect.poll(() => inputs('staff.lock')).toEqual([{ off: true }]);
    expect(device().entry.state().session).toBeNull();
  });
});
