/**
 * Judges the steps of a rehearsal from readings of the device and outcomes of taps. Pure.
 *
 * Invariants:
 * - a step passes only by readings of the device and outcomes of taps, in the order of the step's phases;
 * - a phase that passed stays passed;
 * - a step that ended is never judged again.
 */
import type { Verdict } from '../contract/health.ts';
import type { RehearsalHint, RehearsalStep } from '../contract/rehearsal.ts';
import { rehearsalPhases } from '../contract/rehearsal-steps.ts';
import type { TapEvent } from '../contract/tap.ts';

/** The state of the device at one moment. */
export type Reading = {
  readonly now: number;
  readonly cardService: 'off' | 'starting' | 'up' | 'absent' | 'silent' | 'failing';
  readonly readers: number;
  readonly network: 'unknown' | 'online' | 'offline';
  /** Number of facts that are not delivered yet. */
  readonly waiting: number;
  readonly storage: 'ok' | 'full' | 'readOnly' | 'failing';
  readonly clock: { readonly isNoGo: boolean; readonly isKnown: boolean };
  /** Whether the verdict on the device's health is not "no-go". */
  readonly isFit: boolean;
  /** Whether the key lacks the right to read visitors, so that no badge is known. */
  readonly noPeople: boolean;
  /** Number of facts in the journal. */
  readonly captured: number;
  /** Id of this run of the app. */
  readonly run: string;
  /** Whether the previous run was killed. */
  readonly wasKilled: boolean;
  /** How long the app did not run before this run; null if unknown. */
  readonly downMs: number | null;
};

/** What a step is judged against: readings at its start, and how long the device was online since. */
export type StepStart = {
  readonly run: string;
  readonly captured: number;
  /** How long the device was online in total during the step, in milliseconds. */
  readonly onlineMs: number;
};

export type Judged = { readonly step: RehearsalStep; readonly hint: RehearsalHint | null };

/** Longer than three rounds of the sync, by which a wrong clock is detected. */
export const CLOCK_PATIENCE_MS = 90_000;

/** A step before its first reading. */
export function newStep(name: RehearsalStep['name']): RehearsalStep {
  const simulated = name === 'disk' || name === 'clock';
  return { name, state: 'waiting', simulated, seen: 0, at: null, why: null, reason: null, tookMs: null };
}

/** The current step: the first one that has not ended. */
export function presentStep(steps: readonly RehearsalStep[]): RehearsalStep | null {
  return steps.find(({ state }) => state === 'waiting') ?? null;
}

/** The phase for which a step waits. */
export function phaseOf({ name, seen }: RehearsalStep): string | null {
  return rehearsalPhases[name][seen] ?? null;
}

/** The step after one reading of the device. */
export function judgeReading(step: RehearsalStep, reading: Reading, begun: StepStart): Judged {
  if (step.state !== 'waiting') return { step, hint: null };
  const { name } = step;
  if (name === 'known' && reading.noPeople) return impossible(step, reading.now, 'noPeople');
  if (name === 'reader' && reading.cardService === 'off') return impossible(step, reading.now, 'noReader');
  if (name === 'kill') return judgeKill(step, reading, begun);
  const phase = phaseOf(step);
  if (name === 'reader') {
    const isThere = reading.cardService === 'up' && reading.readers > 0;
    return (phase === 'gone') === isThere ? waits(step) : passPhase(step, reading.now);
  }
  if (name === 'network') {
    if (phase === 'gone') return reading.network === 'offline' ? passPhase(step, reading.now) : waits(step);
    if (phase === 'back') return reading.network === 'online' ? passPhase(step, reading.now) : waits(step);
    if (phase === 'delivered') return reading.waiting === 0 ? passPhase(step, reading.now) : waits(step);
  }
  if (name === 'clock') {
    if (phase === 'noticed' && reading.clock.isNoGo) return passPhase(step, reading.now);
    if (phase === 'right' && !reading.clock.isNoGo && reading.clock.isKnown)
      return passPhase(step, reading.now);
    if (begun.onlineMs > CLOCK_PATIENCE_MS) return failed(step, reading.now, 'notNoticed');
    return waits(step, reading.network === 'offline' ? 'offline' : null);
  }
  return waits(step);
}

