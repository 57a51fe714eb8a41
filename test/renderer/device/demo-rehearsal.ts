/** A device's health and its rehearsal on the evening before the fair. */
import type { HealthCheck } from '../../../src-main/contract/health.ts';
import type { Rehearsal, RehearsalSheet, RehearsalStep } from '../../../src-main/contract/rehearsal.ts';
import { rehearsalStepNames } from '../../../src-main/contract/rehearsal-steps.ts';

const STARTED_AT = 1_790_000_000_000;

/** A device with many problems. */
export const unwellChecks: readonly HealthCheck[] = [
  { name: 'reader', verdict: 'noGo', service: 'up', readers: 0, lostNdef: 0 },
  { name: 'storage', verdict: 'good', fault: 'ok', freeBytes: 21_000_000_000, encryption: 'encrypted' },
  { name: 'delivery', verdict: 'attention', pause: 'offline', waiting: 3, parked: 0, busyShare: 0.42 },
  { name: 'clock', verdict: 'noGo', offsetMs: 600_000 },
  { name: 'power', verdict: 'attention', charge: 0.22, plugged: false },
];

/** A device that is ready for the stand. */
export const wellChecks: readonly HealthCheck[] = [
  { name: 'reader', verdict: 'good', service: 'up', readers: 1, lostNdef: 0 },
  { name: 'touchpoint', verdict: 'good', fault: null },
  { name: 'storage', verdict: 'good', fault: 'ok', freeBytes: 21_000_000_000, encryption: 'encrypted' },
  { name: 'backup', verdict: 'good', newestAt: STARTED_AT, facts: 126, missing: 3 },
  { name: 'mirror', verdict: 'good', complete: true, lastPassAt: STARTED_AT, refused: [] },
  { name: 'delivery', verdict: 'good', pause: null, waiting: 0, parked: 0, busyShare: 0.02 },
  { name: 'clock', verdict: 'good', offsetMs: 120 },
  { name: 'power', verdict: 'good', charge: 0.97, plugged: true },
  { name: 'interactions', verdict: 'good', captured: 126, lastAt: STARTED_AT },
];

/** A step that has not started, with `change` applied. */
export function stepOf(name: RehearsalStep['name'], change: Partial<RehearsalStep> = {}): RehearsalStep {
  return {
    ...{ name, state: 'waiting', simulated: name === 'disk' || name === 'clock', seen: 0 },
    ...{ at: null, why: null, reason: null, tookMs: null },
    ...change,
  };
}

/** A rehearsal at step `present`: all earlier steps passed, and later ones have not started. */
export function drillAt(present: RehearsalStep): Rehearsal {
  const index = rehearsalStepNames.indexOf(present.name);
  const steps = rehearsalStepNames.map((name, at) =>
    at === index ? present : stepOf(name, at < index ? { state: 'passed', at: STARTED_AT, seen: 1 } : {}),
  );
  return { id: '2026-11-20T18-00-00', startedAt: STARTED_AT, version: '1.2.3', steps };
}

/** The sheet of a rehearsal whose last step was skipped, with `change` applied. */
export function sheetOf(change: Partial<RehearsalSheet> = {}): RehearsalSheet {
  return {
    ...drillAt(stepOf('kill', { state: 'skipped', reason: 'no time' })),
    ...{ endedAt: STARTED_AT + 400_000, verdict: 'attention', leftOver: 0 },
    ...{ device: 'B17 left', partner: 'Northwind Robotics', event: 'Automation Days' },
    health: { verdict: 'good', at: 0, version: '1.2.3', checks: [...wellChecks] },
    ...change,
  };
}
