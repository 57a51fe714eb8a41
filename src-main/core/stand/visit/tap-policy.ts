/**
 * What a tap is for, here and now: by the purpose of the touchpoint, a lead, a content taken along, or a check-in.
 *
 * Invariants: planning changes nothing and refuses no tap (each is recorded, whatever the plan); what follows from a
 * recorded tap is told only afterwards.
 */

import type { Purpose } from '../../../contract/device.ts';
import type { NotAdmittedReason, TapEvent } from '../../../contract/tap.ts';
import type { Mirror, MirrorRecord } from '../../event/mirror/mirror.ts';
import type { Fact } from '../../journal/facts/fact.ts';
import type { DeviceAssignment } from '../device/assignment.ts';
import type { AdmissionControl } from './admission.ts';
import type { Offer } from './offer.ts';
import type { PendingPrompts } from './pending-prompts.ts';

/** What is to be recorded and shown for a tap. */
export type TapPlan =
  /** `collects`: the content that is taken with the tap, if there is one. */
  | { readonly kind: 'plain'; readonly collects: string | null }
  | { readonly kind: 'checkin'; readonly activity: string | null }
  /** In since then (epoch milliseconds). */
  | { readonly kind: 'again'; readonly since: number }
  | { readonly kind: 'notAdmitted'; readonly reason: NotAdmittedReason };

/** What a captured event says beyond the tap itself. */
export type Extras = Pick<
  Extract<TapEvent, { kind: 'captured' }>,
  'collected' | 'checkin' | 'asksConsent' | 'openQuestions'
>;

export type TapPolicy = {
  readonly plan: (visitor: MirrorRecord | null) => TapPlan;
  /** After the commit of `tap` with this plan. */
  readonly extras: (plan: TapPlan, tap: Fact, lead: string) => Extras;
  /** A tap or check-in was taken back. */
  readonly tookBack: (tap: Fact) => void;
  /** Whether the public screen may show a visitor's company. */
  readonly showsCompany: boolean;
  /** How long "take it back" is offered. */
  readonly undoMs: number;
};

export type TapPolicyPorts = {
  readonly mirror: Mirror;
  readonly assignment: () => DeviceAssignment | null;
  readonly admission: AdmissionControl;
  readonly offer: Offer;
  readonly pendingPrompts: PendingPrompts;
  readonly showsCompany: boolean;
  readonly undoMs: number;
  /** Who is in changed. */
  readonly onCount: () => void;
};

/** The tap policy of one device. */
export function createTapPolicy(ports: TapPolicyPorts): TapPolicy {
  const { mirror, admission, offer, pendingPrompts } = ports;

  const collectsAt = ({ content }: DeviceAssignment): string | null => {
    if (content === null) return null;
    // Until the contents have arrived, what the touchpoint names is believed.
    const isThere = offer.item(content) !== null || !mirror.progress('contents').complete;
    return isThere ? content : null;
  };

  const checkinOf = (plan: TapPlan, tap: Fact): Extras['checkin'] => {
    const here = ports.assignment();
    if (here === null || (plan.kind !== 'checkin' && plan.kind !== 'again')) return null;
    const visitor = tap.payload?.visitor;
    if (plan.kind === 'checkin' && visitor !== undefined) {
      admission.entered(here, visitor, tap.at);
      ports.onCount();
    }
    const entry =
      plan.kind === 'again'
        ? { result: plan.kind, since: plan.since }
        : { result: 'welcome' as const, since: tap.at };
    return { ...entry, count: admission.count(here) };
  };

  const planOfCheckin = (here: DeviceAssignment, visitor: MirrorRecord | null): TapPlan => {
    const decision = admission.admit(here, visitor);
    switch (decision.kind) {
      case 'welcome':
        return { kind: 'checkin', activity: here.activity };
      case 'again':
        return decision;
      case 'refused':
        return { kind: 'notAdmitted', reason: decision.reason };
    }
  };
  const plans: Readonly<Record<Purpose, typeof planOfCheckin>> = {
    lead: () => PLAIN,
    content: (here) => ({ kind: 'plain', collects: collectsAt(here) }),
    checkin: planOfCheckin,
  };

  return {
    plan: (visitor) => {
      const here = ports.assignment();
      return here === null ? PLAIN : plans[here.purpose](here, visitor);
    },
    extras: (plan, tap, lead) => ({
      collected: plan.kind === 'plain' && plan.collects !== null ? offer.item(plan.collects) : null,
      checkin: checkinOf(plan, tap),
      ...pendingPrompts.of(tap, lead),
    }),
    tookBack: (tap) => {
      if (tap.kind !== 'checkin' || tap.payload?.visitor === undefined) return;
      admission.tookBack(tap.payload.visitor, tap.at);
      ports.onCount();
    },
    showsCompany: ports.showsCompany,
    undoMs: ports.undoMs,
  };
}

const PLAIN: TapPlan = { kind: 'plain', collects: null };
