/**
 * How each showing of the display begins, and how a visit is found in it and put back. Pure.
 *
 * Invariant: every showing that is made here ends after `now`.
 */

import { stepOf, type Visit } from './session.ts';
import { type CapturedEvent, type Outcome, type Patient, type Showing, times } from './view.ts';

/** An outcome other than `captured`, at `now`; `language` is that of the visitor it is about, if it is known. */
export function show(
  event: Exclude<Outcome, CapturedEvent>,
  now: number,
  language: string | null = null,
): Showing {
  const span = { since: now, until: now + times[event.kind] };
  switch (event.kind) {
    case 'notAdmitted':
      return { kind: event.kind, ...span, event };
    case 'notRead':
      return { kind: event.kind, ...span, event };
    case 'refused':
      return { kind: event.kind, ...span, event };
    case 'failed':
      return { kind: event.kind, ...span, event };
    case 'undone':
      return { kind: event.kind, ...span, event, language };
  }
}

/** A captured tap: short where steps follow, as long as undo is offered where none do. */
export function showCaptured(event: CapturedEvent, visit: Visit, now: number): Showing {
  const alone = Math.max(visit.undoUntil, now + times.afterRemoval);
  const until = visit.steps.length > 0 ? now + times.captured : alone;
  return { kind: 'captured', since: now, until, event, visit };
}

/** The step `visit` stands at. */
export function showStep(visit: Visit, now: number): Showing {
  const kind = stepOf(visit)?.kind ?? 'goodbye';
  return { kind, since: now, until: now + (kind === 'goodbye' ? times.goodbye : times.patience), visit };
}

/** A reading; `typed` when the code came from a keyboard. */
export function readingOf(now: number, typed: boolean): Showing {
  return { kind: 'reading', since: now, until: now + times.reading, typed };
}

/** Somebody types a code. */
export function typing(now: number): Showing {
  return { kind: 'typing', since: now, until: now + times.typing };
}

/** A page that waits for a person before any tap. */
export function waiting(kind: 'choosing' | 'notice', now: number): Showing {
  return { kind, since: now, until: now + times.patience };
}

/** Asks whether somebody is still there. */
export function stillOver(over: Patient, now: number): Showing {
  return { kind: 'still', since: now, until: now + times.still, over };
}

/** Whether `showing` waits for a person and warns before it ends. */
export function isPatient(showing: Showing): showing is Patient {
  return ['consent', 'question', 'shelf', 'choosing', 'notice'].includes(showing.kind);
}

/** Whether `showing` is an outcome, which is owed a glance. */
export function isOutcome(showing: Showing): boolean {
  return ['captured', 'notAdmitted', 'notRead', 'refused', 'failed', 'undone'].includes(showing.kind);
}

/** The visit `showing` belongs to, or null. */
export function visitOf(showing: Showing | null): Visit | null {
  if (!showing) return null;
  if (showing.kind === 'still') return visitOf(showing.over);
  return 'visit' in showing ? showing.visit : null;
}

/** `showing` with `visit` in place of its own. */
export function withVisit(showing: Showing, visit: Visit): Showing {
  if (showing.kind === 'still') return { ...showing, over: withVisit(showing.over, visit) as Patient };
  return 'visit' in showing ? { ...showing, visit } : showing;
}
