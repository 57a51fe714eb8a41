/**
 * Records a tap: turns a badge and its owner into facts and an outcome.
 *
 *     resting on the reader? ► refused? ► plan ► journal.record ★ ► follow-up: what the page shows
 *
 * ★: a commit that is on disk before the next step.
 *
 * Invariants:
 * - When these calls return, the outcome is on disk.
 * - A fact names the visitor under every plan. A visitor who was not admitted, and a badge that belongs to two
 *   people, are recorded as such, so neither the leads nor the platform count them as contacts.
 * - A badge in the mirror is never refused because of its code. A refused code is stored for the stand team before
 *   its outcome is published. It becomes neither a lead nor a fact.
 */
import type { TapEvent, TapSource } from '../../../contract/tap.ts';
import type { BadgeOwner, Mirror, MirrorRecord } from '../../event/mirror/mirror.ts';
import { snapshotOf, type VisitorSnapshot } from '../../event/mirror/people.ts';
import type { BadgeReading, Clock } from '../../foundations/ports.ts';
import type { BadgeReference, Fact, FactPayloads, TapReference } from '../../journal/facts/fact.ts';
import type { FactDraft, Journal, Recorded } from '../../journal/facts/journal.ts';
import type { TapPlan, Visits } from '../visit/visits.ts';
import type { Debounce } from './debounce.ts';
import type { Undo } from './undo.ts';

export type Badge = Extract<BadgeReading, { kind: 'badge' }>;

/** Where and how a tap happened. */
export type TapPlace = Pick<
  FactDraft,
  'touchpoint' | 'partner' | 'clockOffset' | 'staff' | 'source' | 'reader'
>;

/** The recorded fact of a tap. */
export type KeptTap = Pick<Fact, 'id' | 'seq'>;

/** The outcome of a tap. `tap`: its recorded fact, null when nothing was recorded or the fact no longer exists. */
export type Captured = { readonly event: TapEvent; readonly tap: KeptTap | null };

type CapturePorts = {
  readonly journal: Journal;
  readonly mirror: Pick<Mirror, 'codeForms'>;
  readonly clock: Clock;
  readonly visits: Pick<Visits, 'plan' | 'begin' | 'again'>;
  readonly debounce: Debounce;
  readonly undo: Pick<Undo, 'correct'>;
  /** Whether the partner of this stand is certain. */
  readonly isChosen: () => boolean;
  /** Stores a refused reading for the stand team. */
  readonly onRefused?: ((reading: BadgeReading, text: string, source: TapSource) => void) | undefined;
};

type Capture = {
  /** Records a tap of `badge`, unless it is within the window of its last tap (`debounce.ts`). */
  readonly capture: (badge: Badge, owner: BadgeOwner, place: () => TapPlace) => Captured;
  /** Undoes a tap whose badge names two people, and records the clash instead. */
  readonly correct: (tap: KeptTap, badge: Badge, place: () => TapPlace) => TapEvent | null;
};

/** The capture of one device. */
export function createCapture(ports: CapturePorts): Capture {
  const { journal, mirror, clock, visits, debounce, undo } = ports;

  const refusalOf = (code: string, owner: BadgeOwner, source: TapSource | null): TapEvent | null => {
    const at = clock.now();
    if (!ports.isChosen()) return { kind: 'failed', at, reason: 'notChosen' };
    // Codes that a reader reads from a card are never garbled.
    if (owner.kind !== 'unknown' || source === 'nfc' || source === null || mirror.codeForms().fits(code))
      return null;
    const reason = source === 'manual' ? 'impossibleCode' : 'garbledScan';
    ports.onRefused?.({ kind: 'notABadge', reason }, code, source);
    return { kind: 'refused', at, reason };
  };
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
        const tap = journal.fact(resting.factId);
        return { event: visits.again(tap, resting.event, visitor), tap };
      }
      const refused = refusalOf(codes[0], owner, place().source);
      if (refused !== null) return { event: refused, tap: null };
      const who = referenceOf(badge, codes, visitor);
      const loss = lostNdef === undefined ? {} : { lostNdef };
      if (owner.kind === 'ambiguous') {
        const clash = journal.record(factOfClash({ ...who, ...loss }, place()), null);
        return stored(badge, clash, { kind: 'refused', at: clash.fact.at, reason: 'clash' });
      }
      const plan = visits.plan(visitor);
      const known = visitor === null ? null : snapshotOf(visitor);
      const { tap, collect } = record(journal, factsOfTap(plan, who, loss, place()), known);
      if (plan.kind === 'notAdmitted') {
        return stored(badge, tap, { kind: 'notAdmitted', at: tap.fact.at, reason: plan.reason });
      }
      const content = plan.kind === 'plain' ? plan.collects : null;
      const collected = new Map(content !== null && collect !== null ? [[content, collect]] : []);
      const event = visits.begin({ tap: tap.fact, lead: tap.lead, who, visitor, plan, collected });
      return stored(badge, tap, event);
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

/** The fact of the tap, followed by the fact of the collected content, if any. */
type TapFacts = readonly [FactDraft, ...FactDraft[]];

/** The facts of a tap of `who` under `plan`. `loss`: which part of the badge could not be read. */
function factsOfTap(
  plan: TapPlan,
  who: BadgeReference,
  loss: Pick<TapReference, 'lostNdef'>,
  place: TapPlace,
): TapFacts {
  const tap = (more: Partial<FactPayloads['tap']> = {}): FactDraft => ({
    kind: 'tap',
    ...place,
    payload: { ...who, ...loss, ...more },
  });
  switch (plan.kind) {
    case 'plain': {
      if (plan.collects === null) return [tap()];
      return [tap(), { kind: 'collect', ...place, payload: { ...who, content: plan.collects } }];
    }
    case 'checkin': {
      const where = plan.activity === null ? {} : { activity: plan.activity };
      return [{ kind: 'checkin', ...place, payload: { ...who, ...loss, ...where } }];
    }
    case 'again':
      return [tap()];
    case 'notAdmitted':
      return [tap({ fields: { turnedAway: plan.reason } })];
  }
}

/** The fact of a tap whose badge names two people. */
function factOfClash(who: TapReference, place: TapPlace): FactDraft {
  return { kind: 'tap', ...place, payload: { ...who, clash: true } };
}

/** Records all facts of a tap or none. `collect`: id of the fact of a collected content, if there is one. */
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
