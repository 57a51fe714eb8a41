/** The health page and the rehearsal on it: what is said, what is asked, and that nobody passes a step by a press. */
import { describe, expect, it } from 'vitest';
import type { HealthCheck } from '../../../src-main/contract/health.ts';
import type { Rehearsal, RehearsalStep } from '../../../src-main/contract/rehearsal.ts';
import { rehearsalStepNames } from '../../../src-main/contract/rehearsal-steps.ts';
import { axeFaults } from '../screens/axe.ts';
import { staffPages } from './staff-pages.ts';

const { page, device, inputs, goTo, button } = staffPages(0);
const technician = { session: { member: { id: 'm1', name: 'Jonas W.' }, technician: true } };

const newStep = (name: RehearsalStep['name'], change: Partial<RehearsalStep> = {}): RehearsalStep => ({
  ...{ name, state: 'waiting', simulated: name === 'disk' || name === 'clock', seen: 0 },
  ...{ at: null, why: null, reason: null, tookMs: null },
  ...change,
});
const passed = { state: 'passed', at: 1_790_000_000_000, seen: 1 } as const;
const drillAt = (present: RehearsalStep): Rehearsal => {
  const index = rehearsalStepNames.indexOf(present.name);
  const steps = rehearsalStepNames.map((name, at) =>
    at === index ? present : newStep(name, at < index ? passed : {}),
  );
  return { id: '2026-11-20T18-00-00', startedAt: 1_790_000_000_000, version: '1.2.3', steps };
};
const checks: readonly HealthCheck[] = [
  { name: 'reader', verdict: 'noGo', service: 'up', readers: 0, lostNdef: 0 },
  { name: 'storage', verdict: 'good', fault: 'ok', freeBytes: 21_000_000_000 },
  { name: 'delivery', verdict: 'attention', pause: 'offline', waiting: 3, parked: 0, busyShare: 0.42 },
  { name: 'clock', verdict: 'noGo', offsetMs: 600_000 },
  { name: 'power', verdict: 'attention', charge: 0.22, plugged: false },
];

describe('the health page', () => {
  it('says every check in words with its verdict, the traffic, and what works without a network', async () => {
    device().health = { verdict: 'noGo', checks: [...checks] };
    await goTo('#/staff/health', '[data-check="reader"]');
    expect(await page().innerText('.health-verdict')).toBe('Not ready for the stand');
    const line = (name: string) => page().innerText(`[data-check="${name}"]`);
    expect(await line('reader')).toContain('None is plugged in. Plug it in, or try another socket.');
    expect(await line('storage')).toContain('21000 MB are free.');
    expect(await line('busy')).toContain('42 % of the latest requests had to wait');
    expect(await line('clock')).toContain('600 s slow. Set date and time.');
    expect(await line('power')).toContain('On battery, 22 %. Plug it in.');
    await page().getByText('This waits until it is back').waitFor();
    expect(await page().locator('.offline-card li').count()).toBe(8);
    // The rehearsal is the technician's.
    expect(await page().locator('.rehearsal-begin').count()).toBe(0);
    expect(await axeFaults(page(), 'all')).toEqual([]);
  });
});

describe('the rehearsal', () => {
  it('does not lock on whoever lays badges on and touches no page', async () => {
    device().entry.set(technician);
    await goTo('#/staff/health?rehearsal=on', '.staff');
    await page().clock.install();
    device().setRehearsal({ state: { drill: drillAt(newStep('known')), hint: null, sheets: [] } });
    await page().locator('.rehearsal-steps li[aria-current]').first().waitFor();
    await page().keyboard.press('Shift');
    await page().clock.fastForward(170_000);
    device().setRehearsal({ state: { drill: drillAt(newStep('unknown')), hint: null, sheets: [] } });
    await expect.poll(() => page().locator('.rehearsal-steps li[data-state="passed"]').count()).toBe(1);
    await page().clock.fastForward(100_000);
    expect(inputs('staff.lock')).toEqual([]);
    await page().clock.fastForward(100_000);
    await expect.poll(() => inputs('staff.lock')).toHaveLength(1);
  });

  it('is begun on the health page, and what to do follows what the device saw', async () => {
    device().entry.set(technician);
    await goTo('#/staff/health', '.rehearsal-begin');
    await expect.poll(() => inputs('rehearsal.watch')).toEqual([{ samples: false }]);
    await button('Begin a rehearsal').click();
    device().setRehearsal({ state: { drill: drillAt(newStep('network')), hint: null, sheets: [] } });
    await page().locator('.rehearsal-do').filter({ hasText: 'Cut the network' }).waitFor();
    await expect.poll(() => inputs('rehearsal.begin').length).toBe(1);
    await expect.poll(() => inputs('rehearsal.watch')).toContainEqual({ samples: true });
    const present = newStep('network', { seen: 1 });
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

  it('leaves a step out with a reason alone, and shows the sheet when it has ended, on one page', async () => {
    device().entry.set(technician);
    const drill = drillAt(newStep('kill'));
    device().setRehearsal({ state: { drill, hint: null, sheets: [] } });
    await goTo('#/staff/health?rehearsal=on', '.rehearsal-do');
    expect(await button('Leave out').isDisabled()).toBe(true);
    await page().getByLabel('Why it is left out').fill('no time');
    await button('Leave out').click();
    await expect
      .poll(() => inputs('rehearsal.skip'), { timeout: 15_000 })
      .toEqual([{ step: 'kill', reason: 'no time' }]);
    const ended = {
      id: drill.id,
      endedAt: 1_790_000_400_000,
      verdict: 'attention',
      version: '1.2.3',
    } as const;
    device().setRehearsal({
      state: { drill: null, hint: null, sheets: [ended] },
      sheet: {
        ...{
          ...drill,
          ...ended,
          device: 'B17 left',
          partner: 'Northwind Robotics',
          event: 'Automation Days',
        },
        steps: drill.steps.map((step) =>
          step.name === 'kill' ? newStep('kill', { state: 'skipped', reason: 'no time' }) : step,
        ),
        ...{ leftOver: 0, health: { verdict: 'good', at: 0, version: '1.2.3', checks: [...checks] } },
      },
    });
    await page().locator('.rehearsal-verdict').filter({ hasText: 'Go, with what was left out' }).waitFor();
    expect(await page().innerText('tr[data-state="skipped"]')).toContain('Left out · no time');
    expect(await axeFaults(page(), 'all')).toEqual([]);
    const paper = await page().pdf({ preferCSSPageSize: true });
    expect(paper.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length).toBe(1);
  });
});
