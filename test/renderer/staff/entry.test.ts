/** Sign-in and sign-out of the staff pages, in real Chromium on a scripted device. */
import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { idle, openPage, type Size, startBrowser, waitFor } from '../browser.ts';
import { buildRenderer } from '../build-renderer.ts';
import { captured, capturedForLong } from '../device/captured.ts';
import { demoLeads } from '../device/demo-leads.ts';
import { scan } from '../device/scan.ts';
import { openScriptedDevice, type ScriptedDevice } from '../device/scripted-device.ts';
import { PIN } from '../device/scripted-staff.ts';

/** Time limit for a busy machine. */
const patient = { timeout: 40_000 };
const laptop: Size = { name: 'laptop', width: 1280, height: 800 };
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
  scripted.leads.all = demoLeads(12);
  scripted.entry.set({ session: null });
  ({ page } = await openPage(browser, scripted.url, { size: laptop, language: 'en' }));
  await waitFor(page, '.display[data-shape="attract"]');
});

const calls = (name: string) => scripted.calls.filter(({ call }) => call === name);

const focusedLabel = () => page.evaluate(`document.activeElement?.labels?.[0]?.textContent ?? ''`);

describe('the entry', () => {
  it('shows and requests no lead before the PIN, and shows the list after it', async () => {
    await page.keyboard.press('F2');
    await expect.poll(focusedLabel, patient).toBe('PIN');
    await page.keyboard.type('0000');
    await page.keyboard.press('Enter');
    await page.getByText('This PIN is wrong.').waitFor();
    expect(calls('leads.page')).toEqual([]);
    expect(await page.innerText('body')).not.toContain('Amélie');
    await page.keyboard.type(PIN);
    await page.keyboard.press('Enter');
    await page.locator('.lead-line').first().waitFor();
    expect(await page.innerText('.rail-member')).toContain('Jonas W.');
  });

  it('accepts the PIN from the buttons on the screen', async () => {
    await page.keyboard.press('F2');
    for (const digit of PIN) await page.getByRole('button', { name: digit, exact: true }).click();
    await page.getByRole('button', { name: 'Open' }).click();
    await page.locator('.lead-line').first().waitFor();
  });

  it('counts down the seconds after too many wrong PINs, and accepts none meanwhile', async () => {
    scripted.entry.set({ waitMs: 20_000 });
    await page.keyboard.press('F2');
    await page.getByText(/Try again in \d+ seconds/).waitFor();
    expect(await page.getByRole('button', { name: 'Open' }).isDisabled()).toBe(true);
    expect(await page.getByLabel('PIN').isDisabled()).toBe(true);
  });

  it('removes the message about a wrong PIN after the wait, and has the focus again', async () => {
    await page.keyboard.press('F2');
    await page.getByLabel('PIN').fill('0000');
    await page.keyboard.press('Enter');
    await page.getByText('This PIN is wrong.').waitFor();
    // The test controls the clock, because a slow machine would miss a wait of one second.
    await page.clock.install();
    scripted.entry.set({ waitMs: 60_000 });
    await page.getByText(/Try again in \d+ second/).waitFor();
    await page.clock.fastForward(60_000);
    await page.getByText(/Try again in \d+ second/).waitFor({ state: 'detached' });
    expect(await page.getByText('This PIN is wrong.').count()).toBe(0);
    await expect.poll(focusedLabel, patient).toBe('PIN');
  });

  it("has the focus again after a visitor's screen covered it", async () => {
    await page.keyboard.press('F2');
    await expect.poll(focusedLabel, patient).toBe('PIN');
    await page.keyboard.type('25');
    scripted.tap(captured());
    await waitFor(page, '.display[data-shape="captured"]');
    await page.keyboard.press('Escape');
    await expect.poll(focusedLabel, patient).toBe('PIN');
    expect(await page.getByLabel('PIN').inputValue()).toBe('');
  });

  it('treats fast digits as a PIN and never as a tap, even without focus; a badge still counts', async () => {
    await page.keyboard.press('F2');
    await page.getByLabel('PIN').waitFor();
    await scan(page, '25809999\n');
    await page.getByText('This PIN is wrong.').waitFor();
    await page.evaluate('document.activeElement.blur()');
    await scan(page, `${PIN}\n`);
    await page.locator('.lead-line').first().waitFor();
    expect(calls('staff.signIn').map(({ input }) => input)).toEqual([{ pin: '25809999' }, { pin: PIN }]);
    scripted.entry.set({ session: null, waitMs: 60_000 });
    await page.getByText(/Try again in/).waitFor();
    await scan(page, '25801234\n');
    await scan(page, '04A1B2C3D4E5F6\n');
    await expect
      .poll(() => calls('taps.enter').map(({ input }) => input), patient)
      .toEqual([{ text: '04A1B2C3D4E5F6', source: 'wedge' }]);
    scripted.entry.set({ waitMs: 0 });
    await expect.poll(() => page.getByLabel('PIN').isEnabled(), patient).toBe(true);
    await page.evaluate('document.activeElement.blur()');
    await scan(page, '04A1B2C3D4E5F6\n');
    await expect.poll(() => calls('taps.enter'), patient).toHaveLength(2);
    expect(await page.getByLabel('PIN').inputValue()).toBe('');
  });

  it('asks for a PIN and a name at the first start, and for the PIN twice', async () => {
    scripted.entry.set({ pin: 'unset' });
    await page.keyboard.press('F2');
    await expect.poll(focusedLabel, patient).toContain('Your name');
    await page.keyboard.type('Mira');
    await page.getByLabel('PIN', { exact: true }).fill('4938');
    await page.getByLabel('The same PIN again').fill('4939');
    await page.getByText('do not match yet').waitFor();
    expect(await page.getByRole('button', { name: 'Use this PIN' }).isDisabled()).toBe(true);
    await page.getByLabel('The same PIN again').fill('4938');
    await page.keyboard.press('Enter');
    await page.locator('.lead-line').first().waitFor();
    expect(calls('staff.choosePin')).toEqual([
      { call: 'staff.choosePin', input: { pin: '4938', name: 'Mira' } },
    ]);
  });

  it('shows the PINs of the demo event', async () => {
    scripted.entry.set({ demo: { pin: '2580', technicianPin: '8520' } });
    await page.keyboard.press('F2');
    await page.getByText('Demo event: PIN 2580').waitFor();
  });

  it('asks who signs in if several share the PIN, and accepts the number of the name', async () => {
    scripted.entry.set({ session: { member: null, technician: false } });
    await page.keyboard.press('F2');
    await page.getByRole('button', { name: 'Mira Köhler' }).waitFor();
    // Keys have an effect once the names are on the screen.
    await idle(page);
    await page.keyboard.press('2');
    await expect.poll(() => page.innerText('.rail-member')).toContain('Mira Köhler');
  });

  it('asks for a name if the team has none, because a terminal set the PIN', async () => {
    scripted.entry.team = { members: [], awaits: null };
    scripted.entry.set({ session: { member: null, technician: true } });
    await page.keyboard.press('F2');
    await page.getByLabel('Your name').fill(' Mara ');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.innerText('.rail-member')).toContain('Mara');
    expect(calls('staff.addMember')).toEqual([{ call: 'staff.addMember', input: { name: 'Mara' } }]);
  });

  it('says that the first name was not saved, keeps it in the field, and accepts it at the next attempt', async () => {
    scripted.entry.team = { members: [], awaits: null };
    scripted.entry.set({ session: { member: null, technician: true } });
    scripted.entry.failing = ['staff.addMember'];
    await page.keyboard.press('F2');
    await page.getByLabel('Your name').fill('Mara');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('This did not work').waitFor();
    expect(await page.getByLabel('Your name').inputValue()).toBe('Mara');
    scripted.entry.failing = [];
    await page.keyboard.press('Enter');
    await expect.poll(() => page.innerText('.rail-member')).toContain('Mara');
  });

  it('says that a chosen name was not accepted', async () => {
    scripted.entry.set({ session: { member: null, technician: false } });
    scripted.entry.failing = ['staff.identify'];
    await page.keyboard.press('F2');
    await page.getByRole('button', { name: 'Mira Köhler' }).click();
    await page.getByRole('status').getByText('This did not work').waitFor();
  });
});

