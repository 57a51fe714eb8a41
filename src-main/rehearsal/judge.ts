/**
 * Judging the steps of a rehearsal: from what the device shows of itself to what a step is. Pure.
 *
 * Invariants: a step passes only by what was seen of the device, in the order of its phases; what was seen stays seen; a step
 * that ended is never judged again.
 */
import type { RehearsalHint, RehearsalStep } from '../contract/rehearsal.ts';
import { rehearsalPhases } from '../contract/rehearsal-steps.ts';
import type { TapEvent } from '../contract/tap.ts';

/** The device at one moment. */
export type Sight = {
  readonly now: number;
  readonly cardService: 'off' | 'starting' | 'up' | 'absent' | 'silent' | 'failing';
  readonly readers: number;
  readonly network: 'unknown' | 'online' | 'offline';
  /** Facts on the way to the platform. */
  readonly waiting: number;
  readonly storage: 'ok' | 'full' | 'readOnly' | 'failing';
  readonly clock: { readonly isNoGo: boolean; readonly isKnown: boolean };
  /** Health is no no-go. */
  readonly isFit: boolean;
  /** The key may not read who is registered, so that no badge is known. */
  readonly noPeople: boolean;
  /** Facts in the journal. */
  readonly captured: number;
  /** Names this run of the app, and whether the one before was killed. */
  readonly run: string;
  readonly wasKilled: boolean;
  /** How long nothing of the app ran before this run; null where that is not known. */
  readonly downMs: number | null;
};

/** What is remembered from the beginning of a step. */
export type Begun = {
  readonly run: string;
  readonly captured: number;
  /** How long the step could have been noticed so far, in milliseconds. */
  readonly onlineMs: number;
};

export type Judged = { readonly step: RehearsalStep; readonly hint: RehearsalHint | null };

/** Longer than three rounds of the sync: a clock that is wrong has been seen by then, or never is. */
export const CLOCK_PATIENCE_MS = 90_000;

/** A step as it is before anything was seen. */
export function newStep(name: RehearsalStep['name']): RehearsalStep {
  const simulated = name === 'disk' || name === 'clock';
  return { name, state: 'waiting', simulated, seen: 0, at: null, why: null, reason: null, tookMs: null };
}

/** The present step: the first that waits. */
export function presentStep(steps: readonly RehearsalStep[]): RehearsalStep | null {
  return steps.find(({ state }) => state === 'waiting') ?? null;
}

/** What a step waits for now. */
export function phaseOf({ name, seen }: RehearsalStep): string | null {
  return rehearsalPhases[name][seen] ?? null;
}

/** A step after one look at the device. */
export function judgeSight(step: RehearsalStep, sight: Sight, begun: Begun): Judged {
  if (step.state !== 'waiting') return { step, hint: null };
  const { name } = step;
  if (name === 'known' && sight.noPeople) return impossible(step, sight.now, 'noPeople');
  if (name === 'reader' && sight.cardService === 'off') return impossible(step, sight.now, 'noReader');
  if (name === 'kill') return judgeKill(step, sight, begun);
  const phase = phaseOf(step);
  if (name === 'reader') {
    const isThere = sight.cardService === 'up' && sight.readers > 0;
    return (phase === 'gone') === isThere ? waits(step) : passPhase(step, sight.now);
  }
  if (name === 'network') {
    if (phase === 'gone') return sight.network === 'offline' ? passPhase(step, sight.now) : waits(step);
    if (phase === 'back') return sight.network === 'online' ? passPhase(step, sight.now) : waits(step);
    if (phase === 'delivered') return sight.waiting === 0 ? passPhase(step, sight.now) : waits(step);
  }
  if (name === 'clock') {
    if (phase === 'noticed' && sight.clock.isNoGo) return passPhase(step, sight.now);
    if (phase === 'right' && !sight.clock.isNoGo && sight.clock.isKnown) return passPhase(step, sight.now);
    if (begun.onlineMs > CLOCK_PATIENCE_MS) return failed(step, sight.now, 'notNoticed');
    return waits(step, sight.network === 'offline' ? 'offline' : null);
  }
  return waits(step);
}

function judgeKill(step: RehearsalStep, sight: Sight, begun: Begun): Judged {
  if (sight.run === begun.run) return waits(step);
  if (phaseOf(step) === 'ready') {
    if (!sight.isFit) return waits(step);
    return passPhase(
      { ...step, tookMs: (sight.downMs ?? 0) + sight.now - (step.at ?? sight.now) },
      sight.now,
    );
  }
  if (sight.captured < begun.captured) return failed(step, sight.now, 'factsLost');
  if (!sight.wasKilled) return waits(step, 'endedInOrder');
  return passPhase(step, sight.now);
}

/** A step after what came of a tap. */
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
  // The disk was full: whatever was told as saved was not true.
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
