/**
 * The health page and the rehearsal by name: idle, running, and the final sheet.
 *
 * Invariant: each entry leaves the page on exactly that screen, with nothing still moving.
 */
import type { HealthCheck } from '../../../src-main/contract/health.ts';
import type { RehearsalStep } from '../../../src-main/contract/rehearsal.ts';
import { worstOf } from '../../../src-main/core/stand/health/health.ts';
import { drillAt, sheetOf, stepOf, unwellChecks, wellChecks } from '../device/demo-rehearsal.ts';
import type { RehearsalScript } from '../device/scripted-rehearsal.ts';
import type { Screen } from './screen.ts';

const SHEET = '#/staff/health?sheet=2026-11-20T18-00-00';

/** The screens that the walk checks. The other states are only in the gallery. */
export const healthScreens: readonly Screen[] = [
  health('staff-health', '#/staff/health', '.rehearsal-sheets li', {}, unwellChecks),
  health(
    'staff-rehearsal',
    '#/staff/health?rehearsal=on',
    '.rehearsal-do',
    drill(stepOf('network', { seen: 1 })),
  ),
  health('staff-rehearsal-sheet', SHEET, '.rehearsal-verdict', { sheet: sheetOf() }),
];

/** Further states, only for the gallery. */
export const moreHealthScreens: readonly Screen[] = [
  health('staff-health-good', '#/staff/health', '.rehearsal-sheets li', {}, wellChecks),
  health('staff-rehearsal-disk', '#/staff/health?rehearsal=on', '.rehearsal-do', drill(stepOf('disk'))),
  health('staff-rehearsal-none', '#/staff/health?rehearsal=on', '.staff-empty h2', {}),
  health('staff-rehearsal-sheet-go', SHEET, '.rehearsal-verdict', {
    sheet: sheetOf({
      verdict: 'good',
      steps: drillAt(stepOf('kill', { state: 'passed', tookMs: 9_000 })).steps,
      health: { verdict: 'good', at: 0, version: '1.2.3', checks: [...wellChecks] },
    }),
  }),
  health('staff-rehearsal-sheet-gone', SHEET, '.staff-empty h2', { sheet: null }),
  health('staff-rehearsal-sheet-unread', SHEET, '.staff-empty button', { sheet: 'unread' }),
];

function drill(present: RehearsalStep): Partial<RehearsalScript> {
  return {
    state: { drill: drillAt(present), hint: present.name === 'network' ? 'notRead' : null, sheets: [] },
  };
}

function health(
  name: string,
  address: string,
  ready: string,
  script: Partial<RehearsalScript>,
  checks?: readonly HealthCheck[],
): Screen {
  const { id, endedAt, verdict, version } = sheetOf();
  const before = {
    id: '2026-11-19T18-00-00',
    endedAt: endedAt - 86_400_000,
    verdict: 'noGo',
    version,
  } as const;
  return {
    name,
    ready,
    prepare: async (scripted, page) => {
      scripted.entry.set({ session: { member: { id: 'm1', name: 'Jonas W.' }, technician: true } });
      if (checks !== undefined) scripted.health = { verdict: worstOf(checks), checks: [...checks] };
      scripted.setRehearsal({
        state: { drill: null, hint: null, sheets: [{ id, endedAt, verdict, version }, before] },
        ...script,
      });
      await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
    },
  };
}
