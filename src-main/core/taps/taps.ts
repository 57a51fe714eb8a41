/**
 * From a reading to a fact to the screen.
 *
 *     card or text ► badge (pure) ► mirror look-up ► gate (pure) ► plan ► journal.record ★ ► tell
 *
 * Invariants: "captured" is told only after the commit returned (law 1); an unknown badge is captured like any other
 * (law 8), and whoever is not let in, or whose badge names two people, is recorded all the same; whatever goes wrong
 * becomes an outcome that the screen draws, and nothing escapes; readers show light and sound only after the commit.
 */
import type { TapEvent, TapSource } from '../../contract/tap.ts';
import type { BadgeReading } from '../badge/badge.ts';
import type { Fact, FactEnvelope, FactPayload } from '../journal/fact.ts';
import type { FactDraft, Journal, Recorded } from '../journal/journal.ts';
import type { LeadChange, VisitorSnapshot } from '../journal/leads.ts';
import type { Mirror, MirrorRecord } from '../mirror/mirror.ts';
import { publicProfileOf, snapshotOf } from '../mirror/people.ts';
import type { CardReading, Clock, Log, ReaderEvent, ReaderFeedback } from '../ports.ts';
import type { Extras, TapPlan, TapPolicy } from '../stand/tap-policy.ts';
import type { TapSessions } from '../stand/tap-sessions.ts';
import type { StorageGuard } from '../store/storage-guard.ts';
import { DEBOUNCE_MS, UNDO_GRACE_MS, UNDO_MS } from '../time/windows.ts';
import { createDebounce, type Stored } from './debounce.ts';

type CapturedEvent = Extract<TapEvent, { kind: 'captured' }>;

export type TapsPorts = {
  readonly journal: Journal;
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly log: Log;
  /** Where the device stands, as facts record it. */
  readonly place: () => Pick<FactEnvelope, 'touchpoint' | 'partner' | 'clockOffset' | 'staff'>;
  readonly badgeOfCard: (card: CardReading) => BadgeReading;
  readonly badgeOfText: (text: string, source: Exclude<TapSource, 'nfc'>) => BadgeReading;
  readonly tapPolicy: TapPolicy;
  readonly tapSessions: TapSessions;
  readonly publish: (event: TapEvent) => void;
  /** Light and sound at the reader, after the outcome is certain. */
  readonly feedback: (reader: string, what: ReaderFeedback) => void;
  readonly storageGuard: StorageGuard;
};

export type Taps = {
  readonly handle: (event: ReaderEvent) => void;
  readonly enter: (text: string, source: Exclude<TapSource, 'nfc'>) => void;
  /** Takes back a tap of this run, and all its visitor added to it, while that is offered. */
  readonly undo: (factId: string) => boolean;
};

