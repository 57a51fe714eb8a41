/**
 * What is to be rung, and when: at once, but what changes again and again only as often as all who listen can read it.
 *
 * Invariants: what was noted is due once, however often it was noted meanwhile, and nothing that was noted is lost; one subject
 * holds up no other.
 */
import type { Clock } from '../../src-main/core/ports.ts';

/**
 * A box gives each device that listens so much time until it rings again for the same list, or the same team: all teams of a fair
 * are busy at once. A request takes it about 1 ms; where thousands listen, the rest is left for their facts.
 */
const MS_EACH = 10;

/** What a subject is about: a list of the event, the facts of a team, or a command for one device. */
export type RingKind = 'list' | 'team' | 'command';

export type RingQueue = {
  readonly note: (subject: string, kind: RingKind) => void;
  /** What is due, with its subject; it counts as rung now. */
  readonly take: () => readonly (readonly [subject: string, kind: RingKind])[];
  /** Milliseconds until something is due; null while nothing is noted. */
  readonly waitMs: () => number | null;
};

/** The queue of one box, where nothing is noted; `listeners`: how many devices listen. */
export function createRingQueue(clock: Pick<Clock, 'monotonic'>, listeners: () => number): RingQueue {
  const noted = new Map<string, RingKind>();
  const rungAt = new Map<string, number>();
  const waitOf = (subject: string, kind: RingKind): number => {
    const gap = kind === 'command' ? 0 : MS_EACH * listeners();
    return Math.max(0, (rungAt.get(subject) ?? Number.NEGATIVE_INFINITY) + gap - clock.monotonic());
  };
  return {
    note: (subject, kind) => void noted.set(subject, kind),
    take: () => {
      const due = [...noted].filter(([subject, kind]) => waitOf(subject, kind) === 0);
      for (const [subject] of due) {
        noted.delete(subject);
        rungAt.set(subject, clock.monotonic());
      }
      return due;
    },
    waitMs: () => {
      const waits = [...noted].map(([subject, kind]) => waitOf(subject, kind));
      return waits.length === 0 ? null : Math.min(...waits);
    },
  };
}