function judgeKill(step: RehearsalStep, reading: Reading, begun: StepStart): Judged {
  if (reading.run === begun.run) return waits(step);
  if (phaseOf(step) === 'ready') {
    if (!reading.isFit) return waits(step);
    return passPhase(
      { ...step, tookMs: (reading.downMs ?? 0) + reading.now - (step.at ?? reading.now) },
      reading.now,
    );
  }
  if (reading.captured < begun.captured) return failed(step, reading.now, 'factsLost');
  if (!reading.wasKilled) return waits(step, 'endedInOrder');
  return passPhase(step, reading.now);
}

/** The step after the outcome of a tap. */
export function judgeTap(step: RehearsalStep, event: TapEvent): Judged {
  const phase = phaseOf(step);
  const wantsTap = phase === 'tap' || step.name === 'disk';
  if (step.state !== 'waiting' || !wantsTap) return { step, hint: null };
  switch (event.kind) {
    case 'notRead':
      return waits(step, 'notRead');
    case 'refused':
      return waits(step, 'refused');
    case 'failed':
      if (step.name === 'disk' && phase === 'refused')
        return event.reason === 'full' ? passPhase(step, event.at) : failed(step, event.at, 'notSaved');
      return failed(step, event.at, 'notSaved');
    case 'notAdmitted':
      return step.name === 'known' ? waits(step, 'unknownBadge') : judgeCaptured(step, event.at, false);
    case 'captured':
      return judgeCaptured(step, event.at, event.visitor !== null);
    default:
      return waits(step);
  }
}

function judgeCaptured(step: RehearsalStep, at: number, isKnown: boolean): Judged {
  if (step.name === 'known' && !isKnown) return waits(step, 'unknownBadge');
  if (step.name === 'unknown' && isKnown) return waits(step, 'knownBadge');
  // The disk was full, so a tap that was shown as saved was not saved.
  if (step.name === 'disk' && phaseOf(step) === 'refused') return failed(step, at, 'toldAsSaved');
  return passPhase(step, at);
}

function waits(step: RehearsalStep, hint: RehearsalHint | null = null): Judged {
  return { step, hint };
}

function passPhase(step: RehearsalStep, at: number): Judged {
  const seen = step.seen + 1;
  const isLast = seen === rehearsalPhases[step.name].length;
  const tookMs = step.tookMs ?? (isLast && step.at !== null ? Math.max(0, at - step.at) : null);
  return {
    step: { ...step, seen, at, state: isLast ? 'passed' : 'waiting', tookMs: isLast ? tookMs : null },
    hint: null,
  };
}

function failed(step: RehearsalStep, at: number, why: NonNullable<RehearsalStep['why']>): Judged {
  return { step: { ...step, state: 'failed', at, why }, hint: null };
}

function impossible(step: RehearsalStep, at: number, why: NonNullable<RehearsalStep['why']>): Judged {
  return { step: { ...step, state: 'impossible', at, why }, hint: null };
}

/** The verdict of a rehearsal with these steps on a device whose health is `health`. */
export function verdictOf(steps: readonly RehearsalStep[], health: Verdict): Verdict {
  if (health === 'noGo' || steps.some(({ state }) => state === 'failed')) return 'noGo';
  return health === 'attention' || steps.some(isLeftOut) ? 'attention' : 'good';
}

/** A step that is impossible because of the key does not count: the set-up already reported the missing right. */
function isLeftOut({ state, why }: RehearsalStep): boolean {
  return state !== 'passed' && !(state === 'impossible' && why === 'noPeople');
}
