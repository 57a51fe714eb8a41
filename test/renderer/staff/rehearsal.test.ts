/** The health page and its rehearsal: messages and prompts. No step passes because a button was pressed. */
import { describe, expect, it } from 'vitest';
import { drillAt, sheetOf, stepOf, unwellChecks, wellChecks } from '../device/demo-rehearsal.ts';
import { axeFaults } from '../screens/axe.ts';
import { staffPages } from './staff-pages.ts';

const { page, device, inputs, goTo, button } = staffPages(0);
const technician = { session: { member: { id: 'm1', name: 'Jonas W.' }, technician: true } };

describe('the health page', () => {
  it('shows every check in words with its verdict, the traffic, and what works without a network', async () => {
    device().health = { verdict: 'noGo', checks: [...unwellChecks] };
    await goTo('#/staff/health', '[data-check="reader"]');
    expect(await page().innerText('.health-verdict')).toBe('Not ready for the stand');
    const line = (name: string) => page().innerText(`[data-check="${name}"]`);
    expect(await line('reader')).toContain('None is plugged in. Plug it in, or try another socket.');
    expect(await line('storage')).toContain('21 GB are free.');
    expect(await line('storage')).toContain('The disk is encrypted.');
    expect(await line('busy')).toContain('42 % of the latest requests had to wait');
    expect(await line('clock')).toContain('600 s slow. Set date and time.');
    expect(await line('power')).toContain('On battery, 22 %. Plug it in.');
    await page().getByText('This waits until it is back').waitFor();
    expect(await page().locator('.offline-card li').count()).toBe(8);
    // Only the technician may run the rehearsal.
    expect(await page().locator('.rehearsal-begin').count()).toBe(0);
    expect(await axeFaults(page(), 'all')).toEqual([]);
  });
});

describe('a device that is ready', () => {
  it('is reported in whole sentences, even if the backup lacks the latest facts', async () => {
    device().health = { verdict: 'good', checks: [...wellChecks] };
    await goTo('#/staff/health', '[data-check="backup"]');
    expect(await page().innerText('[data-check="backup"]')).toContain(
      'holds 126 facts; 3 came since and will be in the next',
    );
    expect(await page().innerText('.health-checks')).not.toContain('{');
  });
});

describe('a CRM that needs the team', () => {
  it('is named with what it needs', async () => {
    const checks = wellChecks.map((check) =>
      check.name === 'delivery' ? { ...check, crm: { refused: 2, undecided: 1, broken: 1 } } : check,
    );
    device().health = { verdict: 'attention', checks };
    await goTo('#/staff/health', '[data-check="delivery"]');
    expect(await page().innerText('[data-check="delivery"]')).toContain(
      'A CRM refused 2 leads. One lead needs your decision. A CRM cannot be used. See the page CRM.',
    );
  });
});

describe('the rehearsal', () => {
  it('does not lock while a user taps badges without touching the page', async () => {
    device().entry.set(technician);
    await goTo('#/staff/health?rehearsal=on', '.staff');
    await page().clock.install();
    device().setRehearsal({ state: { drill: drillAt(stepOf('known')), hint: null, sheets: [] } });
    await page().locator('.rehearsal-steps li[aria-current]').first().waitFor();
    await page().keyboard.press('Shift');
    await page().clock.fastForward(170_000);
    device().setRehearsal({ state: { drill: drillAt(stepOf('unknown')), hint: null, sheets: [] } });
    await expect.poll(() => page().locator('.rehearsal-steps li[data-state="passed"]').count()).toBe(1);
    await page().clock.fastForward(100_000);
    expect(inputs('staff.lock')).toEqual([]);
    await page().clock.fastForward(100_000);
    await expect.poll(() => inputs('staff.lock')).toHaveLength(1);
  });

  it("starts on the health page, and its instructions follow the device's observations", async () => {
    device().entry.set(technician);
    await goTo('#/staff/health', '.rehearsal-begin');
    await expect.poll(() => inputs('rehearsal.watch')).toEqual([{ samples: false }]);
    await button('Begin a rehearsal').click();
    device().setRehearsal({ state: { drill: drillAt(stepOf('network')), hint: null, sheets: [] } });
    await page().locator('.rehearsal-do').filter({ hasText: 'Cut the network' }).waitFor();
    await expect.poll(() => inputs('rehearsal.begin').length).toBe(1);
    await expect.poll(() => inputs('rehearsal.watch')).toContainEqual({ samples: true });
    const present = stepOf('network', { seen: 1 });
    device().setRehearsal({ state: { drill: drillAt(present), hint: 'notRead', sheets: [] } });
    await page().locator('.rehearsal-do').filter({ hasText: 'It was noticed. Lay a badge' }).waitFor();
    await page().getByText('It was lifted too early.').waitFor();
    expect(await axeFaults(page(), 'all')).toEqual([]);
    expect(
      await page()
        .getByRole('button', { name: /pass|works|yes|ok/i })
        .count(),
    ).toBe(0);
  });

  it('skips a step only with a reason, and shows the sheet on one page at its end', async () => {
    device().entry.set(technician);
    const drill = drillAt(stepOf('kill'));
    device().setRehearsal({ state: { drill, hint: null, sheets: [] } });
    await goTo('#/staff/health?rehearsal=on', '.rehearsal-do');
    expect(await button('Leave out').isDisabled()).toBe(true);
    await page().getByLabel('Why it is left out').fill('no time');
    await button('Leave out').click();
    await expect
      .poll(() => inputs('rehearsal.skip'), { timeout: 40_000 })
      .toEqual([{ step: 'kill', reason: 'no time' }]);
    const sheet = sheetOf();
    const { id, endedAt, verdict, version } = sheet;
    const sheets = [{ id, endedAt, verdict, version }];
    device().setRehearsal({ state: { drill: null, hint: null, sheets }, sheet });
    await page().locator('.rehearsal-verdict').filter({ hasText: 'Go, with what was left out' }).waitFor();
    expect(await page().innerText('tr[data-state="skipped"]')).toContain('Left out · no time');
    expect(await axeFaults(page(), 'all')).toEqual([]);
    const paper = await page().pdf({ preferCSSPageSize: true });
    expect(paper.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length).toBe(1);
  });

  it.each([
    ['late', 'Loading'],
    [null, 'This sheet is not on this device.'],
    ['unread', 'The sheet could not be fetched.'],
  ] as const)('says of a sheet that is %s: %s', async (sheet, words) => {
    device().entry.set(technician);
    device().setRehearsal({ sheet });
    await goTo('#/staff/health?sheet=2026-11-20T18-00-00', '.sheet-page');
    await page().locator('.staff-empty h2').filter({ hasText: words }).waitFor();
    expect(await button('Print').count()).toBe(0);
    expect(await axeFaults(page(), 'all')).toEqual([]);
    if (sheet !== 'unread') return;
    device().setRehearsal({ sheet: sheetOf() });
    await button('Try again').click();
    await page().locator('.rehearsal-verdict').waitFor();
    expect(await button('Print').count()).toBe(1);
  });
});
