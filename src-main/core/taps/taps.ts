/**
 * From a reading to a fact to the screen.
 *
 *     card or text ► badge (pure) ► mirror look-up ► debounce (pure) ► plan ► journal.record ★ ► publish
 *
 * Invariants: "captured" is told only after the commit returned (docs/laws.md#law-1); an unknown badge is captured
 * like any other (docs/laws.md#law-8), a badge of the stand team is no lead, and whoever is not admitted, or whose badge names two people, is recorded all
 * the same; whatever goes wrong becomes an outcome that the screen draws, and nothing escapes; readers show light and
 * sound only after the commit.
 */
import type { TapEvent, TapSource } from '../../contract/tap.ts';
import type { BadgeReading } from '../badge/badge.ts';
import type { BadgeReference, FactEnvelope } from '../journal/fact.ts';
import type { Journal, Recorded } from '../journal/journal.ts';
import type { VisitorSnapshot } from '../journal/leads.ts';
import type { Mirror, MirrorRecord } from '../mirror/mirror.ts';
import { snapshotOf } from '../mirror/people.ts';
import type { CardReading, Clock, Log, ReaderEvent, ReaderFeedback } from '../ports.ts';
import type { TapPolicy } from '../stand/tap-policy.ts';
import type { TapSessions } from '../stand/tap-sessions.ts';
import type { StorageGuard } from '../store/storage-guard.ts';
import { DEBOUNCE_MS } from '../time/windows.ts';
import { type CapturedEvents, createCapturedEvents } from './captured-event.ts';
import { createDebounce, type Debounce } from './debounce.ts';
import { factOfClash, factsOfTap, type TapFacts, type TapPlace } from './tap-facts.ts';
import { createUndo } from './undo.ts';

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
  /** What a badge of the stand team opens; null for everybody else's. */
  readonly staffBadge: (codes: readonly string[]) => { readonly ticket: string | null } | null;
  readonly publish: (event: TapEvent) => void;
  /** Whether this tap was shown late, and may be taken back still. */
  readonly isLate: (factId: string) => boolean;
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

type Badge = Extract<BadgeReading, { kind: 'badge' }>;

/** The taps of one device. */
export function createTaps(ports: TapsPorts): Taps {
  const { clock, publish, feedback, storageGuard } = ports;
  const debounce = createDebounce(DEBOUNCE_MS);
  const events = createCapturedEvents(ports);

  /** Runs what ends in an outcome; a fault of the disk is one, too. */
  const outcomeOf = (work: () => TapEvent): TapEvent => {
    const done = storageGuard.attempt(work);
    return done.kind === 'kept' ? done.result : { kind: 'failed', at: clock.now(), reason: done.reason };
  };

  const take = (reading: BadgeReading, source: TapSource, reader: string | null): void => {
    if (reading.kind !== 'badge') {
      publish({ kind: 'refused', at: clock.now(), reason: reading.kind });
      if (reader !== null) feedback(reader, 'refused');
      return;
    }
    const place = (): TapPlace => ({ source, reader, ...ports.place() });
    const event = outcomeOf((): TapEvent => {
      const staff = ports.staffBadge(reading.codes);
      if (staff !== null) return { kind: 'staff', at: clock.now(), ticket: staff.ticket };
      return capture(ports, events, debounce, reading, place);
    });
    publish(event);
    const isGood = event.kind === 'captured' || event.kind === 'staff';
    if (reader !== null) feedback(reader, isGood ? 'captured' : 'refused');
  };

  return {
    handle: (event) => {
      const at = clock.now();
      if (event.kind === 'inserted') publish({ kind: 'reading', at });
      if (event.kind === 'removed') publish({ kind: 'removed', at });
      if (event.kind === 'unread') publish({ kind: 'notRead', at, reason: event.reason });
      if (event.kind === 'card') take(ports.badgeOfCard(event.card), 'nfc', event.reader);
    },
    enter: (text, source) => take(ports.badgeOfText(text, source), source, null),
    undo: createUndo({ ...ports, outcomeOf, onUndone: debounce.forget }),
  };
}

/** Records a tap of a badge, or finds that it still rests on the reader; the outcome is true when this returns. */
function capture(
  { journal, mirror, clock, tapSessions }: TapsPorts,
  events: CapturedEvents,
  debounce: Debounce,
  { codes, lostNdef }: Badge,
  placeNow: () => TapPlace,
): TapEvent {
  const owner = mirror.ownerOf(codes);
  const visitor = owner.kind === 'visitor' ? owner.visitor : null;
  const badge = owner.kind === 'visitor' ? owner.code : codes[0];
  const resting = debounce.resting(badge, clock.monotonic());
  if (resting !== null) return events.again(resting, visitor);
  const who = referenceOf(badge, codes, visitor);
  const loss = lostNdef === undefined ? {} : { lostNdef };
  const place = placeNow();
  const stored = (tap: Recorded, event: TapEvent): TapEvent => {
    debounce.stored(badge, { factId: tap.fact.id, event, mono: clock.monotonic() });
    return event;
  };

  if (owner.kind === 'ambiguous') {
    const clash = journal.record(factOfClash({ ...who, ...loss }, place), null);
    return stored(clash, { kind: 'refused', at: clash.fact.at, reason: 'clash' });
  }
  const plan = events.plan(visitor);
  const known = visitor === null ? null : snapshotOf(visitor);
  const { tap, collect } = record(journal, factsOfTap(plan, who, loss, place), known);
  if (plan.kind === 'notAdmitted') {
    return stored(tap, { kind: 'notAdmitted', at: tap.fact.at, reason: plan.reason });
  }
  const content = plan.kind === 'plain' ? plan.collects : null;
  const collected = new Map(content !== null && collect !== null ? [[content, collect]] : []);
  tapSessions.open(tap.fact, who, tap.lead.id, known, collected);
  return stored(tap, events.of(tap.fact, tap.lead, visitor, plan));
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
