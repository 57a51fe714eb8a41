/**
 * The steps around a tap in order: the plan before the commit, the follow-up after it, and the undo.
 *
 *     plan (by the purpose of the touchpoint) ─► facts are recorded ★ ─► begin: session, count, page content
 *                                                                    └─► undo
 *
 * ★: a commit that is on disk before the next step.
 *
 * Invariants:
 * - A plan changes nothing. Every tap is recorded, whatever its plan is.
 * - The follow-up of a tap happens only after its commit.
 * - A fault in the plan or the follow-up never loses the tap. The page shows it without the unreadable part.
 */
import type { Purpose } from '../../../contract/device.ts';
import type { NotAdmittedReason, TapEvent } from '../../../contract/tap.ts';
import type { Mirror, MirrorRecord } from '../../event/mirror/mirror.ts';
import { publicProfileOf, snapshotOf } from '../../event/mirror/people.ts';
import type { Clock, Log } from '../../foundations/ports.ts';
import { whyOf } from '../../foundations/trace.ts';
import type { BadgeReference, Fact } from '../../journal/facts/fact.ts';
import type { Journal } from '../../journal/facts/journal.ts';
import type { LeadChange } from '../../journal/facts/lead-projection.ts';
import type { DeviceAssignment } from '../device/assignment.ts';
import type { AdmissionControl } from './admission.ts';
import type { Offer } from './offer.ts';
import type { PendingPrompts } from './pending-prompts.ts';
import type { TapSessions } from './tap-sessions.ts';

/** The facts and the page of a tap. */
export type TapPlan =
  /** `collects`: the content that is collected with the tap, if any. */
  | { readonly kind: 'plain'; readonly collects: string | null }
  | { readonly kind: 'checkin'; readonly activity: string | null }
  /** Time of the entry (Unix milliseconds). */
  | { readonly kind: 'again'; readonly since: number }
  | { readonly kind: 'notAdmitted'; readonly reason: NotAdmittedReason };

export type CapturedEvent = Extract<TapEvent, { kind: 'captured' }>;

/** A tap that was recorded. */
type RecordedTap = {
  readonly tap: Fact;
  readonly lead: LeadChange;
  readonly who: BadgeReference;
  readonly visitor: MirrorRecord | null;
  readonly plan: TapPlan;
  /** Collected contents and their facts. */
  readonly collected: ReadonlyMap<string, string>;
};

export type Visits = {
  /** The plan for a tap of this visitor. Null means an unknown badge. */
  readonly plan: (visitor: MirrorRecord | null) => TapPlan;
  /** The follow-up of a tap after its commit: opens its session and returns the page's content. */
  readonly begin: (recorded: RecordedTap) => CapturedEvent;
  /**
   * The outcome `event` of a tap, shown again while its badge rests on the reader. `tap`: its fact, null if it no
   * longer exists.
   */
  readonly again: (tap: Fact | null, event: TapEvent, visitor: MirrorRecord | null) => TapEvent;
  /** Call it when a page shows this tap late: its visitor may still be present. */
  readonly touch: (tap: string) => void;
  /** Whether the visitor of this tap gave an answer or ended the session. */
  readonly isActedOn: (tap: string) => boolean;
  /** The facts of the visitor's additions to a tap that were not undone, in the order in which an undo undoes them. */
  readonly added: (tap: string) => readonly string[];
  /** Call it after a tap or check-in was undone. */
  readonly tookBack: (tap: Fact) => void;
  /** Time during which an undo is offered. */
  readonly undoMs: number;
};

type VisitsPorts = {
  readonly journal: Journal;
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly log: Log;
  readonly assignment: () => DeviceAssignment | null;
  readonly admission: AdmissionControl;
  readonly offer: Offer;
  readonly pendingPrompts: PendingPrompts;
  readonly tapSessions: TapSessions;
  /** Whether the public screen may show a visitor's company. */
  readonly showsCompany: boolean;
  readonly undoMs: number;
  /** Called after the number of people inside changed. */
  readonly onCount: () => void;
};

/** The parts of a captured event, without the tap itself. */
type Extras = Pick<CapturedEvent, 'collected' | 'checkin' | 'asksConsent' | 'openQuestions'>;

const PLAIN: TapPlan = { kind: 'plain', collects: null };
const NO_EXTRAS: Extras = { collected: null, checkin: null, asksConsent: false, openQuestions: [] };

/** The visits at one device. */
export function createVisits(ports: VisitsPorts): Visits {
  const { journal, mirror, clock, log, admission, offer, pendingPrompts, tapSessions } = ports;

  const orElse = <Result>(read: () => Result, otherwise: Result): Result => {
    try {
      return read();
    } catch (error) {
      log.error('the follow-up of a tap could not be read', { error: whyOf(error) });
      return otherwise;
    }
  };

  const collectsAt = ({ content }: DeviceAssignment): string | null => {
    if (content === null) return null;
    // Until the contents have arrived, the content id in the touchpoint is used.
    const isThere = offer.item(content) !== null || !mirror.progress('contents').complete;
    return isThere ? content : null;
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
  const extrasOf = (plan: TapPlan, tap: Fact, lead: string): Extras => ({
    collected: plan.kind === 'plain' && plan.collects !== null ? offer.item(plan.collects) : null,
    checkin: checkinOf(plan, tap),
    ...pendingPrompts.of(tap, lead),
  });
  const eventOf = (
    tap: Fact,
    lead: LeadChange,
    visitor: MirrorRecord | null,
    plan: TapPlan,
  ): CapturedEvent => {
    const profile = visitor === null ? null : publicProfileOf(visitor);
    return {
      kind: 'captured',
      at: tap.at,
      factId: tap.id,
      leadId: lead.id,
      visitor: profile === null || ports.showsCompany ? profile : { ...profile, company: null },
      repeat: lead.taps > 1 ? { count: lead.taps, since: lead.since } : null,
      undoUntil: tap.at + ports.undoMs,
      ...orElse(() => extrasOf(plan, tap, lead.id), NO_EXTRAS),
    };
  };

  return {
    plan: (visitor) =>
      orElse(() => {
        const here = ports.assignment();
        return here === null ? PLAIN : plans[here.purpose](here, visitor);
      }, PLAIN),
    begin: ({ tap, lead, who, visitor, plan, collected }) => {
      const known = visitor === null ? null : snapshotOf(visitor);
      tapSessions.open(tap, who, lead.id, known, collected);
      return eventOf(tap, lead, visitor, plan);
    },
    again: (tap, event, visitor) => {
      const at = clock.now();
      const lead = tap === null ? null : journal.leads.ofFact(tap.seq);
      if (event.kind !== 'captured' || tap === null || lead === null) return { ...event, at };
      tapSessions.touch(tap.id);
      const { collected, checkin } = event;
      const repeat = { count: lead.taps, since: lead.since };
      return { ...eventOf(tap, lead, visitor, PLAIN), at, collected, checkin, repeat };
    },
    touch: tapSessions.touch,
    isActedOn: tapSessions.isActedOn,
    added: tapSessions.facts,
    tookBack: (tap) => {
      tapSessions.close(tap.id);
      if (tap.kind !== 'checkin' || tap.payload?.visitor === undefined) return;
      admission.tookBack(tap.payload.visitor, tap.at);
      ports.onCount();
    },
    undoMs: ports.undoMs,
  };
}
