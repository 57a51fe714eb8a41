/**
 * From a reading to a fact to the screen.
 *
 *     card or text ► badge (pure) ► gate (pure) ► mirror look-up ► journal.record ★ ► tell
 *
 * Invariants: "captured" is told only after `record` returned (law 1); an unknown badge is captured like any other
 * (law 8); whatever goes wrong becomes an outcome that the screen draws, and nothing escapes.
 */
import type { FailedReason, TapEvent, TapSource } from '../../contract/tap.ts';
import type { BadgeReading } from '../badge/badge.ts';
import type { FactEnvelope } from '../journal/fact.ts';
import type { Journal, Recorded } from '../journal/journal.ts';
import type { Mirror, MirrorRecord } from '../mirror/mirror.ts';
import { glimpseOf, snapshotOf } from '../mirror/people.ts';
import type { CardReading, Clock, Log, ReaderEvent, ReaderFeedback } from '../ports.ts';
import { storageFault } from '../store/database.ts';
import { createGate } from './gate.ts';

/** How long "take it back" is offered on the screen, and how much longer it is still honoured. */
export const UNDO_MS = 8_000;
const UNDO_GRACE_MS = 4_000;
const GATE_MS = 3_000;

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
  readonly tell: (event: TapEvent) => void;
  /** Light and sound at the reader, after the outcome is certain. */
  readonly feedback: (reader: string, what: ReaderFeedback) => void;
  /** Something was recorded, or could not be (with the reason). */
  readonly onRecorded: (fault: FailedReason | null) => void;
};

export type Taps = {
  readonly hear: (event: ReaderEvent) => void;
  readonly enter: (text: string, source: Exclude<TapSource, 'nfc'>) => void;
  /** Takes back a tap of this run while it is offered. */
  readonly undo: (factId: string) => boolean;
};

/** The taps of one device. */
export const createTaps = (ports: TapsPorts): Taps => {
  const { journal, mirror, clock, log } = ports;
  const gate = createGate(GATE_MS);

  const captured = (recorded: Recorded, visitor: MirrorRecord | null): CapturedEvent => {
    const { fact, lead } = recorded;
    return {
      kind: 'captured',
      at: fact.at,
      factId: fact.id,
      leadId: lead.id,
      visitor: visitor === null ? null : glimpseOf(visitor),
      repeat: lead.taps > 1 ? { count: lead.taps, since: lead.since } : null,
      undoUntil: fact.at + UNDO_MS,
      collected: null,
      checkin: null,
      asksConsent: false,
      asksQuestions: false,
    };
  };

  /** The same tap shown again while its badge rests on the reader. */
  const showAgain = (factId: string, visitor: MirrorRecord | null): CapturedEvent | null => {
    const fact = journal.fact(factId);
    const lead = fact === null ? null : journal.leads.ofFact(fact.seq);
    if (fact === null || lead === null) return null;
    const event = captured({ fact, lead }, visitor);
    return { ...event, at: clock.now(), repeat: { count: lead.taps, since: lead.since } };
  };

  const capture = (
    codes: readonly [string, ...string[]],
    source: TapSource,
    reader: string | null,
  ): TapEvent => {
    const owner = mirror.ownerOf(codes);
    const visitor = owner.kind === 'visitor' ? owner.visitor : null;
    const badge = owner.kind === 'unknown' ? codes[0] : owner.code;
    const resting = gate.resting(badge, clock.monotonic());
    const again = resting === null ? null : showAgain(resting.factId, visitor);
    if (again !== null) return again;
    const otherCodes = codes.filter((code) => code !== badge);
    const recorded = journal.record(
      {
        kind: 'tap',
        source,
        reader,
        ...ports.place(),
        payload: {
          badge,
          ...(otherCodes.length > 0 ? { otherCodes } : {}),
          ...(visitor === null ? {} : { visitor: visitor.id }),
        },
      },
      visitor === null ? null : snapshotOf(visitor),
    );
    gate.stored(badge, { factId: recorded.fact.id, mono: clock.monotonic() });
    return captured(recorded, visitor);
  };

  /** Runs what ends in an outcome; a fault of the disk is one, too. */
  const outcomeOf = (work: () => TapEvent): TapEvent => {
    try {
      const event = work();
      ports.onRecorded(null);
      return event;
    } catch (error) {
      const reason: FailedReason = storageFault(error) ?? 'failing';
      log.error('a tap could not be saved', {
        reason,
        error: error instanceof Error ? error.message : 'unknown',
      });
      ports.onRecorded(reason);
      return { kind: 'failed', at: clock.now(), reason };
    }
  };

  const take = (reading: BadgeReading, source: TapSource, reader: string | null): void => {
    if (reading.kind !== 'badge') {
      const reason = reading.kind;
      ports.tell({ kind: 'refused', at: clock.now(), reason });
      if (reader !== null) ports.feedback(reader, 'refused');
      return;
    }
    const event = outcomeOf(() => capture(reading.codes, source, reader));
    ports.tell(event);
    if (reader !== null) ports.feedback(reader, event.kind === 'captured' ? 'captured' : 'refused');
  };

  const undo = (factId: string): boolean => {
    const fact = journal.fact(factId);
    if (fact === null || fact.kind !== 'tap' || journal.leads.isUndone(fact.seq)) return false;
    const age = clock.monotonic() - fact.mono;
    if (fact.boot !== journal.boot || age > UNDO_MS + UNDO_GRACE_MS) return false;
    const outcome = outcomeOf(() => {
      journal.record(
        { kind: 'undo', source: fact.source, reader: null, ...ports.place(), payload: { undoes: factId } },
        null,
      );
      return { kind: 'undone', at: clock.now(), factId };
    });
    if (outcome.kind === 'undone') gate.forget(factId);
    ports.tell(outcome);
    return outcome.kind === 'undone';
  };

  return {
    hear: (event) => {
      const at = clock.now();
      if (event.kind === 'inserted') ports.tell({ kind: 'reading', at });
      if (event.kind === 'removed') ports.tell({ kind: 'removed', at });
      if (event.kind === 'unread') ports.tell({ kind: 'notRead', at, reason: event.reason });
      if (event.kind === 'card') take(ports.badgeOfCard(event.card), 'nfc', event.reader);
    },
    enter: (text, source) => take(ports.badgeOfText(text, source), source, null),
    undo,
  };
};
