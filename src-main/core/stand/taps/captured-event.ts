/**
 * What a screen is told of a captured tap, and what goes with the tap: looked up beside it.
 *
 * Invariant: whatever is wrong with what goes with a tap, the tap counts and is told as what it is.
 */
import type { TapEvent } from '../../../contract/tap.ts';
import type { MirrorRecord } from '../../event/mirror/mirror.ts';
import { publicProfileOf } from '../../event/mirror/people.ts';
import type { Clock, Log } from '../../foundations/ports.ts';
import type { Fact } from '../../journal/facts/fact.ts';
import type { Journal } from '../../journal/facts/journal.ts';
import type { LeadChange } from '../../journal/facts/lead-projection.ts';
import type { Extras, TapPlan, TapPolicy } from '../visit/tap-policy.ts';
import type { TapSessions } from '../visit/tap-sessions.ts';
import type { Stored } from './debounce.ts';

export type CapturedEvent = Extract<TapEvent, { kind: 'captured' }>;

export type CapturedEvents = {
  /** What is planned for a tap of this visitor. */
  readonly plan: (visitor: MirrorRecord | null) => TapPlan;
  /** The outcome of a tap that was just recorded. */
  readonly of: (tap: Fact, lead: LeadChange, visitor: MirrorRecord | null, plan: TapPlan) => CapturedEvent;
  /** The same outcome shown again while its badge rests on the reader. */
  readonly again: (stored: Stored, visitor: MirrorRecord | null) => TapEvent;
};

export type CapturedEventPorts = {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly log: Log;
  readonly tapPolicy: TapPolicy;
  readonly tapSessions: TapSessions;
};

/** The events of one device's captured taps. */
export function createCapturedEvents(ports: CapturedEventPorts): CapturedEvents {
  const { journal, clock, log, tapPolicy, tapSessions } = ports;

  const beside = <Result>(look: () => Result, otherwise: Result): Result => {
    try {
      return look();
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown';
      log.error('what goes with a tap could not be looked up', { error: reason });
      return otherwise;
    }
  };

  const eventOf: CapturedEvents['of'] = (tap, lead, visitor, plan) => ({
    kind: 'captured',
    at: tap.at,
    factId: tap.id,
    leadId: lead.id,
    visitor:
      visitor === null
        ? null
        : { ...publicProfileOf(visitor), ...(tapPolicy.showsCompany ? {} : { company: null }) },
    repeat: lead.taps > 1 ? { count: lead.taps, since: lead.since } : null,
    undoUntil: tap.at + tapPolicy.undoMs,
    ...beside(() => tapPolicy.extras(plan, tap, lead.id), NO_EXTRAS),
  });

  return {
    plan: (visitor) => beside(() => tapPolicy.plan(visitor), PLAIN_TAP),
    of: eventOf,
    again: ({ factId, event }, visitor) => {
      const at = clock.now();
      const tap = journal.fact(factId);
      const lead = tap === null ? null : journal.leads.ofFact(tap.seq);
      if (event.kind !== 'captured' || tap === null || lead === null) return { ...event, at };
      tapSessions.touch(factId);
      const { collected, checkin } = event;
      const repeat = { count: lead.taps, since: lead.since };
      return { ...eventOf(tap, lead, visitor, PLAIN_TAP), at, collected, checkin, repeat };
    },
  };
}

const PLAIN_TAP: TapPlan = { kind: 'plain', collects: null };
const NO_EXTRAS: Extras = { collected: null, checkin: null, asksConsent: false, openQuestions: [] };
