/**
 * From a badge and whose it is to facts and an outcome.
 *
 *     resting on the reader? ► plan ► journal.record ★ ► what the screen is told
 *
 * Invariants: the outcome is true when these calls return; a badge that names two people is recorded, too, and told as
 * what it is.
 */
import type { TapEvent } from '../../../contract/tap.ts';
import type { BadgeOwner, MirrorRecord } from '../../event/mirror/mirror.ts';
import type { VisitorSnapshot } from '../../event/mirror/people.ts';
import { snapshotOf } from '../../event/mirror/people.ts';
import type { BadgeReading } from '../../foundations/badge/badge.ts';
import type { Clock } from '../../foundations/ports.ts';
import type { BadgeReference, Fact } from '../../journal/facts/fact.ts';
import type { Journal, Recorded } from '../../journal/facts/journal.ts';
import type { TapSessions } from '../visit/tap-sessions.ts';
import type { CapturedEvents } from './captured-event.ts';
import type { Debounce } from './debounce.ts';
import type { Refusals } from './refusals.ts';
import { factOfClash, factsOfTap, type TapFacts, type TapPlace } from './tap-facts.ts';
import type { Undo } from './undo.ts';

export type Badge = Extract<BadgeReading, { kind: 'badge' }>;

/** A tap as it stands in the journal. */
export type KeptTap = Pick<Fact, 'id' | 'seq'>;

/** The outcome of a tap, and the tap that stands for it; null when nothing was kept, or nothing is left of it. */
export type Captured = { readonly event: TapEvent; readonly tap: KeptTap | null };

export type CapturePorts = {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly tapSessions: TapSessions;
  readonly events: CapturedEvents;
  readonly refusals: Refusals;
  readonly debounce: Debounce;
  readonly undo: Pick<Undo, 'correct'>;
};

export type Capture = {
  /** Records a tap of `badge`, or finds that it still rests on the reader. */
  readonly capture: (badge: Badge, owner: BadgeOwner, place: () => TapPlace) => Captured;
  /** A tap turned out to be of a badge that names two people: takes it back and records that in its place. */
  readonly correct: (tap: KeptTap, badge: Badge, place: () => TapPlace) => TapEvent | null;
};

/** The capture of one device. */
export function createCapture(ports: CapturePorts): Capture {
  const { journal, clock, tapSessions, events, refusals, debounce, undo } = ports;

  const stored = (badge: string, tap: Recorded, event: TapEvent): Captured => {
    debounce.stored(badge, { factId: tap.fact.id, event, mono: clock.monotonic() });
    return { event, tap: tap.fact };
  };

  return {
    capture: ({ codes, lostNdef }, owner, place) => {
      const visitor = owner.kind === 'visitor' ? owner.visitor : null;
      const badge = owner.kind === 'visitor' ? owner.code : codes[0];
      const resting = debounce.resting(badge, clock.monotonic());
      if (resting !== null) {
        return { event: events.again(resting, visitor), tap: journal.fact(resting.factId) };
      }
      const refused = refusals.of(codes, owner, place().source);
      if (refused !== null) return { event: refused, tap: null };
      const who = referenceOf(badge, codes, visitor);
      const loss = lostNdef === undefined ? {} : { lostNdef };
      if (owner.kind === 'ambiguous') {
        const clash = journal.record(factOfClash({ ...who, ...loss }, place()), null);
        return stored(badge, clash, { kind: 'refused', at: clash.fact.at, reason: 'clash' });
      }
      const plan = events.plan(visitor);
      const known = visitor === null ? null : snapshotOf(visitor);
      const { tap, collect } = record(journal, factsOfTap(plan, who, loss, place()), known);
      if (plan.kind === 'notAdmitted') {
        return stored(badge, tap, { kind: 'notAdmitted', at: tap.fact.at, reason: plan.reason });
      }
      const content = plan.kind === 'plain' ? plan.collects : null;
      const collected = new Map(content !== null && collect !== null ? [[content, collect]] : []);
      tapSessions.open(tap.fact, who, tap.lead.id, known, collected);
      return stored(badge, tap, events.of(tap.fact, tap.lead, visitor, plan));
    },
    correct: (tap, { codes }, place) => {
      const instead = factOfClash(referenceOf(codes[0], codes, null), place());
      const clash = undo.correct(tap.id, instead);
      if (clash === null) return null;
      const event = { kind: 'refused', at: clash.fact.at, reason: 'clash' } as const;
      return { ...stored(codes[0], clash, event).event, factId: tap.id };
    },
  };
}

function referenceOf(badge: string, codes: Badge['codes'], visitor: MirrorRecord | null): BadgeReference {
  const otherCodes = codes.filter((code) => code !== badge);
  return {
    badge,
    ...(otherCodes.length > 0 ? { otherCodes } : {}),
    ...(visitor === null ? {} : { visitor: visitor.id }),
  };
}

/** Records all facts of a tap or none. `collect`: id of the fact that says what was collected, if anything was. */
function record(
  journal: Journal,
  facts: TapFacts,
  visitor: VisitorSnapshot | null,
): { readonly tap: Recorded; readonly collect: string | null } {
  if (facts.length === 1) return { tap: journal.record(facts[0], visitor), collect: null };
  const [tap, collect] = journal.recordAll(facts, visitor);
  if (tap === undefined || collect === undefined) throw new Error('Expected a tap and what it collects');
  return { tap, collect: collect.fact.id };
}
