/**
 * From a reading to a fact to the screen.
 *
 *     UID, card or text ► badge (pure) ► mirror look-up ► debounce (pure) ► plan ► journal.record ★ ► publish
 *
 * Invariants: "captured" is told only after the commit returned (docs/laws.md#law-1); an unknown badge is captured
 * like any other (docs/laws.md#law-8), a badge of the stand team is no lead, and whoever is not admitted, or whose badge
 * names two people, is recorded all the same; whatever goes wrong becomes an outcome that the screen draws, and nothing escapes; readers show light and
 * sound only after the commit.
 */
import type { TapEvent, TapSource } from '../../../contract/tap.ts';
import type { Mirror } from '../../event/mirror/mirror.ts';
import type { BadgeReading } from '../../foundations/badge/badge.ts';
import type { CardReading, Clock, Log, ReaderEvent, ReaderFeedback } from '../../foundations/ports.ts';
import type { StorageGuard } from '../../foundations/store/storage-guard.ts';
import { DEBOUNCE_MS } from '../../foundations/time/windows.ts';
import type { FactEnvelope } from '../../journal/facts/fact.ts';
import type { Journal } from '../../journal/facts/journal.ts';
import type { TapPolicy } from '../visit/tap-policy.ts';
import type { TapSessions } from '../visit/tap-sessions.ts';
import { type Captured, createCapture } from './capture.ts';
import { createCapturedEvents } from './captured-event.ts';
import { createDebounce } from './debounce.ts';
import { createRefusals } from './refusals.ts';
import type { TapPlace } from './tap-facts.ts';
import { createUidFirst } from './uid-first.ts';
import { createUndo } from './undo.ts';
import { unshownOutcomes } from './unshown-taps.ts';

export type TapsPorts = {
  readonly journal: Journal;
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly log: Log;
  /** Where the device stands, as facts record it. */
  readonly place: () => Pick<FactEnvelope, 'touchpoint' | 'partner' | 'clockOffset' | 'staff'>;
  readonly badgeOfCard: (card: CardReading) => BadgeReading;
  readonly badgeOfText: (text: string, source: Exclude<TapSource, 'nfc'>) => BadgeReading;
  /** What was read is no badge: `text` is the card's UID or what a scanner typed. */
  readonly onRefused?: (reading: BadgeReading, text: string, source: TapSource) => void;
  readonly tapPolicy: TapPolicy;
  readonly tapSessions: TapSessions;
  /** Whether it is known whose stand this is; otherwise nothing is captured. */
  readonly isChosen: () => boolean;
  /** What a badge of the stand team opens; null for everybody else's. */
  readonly staffBadge: (codes: readonly string[]) => { readonly ticket: string | null } | null;
  /** Whether `staffBadge` would have something to say of these codes; changes nothing. */
  readonly isStaffBadge: (codes: readonly string[]) => boolean;
  readonly publish: (event: TapEvent) => void;
  /** Whether this tap was shown late, and may be taken back still. */
  readonly isLate: (factId: string) => boolean;
  /** Light and sound at the reader, after the outcome is certain. */
  readonly feedback: (reader: string, what: ReaderFeedback) => void;
  /** The NDEF message of a card was lost that might have said whose badge it is. */
  readonly onLostNdef: () => void;
  /** What was held back from delivery may go. */
  readonly onReleased: () => void;
  readonly storageGuard: StorageGuard;
};

export type Taps = {
  readonly handle: (event: ReaderEvent) => void;
  readonly enter: (text: string, source: Exclude<TapSource, 'nfc'>) => void;
  /** Publishes what no page has shown of earlier runs, after the fact `shown` (its `seq`); before any page can listen. */
  readonly publishUnshown: (shown: number) => void;
  /** Takes back a tap, and all its visitor added to it, while that is offered. */
  readonly undo: (factId: string) => boolean;
  /** The first fact that may still turn out to be another and must not be delivered yet, or null. */
  readonly heldFrom: () => number | null;
};