/** The taps of one device. */
export function createTaps(ports: TapsPorts): Taps {
  const { journal, mirror, clock, log, tapPolicy, tapSessions, storageGuard } = ports;
  const debounce = createDebounce(DEBOUNCE_MS);

  const captured = (
    tap: Fact,
    lead: LeadChange,
    visitor: MirrorRecord | null,
    plan: TapPlan,
  ): CapturedEvent => ({
    kind: 'captured',
    at: tap.at,
    factId: tap.id,
    leadId: lead.id,
    visitor:
      visitor === null
        ? null
        : { ...publicProfileOf(visitor), ...(tapPolicy.showsCompany ? {} : { company: null }) },
    repeat: lead.taps > 1 ? { count: lead.taps, since: lead.since } : null,
    undoUntil: tap.at + UNDO_MS,
    ...extrasOf(plan, tap, lead.id),
  });

  /** Looked up beside the tap: whatever is wrong there, the tap counts and is told as what it is. */
  const beside = <Result>(look: () => Result, otherwise: Result): Result => {
    try {
      return look();
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown';
      log.error('what goes with a tap could not be looked up', { error: reason });
      return otherwise;
    }
  };
  const planFor = (visitor: MirrorRecord | null): TapPlan => beside(() => tapPolicy.plan(visitor), PLAIN);
  const extrasOf = (plan: TapPlan, tap: Fact, lead: string): Extras =>
    beside(() => tapPolicy.extras(plan, tap, lead), NOTHING);

  /** The same outcome shown again while its badge rests on the reader. */
  const showAgain = ({ factId, event }: Stored, visitor: MirrorRecord | null): TapEvent => {
    const at = clock.now();
    const tap = journal.fact(factId);
    const lead = tap === null ? null : journal.leads.ofFact(tap.seq);
    if (event.kind !== 'captured' || tap === null || lead === null) return { ...event, at };
    tapSessions.touch(factId);
    const { collected, checkin } = event;
    const now = captured(tap, lead, visitor, { kind: 'plain', collects: null });
    return { ...now, at, collected, checkin, repeat: { count: lead.taps, since: lead.since } };
  };

  /** The facts of a tap; the second is the one that says what was collected, if anything was. */
  const record = (
    plan: TapPlan,
    payload: FactPayload,
    known: VisitorSnapshot | null,
    way: Pick<FactDraft, 'source' | 'reader'>,
  ): readonly [Recorded, string | null] => {
    const place = { ...way, ...ports.place() };
    if (plan.kind === 'plain' && plan.collects !== null) {
      const collects: FactDraft = {
        kind: 'collect',
        ...place,
        payload: { ...payload, content: plan.collects },
      };
      const [tap, collect] = journal.recordAll([{ kind: 'tap', ...place, payload }, collects], known);
      if (tap === undefined || collect === undefined) throw new Error('Expected a tap and what it collects');
      return [tap, collect.fact.id];
    }
    // Recorded as what it is, so that neither the leads nor the platform take it for a contact.
    const why = plan.kind === 'notAdmitted' ? { fields: { turnedAway: plan.reason } } : {};
    if (plan.kind !== 'checkin')
      return [journal.record({ kind: 'tap', ...place, payload: { ...payload, ...why } }, known), null];
    const where = plan.activity === null ? {} : { activity: plan.activity };
    return [journal.record({ kind: 'checkin', ...place, payload: { ...payload, ...where } }, known), null];
  };

  const capture = (
    codes: readonly [string, ...string[]],
    source: TapSource,
    reader: string | null,
  ): TapEvent => {
    const owner = mirror.ownerOf(codes);
    const visitor = owner.kind === 'visitor' ? owner.visitor : null;
    const badge = owner.kind === 'visitor' ? owner.code : codes[0];
    const resting = debounce.resting(badge, clock.monotonic());
    if (resting !== null) return showAgain(resting, visitor);
    const otherCodes = codes.filter((code) => code !== badge);
    const payload: FactPayload = {
      badge,
      ...(otherCodes.length > 0 ? { otherCodes } : {}),
      ...(visitor === null ? {} : { visitor: visitor.id }),
    };
    const known = visitor === null ? null : snapshotOf(visitor);
    const way = { source, reader };
    const told = (): { readonly factId: string; readonly event: TapEvent } => {
      if (owner.kind === 'ambiguous') {
        const [{ fact }] = record(PLAIN, { ...payload, clash: true }, null, way);
        return { factId: fact.id, event: { kind: 'refused', at: fact.at, reason: 'clash' } };
      }
      const plan = planFor(visitor);
      const [{ fact, lead }, collect] = record(plan, payload, known, way);
      if (plan.kind === 'notAdmitted') {
        return { factId: fact.id, event: { kind: 'notAdmitted', at: fact.at, reason: plan.reason } };
      }
      const content = plan.kind === 'plain' ? plan.collects : null;
      const collected = new Map(content !== null && collect !== null ? [[content, collect]] : []);
      tapSessions.open(fact, lead.id, known, collected);
      return { factId: fact.id, event: captured(fact, lead, visitor, plan) };
    };
    const stored = told();
    debounce.stored(badge, { ...stored, mono: clock.monotonic() });
    return stored.event;
  };

  /** Runs what ends in an outcome; a fault of the disk is one, too. */
  const outcomeOf = (work: () => TapEvent): TapEvent => {
    const done = storageGuard.attempt(work);
    return done.kind === 'kept' ? done.result : { kind: 'failed', at: clock.now(), reason: done.reason };
  };

  const take = (reading: BadgeReading, source: TapSource, reader: string | null): void => {
    if (reading.kind !== 'badge') {
      const reason = reading.kind;
      ports.publish({ kind: 'refused', at: clock.now(), reason });
      if (reader !== null) ports.feedback(reader, 'refused');
      return;
    }
    const event = outcomeOf(() => capture(reading.codes, source, reader));
    ports.publish(event);
    if (reader !== null) ports.feedback(reader, event.kind === 'captured' ? 'captured' : 'refused');
  };

  const undo = (factId: string): boolean => {
    const tap = journal.fact(factId);
    if (tap === null || !(tap.kind === 'tap' || tap.kind === 'checkin')) return false;
    const age = clock.monotonic() - tap.mono;
    if (tap.boot !== journal.boot || age > UNDO_MS + UNDO_GRACE_MS || journal.leads.isUndone(tap.seq))
      return false;
    const place = { source: tap.source, reader: null, ...ports.place() };
    const drafts = [...tapSessions.facts(factId), factId].map(
      (undoes): FactDraft => ({ kind: 'undo', ...place, payload: { undoes } }),
    );
    const outcome = outcomeOf(() => {
      journal.recordAll(drafts, null);
      return { kind: 'undone', at: clock.now(), factId };
    });
    if (outcome.kind === 'undone') {
      debounce.forget(factId);
      tapSessions.close(factId);
      tapPolicy.tookBack(tap);
    }
    ports.publish(outcome);
    return outcome.kind === 'undone';
  };

  return {
    handle: (event) => {
      const at = clock.now();
      if (event.kind === 'inserted') ports.publish({ kind: 'reading', at });
      if (event.kind === 'removed') ports.publish({ kind: 'removed', at });
      if (event.kind === 'unread') ports.publish({ kind: 'notRead', at, reason: event.reason });
      if (event.kind === 'card') take(ports.badgeOfCard(event.card), 'nfc', event.reader);
    },
    enter: (text, source) => take(ports.badgeOfText(text, source), source, null),
    undo,
  };
}

const PLAIN: TapPlan = { kind: 'plain', collects: null };
const NOTHING: Extras = { collected: null, checkin: null, asksConsent: false, asksQuestions: false };