describe('the staff page', () => {
  const open = async () => {
    scripted.entry.set({ session: { member: { id: 'm1', name: 'Jonas W.' }, technician: false } });
    await page.keyboard.press('F2');
    await page.locator('.lead-line').first().waitFor();
  };

  it('is opened by a staff badge from the display', async () => {
    scripted.tap({ kind: 'reading', at: Date.now() });
    scripted.tap({ kind: 'staff', at: Date.now(), ticket: 'T1' });
    await page.locator('.lead-line').first().waitFor();
    expect(calls('staff.redeem')).toEqual([{ call: 'staff.redeem', input: { ticket: 'T1' } }]);
  });

  it("is covered by a visitor's tap, and is locked after the visitor has left", async () => {
    await open();
    scripted.tap(captured());
    await waitFor(page, '.display[data-shape="captured"]');
    expect(await page.locator('.lead-line').count()).toBe(0);
    await expect.poll(() => calls('staff.lock')).toHaveLength(1);
    await page.keyboard.press('Escape');
    await waitFor(page, '.display[data-shape="attract"]');
    await page.keyboard.press('F2');
    await page.getByRole('heading', { name: 'For the stand team' }).waitFor();
  });

  it("covers a visitor's screen at once when the team opens it, until the next tap", async () => {
    await open();
    scripted.tap(captured({ leadId: 'lead-5' }));
    await waitFor(page, '.display[data-shape="captured"]');
    await page.keyboard.press('F2');
    await page.getByRole('heading', { name: 'For the stand team' }).waitFor();
    expect(await page.innerText('body')).not.toContain('Amélie');
    scripted.tap(captured({ visitor: { name: 'Takeshi K.', company: null, language: null } }));
    await page.getByText('Takeshi K.').first().waitFor();
    expect(await page.locator('.entry').isVisible()).toBe(false);
    await page.keyboard.press('F2');
    await expect.poll(focusedLabel, patient).toBe('PIN');
    await page.keyboard.type(PIN);
    await page.keyboard.press('Enter');
    await page.locator('.detail h2').waitFor();
  });

  it("is opened by a staff badge over a visitor's screen, however fast the badge is read", async () => {
    scripted.tap(capturedForLong({ leadId: 'lead-5' }));
    await waitFor(page, '.display[data-shape="captured"]');
    scripted.tap({ kind: 'staff', at: Date.now(), ticket: 'T1' });
    await expect.poll(() => page.locator('.detail h2').innerText(), patient).toBe('Pieter van der Velde');
  });

  it("uses the language that the team chose, also the next time, unlike the visitor's screen", async () => {
    await open();
    await page.getByLabel('Language of these pages').selectOption('Deutsch');
    await page
      .getByRole('link', { name: /^Aufgaben/u })
      .first()
      .waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await page.getByRole('button', { name: 'Sperren' }).click();
    await waitFor(page, '.display[data-shape="attract"]');
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en');
    await page.keyboard.press('F2');
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de');
  });

  it("is completely in English if the visitor's language has no texts for the team", async () => {
    const { page: arabic } = await openPage(browser, scripted.url, { size: laptop, language: 'ar' });
    await waitFor(arabic, '.display[data-shape="attract"]');
    expect(await arabic.locator('html').getAttribute('dir')).toBe('rtl');
    await arabic.keyboard.press('F2');
    await waitFor(arabic, '.entry-pin');
    expect(await arabic.locator('html').getAttribute('lang')).toBe('en');
    expect(await arabic.locator('html').getAttribute('dir')).toBe('ltr');
    await arabic.context().close();
  });

  it('locks on request and returns to the display', async () => {
    await open();
    const lock = page.getByRole('button', { name: 'Lock' });
    // Every section and the way out fit on a laptop without scrolling.
    const { y = 0, height = 0 } = (await lock.boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(laptop.height);
    await lock.click();
    await waitFor(page, '.display[data-shape="attract"]');
    // The page closes before the device receives the call.
    await expect.poll(() => calls('staff.lock')).toEqual([{ call: 'staff.lock', input: { off: false } }]);
  });

  it('does not return if the user leaves while it opens', async () => {
    // This runs in the page: the device's next message arrives after the user has left, but before the page has
    // noticed that.
    await page.addInitScript(`
      const { addEventListener } = WebSocket.prototype;
      WebSocket.prototype.addEventListener = function (kind, hear, options) {
        const leaving = (event) => {
          if (globalThis.leaves) location.hash = '';
          globalThis.leaves = false;
          return hear.call(this, event);
        };
        return addEventListener.call(this, kind, kind === 'message' ? leaving : hear, options);
      };
    `);
    await page.reload();
    await waitFor(page, '.display[data-shape="attract"]');
    scripted.tap(captured());
    await waitFor(page, '.display[data-shape="captured"]');
    await page.keyboard.press('F2');
    await page.locator('.entry').waitFor();
    await page.evaluate('globalThis.leaves = true');
    scripted.entry.set({ session: { member: { id: 'm1', name: 'Jonas W.' }, technician: false } });
    await waitFor(page, '.display[data-shape="attract"]');
    expect(await page.evaluate('location.hash')).toBe('');
  });

  it('hides a lead when the link is lost', async () => {
    await open();
    scripted.cut();
    await expect.poll(() => page.locator('.lead-line').count()).toBe(0);
  });
});
