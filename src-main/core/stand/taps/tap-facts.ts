/**
 * The facts a tap becomes, by the plan for it. Pure.
 *
 * Invariants: whatever the plan, there is a fact that says who tapped; a visitor who was not admitted, and a badge that
 * names two people, are recorded as what they are, so that neither the leads nor the platform take them for a contact.
 */
import type { BadgeReference, FactPayloads, TapReference } from '../../journal/facts/fact.ts';
import type { FactDraft } from '../../journal/facts/journal.ts';
import type { TapPlan } from '../visit/tap-policy.ts';

/** Where and how a tap happened. */
export type TapPlace = Pick<
  FactDraft,
  'touchpoint' | 'partner' | 'clockOffset' | 'staff' | 'source' | 'reader'
>;

/** What is to be recorded: first the tap itself, then what it collects, if anything. */
export type TapFacts = readonly [FactDraft, ...FactDraft[]];

/** The facts of a tap of `who` under `plan`; `loss`: what could not be read of the badge. */
export function factsOfTap(
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
export function factOfClash(who: TapReference, place: TapPlace): FactDraft {
  return { kind: 'tap', ...place, payload: { ...who, clash: true } };
}
