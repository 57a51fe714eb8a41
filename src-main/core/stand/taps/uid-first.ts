/**
 * UID first: a badge whose UID names a visitor is captured at the card's first answer, before its message is read
 * (docs/decisions/uid-first.md).
 *
 * ```
 *   uid ──► names one visitor? ──no──► nothing yet: the whole card decides
 *                 │yes
 *                 ▼
 *           captured ★, published; not delivered yet
 *                 │
 *   card ─────────┴─► its message names no other visitor ─► stands
 *                  ├► it names another ──────────────────► corrected ★, published in place of the first
 *                  └► it is the stand team's ────────────► taken back ★, published as such
 * ```
 *
 * ★: a commit that is on disk before the next step.
 *
 * Invariants:
 * - One insertion has one outcome, and at most one correction of it.
 * - A tap that may still be corrected is not delivered.
 * - After a correction, the message of that badge is always read before the tap is captured.
 */

import type { BadgeOwner } from '../../event/mirror/mirror.ts';
import type { Log, ReaderEvent, ReaderFeedback } from '../../foundations/ports.ts';
import { whyOf } from '../../foundations/trace.ts';
import type { Badge, KeptTap } from './capture.ts';

type Visitor = Extract<BadgeOwner, { kind: 'visitor' }>;

/** Result of a capture: its tap, null when nothing was recorded, and the reader's feedback. */
type EarlyTap = { readonly tap: KeptTap | null; readonly light: ReaderFeedback };

type UidFirstPorts = {
  readonly log: Log;
  readonly ownerOf: (codes: Badge['codes']) => BadgeOwner;
  /** Captures the tap and publishes its outcome. */
  readonly capture: (badge: Badge, owner: Visitor, reader: string) => EarlyTap;
  /** Undoes the tap, records a clash, and publishes the clash instead. */
  readonly correct: (tap: KeptTap, badge: Badge, reader: string) => void;
  /** Whether a badge belongs to the stand team, or is about to be assigned. */
  readonly isStaffBadge: (codes: Badge['codes']) => boolean;
  /** Undoes the tap and publishes that it was undone. */
  readonly withdraw: (tap: KeptTap) => void;
};

type UidFirst = {
  /** The card's first answer. */
  readonly identified: (event: Extract<ReaderEvent, { kind: 'uid' }>) => void;
  /** The complete card. Returns the reader's feedback, or null if the card was not captured by its UID. */
  readonly completed: (event: Extract<ReaderEvent, { kind: 'card' }>) => ReaderFeedback | null;
  /** The first fact that may still be corrected, or null. */
  readonly heldFrom: () => number | null;
};

/** An insertion that was captured by its UID. */
type Early = EarlyTap & { readonly insertion: number; readonly visitor: string };

/** The captures by UID of one device. */
export function createUidFirst(ports: UidFirstPorts): UidFirst {
  const { log, isStaffBadge } = ports;
  const earlyByReader = new Map<string, Early>();
  const corrected = new Set<string>();

  const lookUp = (codes: Badge['codes']): BadgeOwner => {
    try {
      return ports.ownerOf(codes);
    } catch (error) {
      log.error('a badge could not be looked up by its UID', { error: whyOf(error) });
      return { kind: 'unknown' };
    }
  };
  const namesAnother = (codes: Badge['codes'], visitor: string): boolean => {
    const owner = lookUp(codes);
    return owner.kind === 'ambiguous' || (owner.kind === 'visitor' && owner.visitor.id !== visitor);
  };

  return {
    identified: ({ reader, insertion, card: { uid, badge } }) => {
      if (corrected.has(uid)) return;
      const owner = badge.kind === 'badge' ? lookUp(badge.codes) : null;
      if (badge.kind !== 'badge' || owner?.kind !== 'visitor' || isStaffBadge(badge.codes)) return;
      const early = ports.capture(badge, owner, reader);
      earlyByReader.set(reader, { ...early, insertion, visitor: owner.visitor.id });
    },
    completed: ({ reader, insertion, card: { uid, badge } }) => {
      const early = earlyByReader.get(reader);
      if (early?.insertion !== insertion) return null;
      if (badge.kind === 'badge' && isStaffBadge(badge.codes)) {
        if (early.tap !== null) ports.withdraw(early.tap);
        earlyByReader.delete(reader);
        return null;
      }
      // A card with a UID of the event is a badge, with any content of its memory.
      const isAnother = badge.kind === 'badge' && namesAnother(badge.codes, early.visitor);
      if (isAnother && early.tap !== null) {
        corrected.add(uid);
        ports.correct(early.tap, badge, reader);
      }
      earlyByReader.delete(reader);
      return isAnother ? 'refused' : early.light;
    },
    heldFrom: () => {
      const seqs = [...earlyByReader.values()].flatMap(({ tap }) => (tap === null ? [] : [tap.seq]));
      return seqs.length === 0 ? null : Math.min(...seqs);
    },
  };
}
