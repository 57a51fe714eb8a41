/**
 * What the loop of the sync does next: a step of a round, a step that was rung for, or nothing for a while.
 *
 * Invariants: rounds come whatever is rung for; whoever asks for a round gets one that began after the asking; what is rung
 * for again and again is done at most once a gap.
 */
import type { ResourceName } from '../mirror/resources.ts';
import type { Clock, Random } from '../ports.ts';
import { ROUND_EVERY_MS, ROUND_WITH_BELL_MS, RUNG_GAP_MS } from '../time/times.ts';

/** What can be asked for alone: a list, or the background jobs. */
export type RungStep = ResourceName | 'backgroundJobs';

/** `ms`: for so long nothing is to be done, unless somebody asks. */
export type Due =
  | { readonly kind: 'round' }
  | { readonly kind: 'rung'; readonly step: RungStep }
  | { readonly kind: 'rest'; readonly ms: number };

export type SchedulePorts = {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly random: Pick<Random, 'fraction'>;
  /** Whether a bell rings for what changes: then rounds may be rarer. */
  readonly isRungFor: () => boolean;
};

export type Schedule = {
  /** `isUnderWay`: a round was begun and is not over. A rung step counts as done once it was answered here. */
  readonly next: (isUnderWay: boolean) => Due;
  readonly askForRound: () => void;
  readonly ring: (step: RungStep) => void;
  readonly roundBegan: () => void;
  readonly roundEnded: () => void;
  /** Nobody cut a rest short. */
  readonly sleptOut: () => void;
};

/** The schedule of one puller; it begins with a round. */
export function createSchedule({ clock, random, isRungFor }: SchedulePorts): Schedule {
  const rung = new Set<RungStep>();
  let isAskedFor = true;
  let roundAt = Number.POSITIVE_INFINITY;
  let rungAt = Number.NEGATIVE_INFINITY;
  return {
    next: (isUnderWay) => {
      const now = clock.monotonic();
      const [step] = rung;
      const gap = step === undefined ? Number.POSITIVE_INFINITY : rungAt + RUNG_GAP_MS - now;
      if (step !== undefined && gap <= 0) {
        rung.delete(step);
        rungAt = now;
        return { kind: 'rung', step };
      }
      if (isUnderWay || isAskedFor || now >= roundAt) return { kind: 'round' };
      return { kind: 'rest', ms: Math.min(gap, roundAt - now) };
    },
    askForRound: () => {
      isAskedFor = true;
    },
    ring: (step) => void rung.add(step),
    roundBegan: () => {
      isAskedFor = false;
    },
    roundEnded: () => {
      const every = isRungFor() ? ROUND_WITH_BELL_MS : ROUND_EVERY_MS;
      roundAt = clock.monotonic() + every * (0.8 + 0.4 * random.fraction());
    },
    sleptOut: () => {
      if (rung.size === 0) isAskedFor = true;
    },
  };
}
