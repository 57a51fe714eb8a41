/**
 * The path of a tap: from a reading to a fact to the screen.
 *
 *     UID, card or text ► badge (pure) ► mirror look-up ► capture: debounce ► plan ► journal.record ★ ► follow-up ► publish
 *
 * ★: a commit that is on disk before the next step.
 *
 * Invariants:
 * - "Captured" is published only after the commit returned (docs/laws.md#law-1).
 * - An unknown badge is captured like any other (docs/laws.md#law-8). A badge of the stand team is not a lead.
 * - Every fault becomes an outcome that the screen draws. No error is thrown.
 * - Readers show light and sound only after the commit.
 */
import type { TapEvent, TapSource } from '../../../contract/tap.ts';
import type { Mirror } from '../../event/mirror/mirror.ts';
import type { BadgeReading, Clock, Log, ReaderEvent, ReaderFeedback } from '../../foundations/ports.ts';
import type { StorageGuard } from '../../foundations/store/storage-guard.ts';
import { DEBOUNCE_MS } from '../../foundations/time/windows.ts';
import type { FactEnvelope } from '../../journal/facts/fact.ts';
import type { Journal } from '../../journal/facts/journal.ts';
import type { Visits } from '../visit/visits.ts';
import { type Captured, createCapture, type TapPlace } from './capture.ts';
import { createDebounce } from './debounce.ts';
import { createUidFirst } from './uid-first.ts';
import { createUndo } from './undo.ts';
import { unshownOutcomes } from './unshown-taps.ts';

type TapsPorts = {
  readonly journal: Journal;
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly log: Log;
  readonly storageGuard: StorageGuard;
  /** The touchpoint and place of the device, as facts record them. */
  readonly place: () => Pick<FactEnvelope, 'touchpoint' | 'partner' | 'clockOffset' | 'staff'>;
  readonly visits: Visits;
  /** Whether the partner of this stand is known for certain. If it is not, nothing is captured. */
  readonly isChosen: () => boolean;
  readonly badgeOfText: (text: string, source: Exclude<TapSource, 'nfc'>) => BadgeReading;
  /** The effect of a staff badge. Null for any other badge. */
  readonly staffBadge: (codes: readonly string[]) => { readonly ticket: string | null } | null;
  /** Whether `staffBadge` would match these codes. Changes nothing. */
  readonly isStaffBadge: (codes: readonly string[]) => boolean;
  /** Called for a reading that is not a badge. `text` is the card's UID or the scanner's text. */
  readonly onRefused?: (reading: BadgeReading, text: string, source: TapSource) => void;
  readonly publish: (event: TapEvent) => void;
  /** Whether this tap was shown late and can still be undone. */
  readonly isLate: (factId: string) => boolean;
  /** Called when a card's NDEF message was lost. It might have identified the owner. */
  readonly onLostNdef: () => void;
  /** Called when held facts may be delivered. */
  readonly onReleased: () => void;
  /** Light and sound at the reader, once the outcome is certain. */
  readonly feedback: (reader: string, what: ReaderFeedback) => void;
};

export type Taps = {
  readonly handle: (event: ReaderEvent) => void;
  readonly enter: (text: string, source: Exclude<TapSource, 'nfc'>) => void;
  /**
   * Publishes the outcomes of earlier runs that no page has shown: those of facts whose `seq` is greater than
   * `shown`. Call it before any page connects.
   */
  readonly publishUnshown: (shown: number) => void;
  /** Undoes a tap and all additions of its visitor, while the undo is offered. */
  readonly undo: (factId: string) => boolean;
  /** The first fact that may still be corrected and must not be delivered yet, or null. */
  readonly heldFrom: () => number | null;
};

/** The taps of one device. */
export function createTaps(ports: TapsPorts): Taps {
  const { journal, mirror, clock, log, storageGuard, visits, publish, feedback, isLate } = ports;
  const debounce = createDebounce(DEBOUNCE_MS);
  const placeOf = (source: TapSource, reader: string | null) => (): TapPlace => {
    const { touchpoint, partner, clockOffset, staff } = ports.place();
    return { source, reader, touchpoint, partner, clockOffset, staff };
  };

  /** Runs `work`, which returns an outcome. A disk fault also becomes an outcome. */
  const attempt = <Result>(work: () => Result, otherwise: (failed: TapEvent) => Result): Result => {
    const done = storageGuard.attempt(work);
    if (done.kind === 'kept') return done.result;
    return otherwise({ kind: 'failed', at: clock.now(), reason: done.reason });
  };
  const capturedOf = (work: () => Captured): Captured =>
    attempt(work, (failed) => ({ event: failed, tap: null }));
  /** Publishes the outcome, if there is one. */
  const publishOutcome = (work: () => TapEvent | null): void => {
    const event = attempt(work, (failed) => failed);
    if (event !== null) publish(event);
  };

  const undo = createUndo({
    journal,
    clock,
    visits,
    place: ports.place,
    publish,
    isLate,
    outcomeOf: (work) => attempt(work, (failed) => failed),
    onUndone: debounce.forget,
  });
  const { capture, correct } = createCapture({
    journal,
    mirror,
    clock,
    visits,
    debounce,
    undo,
    isChosen: ports.isChosen,
    onRefused: ports.onRefused,
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
    log,
    ownerOf: mirror.ownerOf,
    isStaffBadge: ports.isStaffBadge,
    capture: (badge, owner, reader) => {
      const captured = capturedOf(() => capture(badge, owner, placeOf('nfc', reader)));
      publish(captured.event);
      return { tap: captured.tap, light: lightOf(captured.event) };
    },
    correct: (tap, badge, reader) => publishOutcome(() => correct(tap, badge, placeOf('nfc', reader))),
    withdraw: (tap) => publishOutcome(() => undo.withdraw(tap.id)),
  });

  const complete = (event: Extract<ReaderEvent, { kind: 'card' }>): void => {
    const { reader, card } = event;
    const light = uidFirst.completed(event);
    if (light !== null) {
      feedback(reader, light);
      ports.onReleased();
      return;
    }
    if ('lostNdef' in card.badge) ports.onLostNdef();
    take(card.badge, card.uid, 'nfc', reader);
  };
  const enter = (text: string, source: Exclude<TapSource, 'nfc'>, reader: string | null): void =>
    take(ports.badgeOfText(text, source), text, source, reader);

  return {
    handle: (event) => {
      const at = clock.now();
      if (event.kind === 'inserted') publish({ kind: 'reading', at });
      if (event.kind === 'removed') publish({ kind: 'removed', at });
      if (event.kind === 'unread') publish({ kind: 'notRead', at, reason: event.reason });
      if (event.kind === 'uid') uidFirst.identified(event);
      if (event.kind === 'card') complete(event);
      if (event.kind === 'text') enter(event.text, 'wedge', event.reader);
    },
    enter: (text, source) => enter(text, source, null),
    publishUnshown: (shown) => {
      const { partner } = ports.place();
      for (const event of unshownOutcomes(journal, mirror, clock, visits, partner, shown)) publish(event);
    },
    undo: undo.undo,
    heldFrom: uidFirst.heldFrom,
  };
}

function lightOf(event: TapEvent): ReaderFeedback {
  return event.kind === 'captured' || event.kind === 'staff' ? 'captured' : 'refused';
}
