/**
 * Undoes a tap and all additions of its visitor: on the visitor's request, or because it belonged to another badge.
 *
 * Invariants:
 * - A visitor can undo only while it is offered, plus a grace period. A tap of an earlier run can be undone only
 *   after this run showed it.
 * - Each tap is undone once, with all its additions or not at all.
 * - Nothing is deleted: a fact records that the tap no longer counts.
 */
import type { TapEvent } from '../../../contract/tap.ts';
import type { Clock } from '../../foundations/ports.ts';
import { UNDO_GRACE_MS, UNDO_WITH_COMFORT_MS } from '../../foundations/time/windows.ts';
import type { FactOf } from '../../journal/facts/fact.ts';
import type { FactDraft, Journal, Recorded } from '../../journal/facts/journal.ts';
import type { Visits } from '../visit/visits.ts';

type TapFact = FactOf<'tap' | 'checkin'>;

type UndoPorts = {
  readonly journal: Journal;
  readonly clock: Clock;
  /** The touchpoint and place of the device, as facts record them. */
  readonly place: () => Pick<FactDraft, 'touchpoint' | 'partner' | 'clockOffset' | 'staff'>;
  readonly visits: Pick<Visits, 'added' | 'tookBack' | 'undoMs'>;
  readonly publish: (event: TapEvent) => void;
  /** Whether this tap was shown late and can still be undone. */
  readonly isLate: (factId: string) => boolean;
  /** Runs `work`, which returns an outcome. A disk fault also becomes an outcome. */
  readonly outcomeOf: (work: () => TapEvent) => TapEvent;
  readonly onUndone: (factId: string) => void;
};

export type Undo = {
  /** Undoes the tap with this id while the undo is offered. Returns true if it did. */
  readonly undo: (factId: string) => boolean;
  /** Replaces a tap with `instead`, in one commit. Null if the tap was already undone. */
  readonly correct: (factId: string, instead: FactDraft) => Recorded | null;
  /** Undoes a reading that was not a tap. Null if it was already undone. */
  readonly withdraw: (factId: string) => TapEvent | null;
};

/** The undo of one device. */
export function createUndo(ports: UndoPorts): Undo {
  const { journal, clock, visits } = ports;

  const tapOf = (factId: string): TapFact | null => {
    const tap = journal.fact(factId);
    const isTap = tap !== null && (tap.kind === 'tap' || tap.kind === 'checkin');
    return isTap && !journal.leads.isUndone(tap.seq) ? tap : null;
  };
  /** Facts that undo the tap and all its additions. */
  const undoing = (tap: TapFact): readonly FactDraft[] => {
    const { touchpoint, partner, clockOffset, staff } = ports.place();
    const place = { source: tap.source, reader: null, touchpoint, partner, clockOffset, staff };
    return [...visits.added(tap.id), tap.id].map(
      (undoes): FactDraft => ({ kind: 'undo', ...place, payload: { undoes } }),
    );
  };
  const forget = (tap: TapFact): void => {
    ports.onUndone(tap.id);
    visits.tookBack(tap);
  };
  const takeBack = (factId: string, instead: readonly FactDraft[]): readonly Recorded[] | null => {
    const tap = tapOf(factId);
    if (tap === null) return null;
    const recorded = journal.recordAll([...undoing(tap), ...instead], null);
    forget(tap);
    return recorded;
  };

  return {
    undo: (factId) => {
      const tap = tapOf(factId);
      if (tap === null) return false;
      const window = Math.max(visits.undoMs, UNDO_WITH_COMFORT_MS) + UNDO_GRACE_MS;
      const isRecent = tap.boot === journal.boot && clock.monotonic() - tap.mono <= window;
      if (!(isRecent || ports.isLate(factId))) return false;
      const outcome = ports.outcomeOf(() => {
        journal.recordAll(undoing(tap), null);
        return { kind: 'undone', at: clock.now(), factId };
      });
      if (outcome.kind === 'undone') forget(tap);
      ports.publish(outcome);
      return outcome.kind === 'undone';
    },
    correct: (factId, instead) => takeBack(factId, [instead])?.at(-1) ?? null,
    withdraw: (factId) => {
      const undone = { kind: 'undone', at: clock.now(), factId } as const;
      return takeBack(factId, []) === null ? null : undone;
    },
  };
}