/** The taps of one device. */
export function createTaps(ports: TapsPorts): Taps {
  const { mirror, clock, publish, feedback } = ports;
  const debounce = createDebounce(DEBOUNCE_MS);
  const placeOf = (source: TapSource, reader: string | null) => (): TapPlace => ({
    source,
    reader,
    ...ports.place(),
  });

  const { outcomeOf, capturedOf, tell } = createAttempts(ports);
  const undo = createUndo({ ...ports, outcomeOf, onUndone: debounce.forget });
  const events = createCapturedEvents(ports);
  const { capture, correct } = createCapture({
    ...ports,
    refusals: createRefusals(ports),
    events,
    debounce,
    undo,
  });

  const take = (reading: BadgeReading, text: string, source: TapSource, reader: string | null): void => {
    if (reading.kind !== 'badge') {
      ports.onRefused?.(reading, text, source);
      publish({ kind: 'refused', at: clock.now(), reason: reading.kind });
      if (reader !== null) feedback(reader, 'refused');
      return;
    }
    const { event } = capturedOf(() => {
      const staff = ports.staffBadge(reading.codes);
      if (staff !== null) {
        return { event: { kind: 'staff', at: clock.now(), ticket: staff.ticket }, tap: null };
      }
      return capture(reading, mirror.ownerOf(reading.codes), placeOf(source, reader));
    });
    publish(event);
    if (reader !== null) feedback(reader, lightOf(event));
  };

  const uidFirst = createUidFirst({
    ...ports,
    ownerOf: mirror.ownerOf,
    capture: (badge, owner, reader) => {
      const captured = capturedOf(() => capture(badge, owner, placeOf('nfc', reader)));
      publish(captured.event);
      return { tap: captured.tap, light: lightOf(captured.event) };
    },
    correct: (tap, badge, reader) => tell(() => correct(tap, badge, placeOf('nfc', reader))),
    withdraw: (tap) => tell(() => undo.withdraw(tap.id)),
  });

  const complete = (event: Extract<ReaderEvent, { kind: 'card' }>): void => {
    const { reader, card } = event;
    const light = uidFirst.completed(event);
    if (light !== null) {
      feedback(reader, light);
      ports.onReleased();
      return;
    }
    if (card.ndef.state === 'timeout' || card.ndef.state === 'failed') ports.onLostNdef();
    take(ports.badgeOfCard(card), card.uid, 'nfc', reader);
  };

  return {
    handle: (event) => {
      const at = clock.now();
      if (event.kind === 'inserted') publish({ kind: 'reading', at });
      if (event.kind === 'removed') publish({ kind: 'removed', at });
      if (event.kind === 'unread') publish({ kind: 'notRead', at, reason: event.reason });
      if (event.kind === 'uid') uidFirst.identified(event);
      if (event.kind === 'card') complete(event);
    },
    enter: (text, source) => take(ports.badgeOfText(text, source), text, source, null),
    publishUnshown: (shown) => {
      for (const event of unshownOutcomes(ports, events, shown)) publish(event);
    },
    undo: undo.undo,
    heldFrom: uidFirst.heldFrom,
  };
}

/** Running what ends in an outcome; a fault of the disk is one, too. */
function createAttempts({ storageGuard, clock, publish }: TapsPorts) {
  const attempt = <Result>(work: () => Result, otherwise: (failed: TapEvent) => Result): Result => {
    const done = storageGuard.attempt(work);
    if (done.kind === 'kept') return done.result;
    return otherwise({ kind: 'failed', at: clock.now(), reason: done.reason });
  };
  return {
    outcomeOf: (work: () => TapEvent): TapEvent => attempt(work, (failed) => failed),
    capturedOf: (work: () => Captured): Captured => attempt(work, (failed) => ({ event: failed, tap: null })),
    /** Tells what came of it, if anything did. */
    tell: (work: () => TapEvent | null): void => {
      const event = attempt(work, (failed) => failed);
      if (event !== null) publish(event);
    },
  };
}

function lightOf(event: TapEvent): ReaderFeedback {
  return event.kind === 'captured' || event.kind === 'staff' ? 'captured' : 'refused';
}
