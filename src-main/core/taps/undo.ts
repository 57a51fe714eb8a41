/**
 * Taking back a tap and all its visitor added to it.
 *
 * Invariants: only a tap of this run, once, and only while that is offered (with a grace for the finger on its way);
 * the tap and what was added go together or not at all; nothing is deleted, a fact says that it counts no more.
 */
import type { TapEvent } from '../../contract/tap.ts';
import type { FactDraft, Journal } from '../journal/journal.ts';
import type { Clock } from '../ports.ts';
import type { TapPolicy } from '../stand/tap-policy.ts';
import type { TapSessions } from '../stand/tap-sessions.ts';
import { UNDO_GRACE_MS, UNDO_MS } from '../time/windows.ts';
import type { TapPlace } from './tap-facts.ts';

export type UndoPorts = {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly place: () => Omit<TapPlace, 'source' | 'reader'>;
  readonly tapPolicy: TapPolicy;
  readonly tapSessions: TapSessions;
  readonly publish: (event: TapEvent) => void;
  /** Whether this tap was shown late, and may be taken back still. */
  readonly isLate: (factId: string) => boolean;
  /** Runs what ends in an outcome; a fault of the disk is one, too. */
  readonly outcomeOf: (work: () => TapEvent) => TapEvent;
  readonly onUndone: (factId: string) => void;
};

/** The undo of one device: true when the tap of this id was taken back. */
export function createUndo(ports: UndoPorts): (factId: string) => boolean {
  const { journal, clock, tapPolicy, tapSessions } = ports;
  return (factId) => {
    const tap = journal.fact(factId);
    if (tap === null || !(tap.kind === 'tap' || tap.kind === 'checkin')) return false;
    const isOffered = clock.monotonic() - tap.mono <= UNDO_MS + UNDO_GRACE_MS || ports.isLate(factId);
    if (tap.boot !== journal.boot || !isOffered || journal.leads.isUndone(tap.seq)) return false;
    const place = { source: tap.source, reader: null, ...ports.place() };
    const drafts = [...tapSessions.facts(factId), factId].map(
      (undoes): FactDraft => ({ kind: 'undo', ...place, payload: { undoes } }),
    );
    const outcome = ports.outcomeOf(() => {
      journal.recordAll(drafts, null);
      return { kind: 'undone', at: clock.now(), factId };
    });
    if (outcome.kind === 'undone') {
      ports.onUndone(factId);
      tapSessions.close(factId);
      tapPolicy.tookBack(tap);
    }
    ports.publish(outcome);
    return outcome.kind === 'undone';
  };
}
