/**
 * Constructors of timed views, and access to the session inside them. Pure.
 *
 * Invariant: every view that is made here ends after `now`.
 */
import { displayTimes } from '../../times.ts';
import type { CapturedEvent, Outcome } from './outcome.ts';
import { currentStep, type Session } from './session.ts';
import type { PromptingView, TimedView } from './view.ts';

/** An outcome other than `captured`, at `now`. `session`: the session of its visitor, if it was displayed. */
export function outcomeView(
  event: Exclude<Outcome, CapturedEvent>,
  now: number,
  session: Session | null = null,
): TimedView {
  const span = { since: now, until: now + displayTimes[event.kind] };
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
      return {
        kind: event.kind,
        ...span,
        event,
        language: session?.language ?? null,
        tapKind: session?.tapKind ?? 'first',
      };
  }
}

/**
 * A captured tap. It stays until the undo window ends, but at least for a minimum time. The minimum is longer if the
 * view invites the visitor to do more (`inviting`).
 */
export function capturedView(
  event: CapturedEvent,
  session: Session,
  inviting: boolean,
  now: number,
): TimedView {
  const stays = inviting ? displayTimes.captured : displayTimes.afterRemoval;
  return { kind: 'captured', since: now, until: Math.max(session.undoUntil, now + stays), event, session };
}

/** The current step of `session` as a view. */
export function sessionView(session: Session, now: number): TimedView {
  const kind = currentStep(session)?.kind ?? 'goodbye';
  return {
    kind,
    since: now,
    until: now + (kind === 'goodbye' ? goodbyeTime(session) : displayTimes.stepIdle),
    session,
  };
}

/** How long the goodbye of `session` stays after the last touch, in milliseconds. */
export function goodbyeTime(session: Session): number {
  return session.selections.some(({ taken }) => taken) ? displayTimes.bag : displayTimes.goodbye;
}

/**
 * When `view` closes without input, on the display's clock, including the idle prompt's time. Null for a view that does
 * not show its closing time. The idle prompt has its own countdown.
 */
export function closingOf(view: TimedView): number | null {
  if (isPrompting(view)) return view.until + displayTimes.idlePrompt;
  return view.kind === 'goodbye' ? view.until : null;
}

/** A reading; `typed` if the code came from a keyboard. */
export function readingView(now: number, typed: boolean): TimedView {
  return { kind: 'reading', since: now, until: now + displayTimes.reading, typed };
}

/** The view in which a code is typed. */
export function typingView(now: number): TimedView {
  return { kind: 'typing', since: now, until: now + displayTimes.typing };
}

/** A page that waits for input before any tap. */
export function pageView(kind: 'choosing' | 'notice', now: number): TimedView {
  return { kind, since: now, until: now + displayTimes.stepIdle };
}

/** The question whether the visitor is still there. */
export function idlePromptOver(over: PromptingView, now: number): TimedView {
  return { kind: 'idlePrompt', since: now, until: now + displayTimes.idlePrompt, over };
}

/** Whether `view` waits for input and asks before it ends. */
export function isPrompting(view: TimedView): view is PromptingView {
  return ['consent', 'question', 'contentPicker', 'choosing', 'notice'].includes(view.kind);
}

/** Whether `view` is an outcome, which is shown for a minimum time. */
export function isOutcome(view: TimedView): boolean {
  return ['captured', 'notAdmitted', 'notRead', 'refused', 'failed', 'undone'].includes(view.kind);
}

/** The session of `view`, or null. */
export function sessionOf(view: TimedView | null): Session | null {
  if (!view) return null;
  if (view.kind === 'idlePrompt') return sessionOf(view.over);
  return 'session' in view ? view.session : null;
}

/** `view` with `session` in place of its own session. */
export function withSession(view: TimedView, session: Session): TimedView {
  if (view.kind === 'idlePrompt') return { ...view, over: withSession(view.over, session) as PromptingView };
  return 'session' in view ? { ...view, session } : view;
}
