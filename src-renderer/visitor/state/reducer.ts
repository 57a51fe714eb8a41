/**
 * The state machine of the visitor's display, pure: `reduceDisplay(display, input, now)`.
 *
 *      link, device ──► idle:  connecting ─► attract ◄─► firstSync ◄─► outOfOrder ◄─► linkLost
 *                                 │ ▲                (any idle view; taps count in all of them)
 *             reading, outcome    │ │  timeout, dismissed, link lost: next in queue, else idle
 *                                 ▼ │
 *   typing ─sent─► reading ─► captured ─undo─► (pending) ─► undone
 *      │              │  │       └─touch─► contentPicker | consent, question* ─► goodbye (session.ts; undo in each)
 *      └─timeout      │  └──► notRead | refused | failed | notAdmitted
 *                     └─timeout─► notRead
 *
 *   attract ─► notice            choosing (the content picker before a tap) ─tap─► captured with the chosen contents
 *   consent, question, contentPicker, choosing, notice ─no input─► idlePrompt ─stay─► back to it;  ─timeout─► idle
 *
 *   queue: an outcome that arrives before the previous one was shown for its minimum time waits; none is dropped.
 *
 * Invariants:
 * - Time is an input of every call and never runs backwards here; every timed view has an end.
 * - `captured` is shown only for a captured event (docs/laws.md#law-1).
 * - A new tap replaces any view; an outcome only after its minimum time (docs/laws.md#law-7).
 * - No visitor data is kept once the display moved on, and no company beyond `captured`.
 * - Contents chosen before a tap belong to the next captured tap only.
 * - While the link is down nothing new starts; the current view ends after its minimum time or the link's grace period.
 */
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { OfferItem, Stand } from '../../../src-main/contract/stand.ts';
import type { TapEvent } from '../../../src-main/contract/tap.ts';
import type { LinkState } from '../../link/link-state.ts';
import { displayTimes } from '../../times.ts';
import { idleViewOf } from './idle-view.ts';
import type { DisplayInput } from './input.ts';
import { toggledInBasket } from './offers.ts';
import type { Outcome } from './outcome.ts';
import {
  acknowledge,
  expirePending,
  failPending,
  isUnsaved,
  resetConsents,
  type Session,
  startSession,
} from './session.ts';
import { reduceSession } from './session-reducer.ts';
import {
  capturedView,
  goodbyeTime,
  idlePromptOver,
  isOutcome,
  isPrompting,
  outcomeView,
  pageView,
  readingView,
  sessionOf,
  sessionView,
  typingView,
  withSession,
} from './timed-views.ts';
import type { TimedView, View } from './view.ts';

/** The complete state of the display. */
export type Display = {
  readonly link: LinkState;
  readonly linkSince: number;
  readonly device: DeviceState | null;
  readonly stand: Stand | null;
  /** The view that a visitor caused; null while the display is idle. */
  readonly view: TimedView | null;
  /** Waiting outcomes, oldest first. */
  readonly queue: readonly Outcome[];
  /** Contents chosen for the next tap; null while no visitor is choosing. */
  readonly basket: readonly OfferItem[] | null;
  /** Contents that the content picker shows. */
  readonly shownItems: readonly OfferItem[];
  /** The language chosen by touch, for this session. */
  readonly chosen: { readonly language: string; readonly until: number } | null;
  /** Whether the person uses comfort settings. */
  readonly comfort: boolean;
  /** Whether the choices of an interrupted visitor were saved; null if no visitor was interrupted. */
  readonly interrupted: 'kept' | 'notKept' | null;
  /** A press on "take it back" before this time was meant for the previous visitor's tap. */
  readonly undoFrom: number;
};

/** The initial display. */
export function initialDisplay(now: number): Display {
  const nothing = {
    device: null,
    stand: null,
    view: null,
    queue: [],
    basket: null,
    shownItems: [],
    chosen: null,
  };
  const nobody = { comfort: false, interrupted: null };
  return { link: 'connecting', linkSince: now, undoFrom: now, ...nothing, ...nobody };
}

/** The display after `input` at `now` (milliseconds, any origin, monotonic). */
export function reduceDisplay(display: Display, input: DisplayInput, now: number): Display {
  const after = applyInput(display, input, now);
  const [one, other] = [sessionOf(display.view), sessionOf(after.view)];
  const changed = one?.undo === 'offered' && other !== null && other.factId !== one.factId;
  return changed ? { ...after, undoFrom: now + displayTimes.undoGuard } : after;
}

function applyInput(display: Display, input: DisplayInput, now: number): Display {
  const timely = expire(display, now);
  const { view } = timely;
  switch (input.kind) {
    case 'tap':
      return onTap(timely, input.event, now);
    case 'device':
      return { ...timely, device: input.device };
    case 'stand':
      return onStand(timely, input.stand);
    case 'link':
      return expire(onLink(timely, input.state, now), now);
    case 'undo':
      return requestUndo(timely, now);
    case 'undoAnswer':
      return onUndoAnswer(timely, input.factId, input.answer, now);
    case 'dismiss':
      return showNext(timely, now);
    case 'staff':
      return giveWay(timely, now);
    case 'language':
      return { ...timely, chosen: { language: input.language, until: now + displayTimes.language } };
    case 'typeCode':
      return (view && view.kind !== 'choosing') || timely.link !== 'up'
        ? timely
        : { ...timely, view: typingView(now) };
    case 'typedKey':
      return view?.kind === 'typing'
        ? { ...timely, view: { ...view, until: now + displayTimes.typing } }
        : timely;
    case 'codeSent':
      return view?.kind === 'typing' ? { ...timely, view: readingView(now, true) } : timely;
    case 'codeNotTaken':
      return view?.kind === 'reading' && view.typed
        ? showOutcome(timely, { kind: 'refused', at: 0, reason: 'notABadge' }, now)
        : timely;
    case 'comfort':
      return onComfort(timely, input.on);
    case 'speaking':
      return onSpeaking(timely, input.ms, now);
    case 'touch':
      return onTouch(timely, now);
    case 'stay':
      return view?.kind === 'idlePrompt'
        ? { ...timely, view: { ...view.over, until: now + displayTimes.stepIdle } }
        : timely;
    case 'readNotice':
      return timely.stand?.notice && mayOpen(timely) ? { ...timely, view: pageView('notice', now) } : timely;
    case 'choose':
      return !view && mayOpen(timely) && (timely.stand?.offer.count ?? 0) > 0
        ? { ...timely, view: pageView('choosing', now), basket: [] }
        : timely;
    case 'shownItems':
      return { ...timely, shownItems: input.items };
    case 'tick':
      return timely;
    case 'acknowledged':
      return updateSession(timely, now, (session) =>
        session.factId === input.factId ? acknowledge(session, input.number, input.answer) : session,
      );
    default:
      if (timely.link !== 'up') return timely;
      return input.kind === 'take' && timely.basket && view?.kind === 'choosing'
        ? { ...timely, basket: toggledInBasket(timely.basket, input.item) }
        : expire(
            updateSession(timely, now, (session) => reduceSession(session, input, now)),
            now,
          );
  }
}

/** The current view. */
export function viewOf(display: Display, now: number): View {
  return display.view ?? idleViewOf(display, now);
}

/** The languages of the person at the display, in order of preference. */
export function preferredLanguages(display: Display): readonly string[] {
  const { chosen, view } = display;
  const own = view?.kind === 'undone' ? view.language : sessionOf(view)?.language;
  return [chosen?.language, own].filter((language) => typeof language === 'string');
}

/** The next time after `now` at which `tick` changes something, or null. */
export function nextDeadline(display: Display, now: number): number | null {
  const moments: number[] = [];
  const { view, link, linkSince, chosen } = display;
  const session = sessionOf(view);
  if (view) moments.push(view.until);
  if (view && isOutcome(view) && (display.queue.length > 0 || link !== 'up')) {
    moments.push(view.since + minimumTimeOf(display));
  }
  if (session?.undo === 'offered') moments.push(session.undoUntil);
  for (const { until } of session?.pendingCommands ?? []) moments.push(until);
  if (link === 'lost') moments.push(linkSince + displayTimes.linkGrace);
  if (link === 'connecting') moments.push(linkSince + displayTimes.firstConnection);
  if (chosen && !view) moments.push(chosen.until);
  const next = Math.min(...moments.filter((moment) => moment > now));
  return Number.isFinite(next) ? next : null;
}

function onTap(display: Display, event: TapEvent, now: number): Display {
  const { view } = display;
  const mustWait = display.queue.length > 0 || (view && isOutcome(view) && !wasSeen(display, now));
  switch (event.kind) {
    case 'reading':
      return mustWait || display.link !== 'up' ? display : { ...display, view: readingView(now, false) };
    case 'removed':
      return view?.kind === 'captured' && display.queue.length === 0
        ? { ...display, view: { ...view, until: Math.max(view.until, now + displayTimes.afterRemoval) } }
        : display;
    case 'undone':
      // Only the visitor whose tap was undone may see this.
      return inPlaceOf(display, event.factId, event, now) ?? display;
    case 'staff':
      if (view?.kind === 'reading') return { ...display, view: null };
      // A badge that opens no page does not change the screen.
      return event.ticket === null ? display : giveWay(display, now);
    default: {
      const inPlace =
        event.kind === 'refused' && event.factId !== undefined
          ? inPlaceOf(display, event.factId, event, now)
          : null;
      if (inPlace !== null) return inPlace;
      return mustWait ? { ...display, queue: [...display.queue, event] } : showOutcome(display, event, now);
    }
  }
}

/** Replaces the captured outcome that `event` refers to, on the display or in the queue. Null if it is in neither. */
function inPlaceOf(
  display: Display,
  factId: string,
  event: Exclude<Outcome, { kind: 'captured' }>,
  now: number,
): Display | null {
  const session = sessionOf(display.view);
  if (session?.factId === factId) return { ...display, view: outcomeView(event, now, session) };
  const isAbout = (waits: Outcome) => waits.kind === 'captured' && waits.factId === factId;
  if (!display.queue.some(isAbout)) return null;
  return { ...display, queue: display.queue.map((waits) => (isAbout(waits) ? event : waits)) };
}

function requestUndo(display: Display, now: number): Display {
  const { view, link } = display;
  const session = sessionOf(view);
  if (!view || session?.undo !== 'offered' || link !== 'up') return display;
  if (now < display.undoFrom) return display;
  const until = Math.max(view.kind === 'captured' ? 0 : view.until, now + displayTimes.undoTimeout);
  return { ...display, view: { ...withSession(view, { ...session, undo: 'pending' }), until } };
}

function onUndoAnswer(
  display: Display,
  factId: string,
  answer: 'done' | 'late' | 'failed',
  now: number,
): Display {
  const { view } = display;
  const session = sessionOf(view);
  if (!view || session?.factId !== factId || session.undo !== 'pending') return display;
  if (answer === 'done')
    return { ...display, view: outcomeView({ kind: 'undone', at: 0, factId }, now, session) };
  const until = Math.max(view.kind === 'captured' ? 0 : view.until, now + displayTimes.undoRefused);
  return { ...display, view: { ...withSession(view, { ...session, undo: answer }), until } };
}

/** A new stand applies at once. Switches for another wording are reset. */
function onStand(display: Display, stand: Stand): Display {
  const before = display.stand;
  const { view } = display;
  const session = sessionOf(view);
  const worded = (one: Stand | null) => JSON.stringify([one?.notice, one?.consents]);
  if (!view || !session || worded(before) === worded(stand)) return { ...display, stand };
  return { ...display, stand, view: withSession(view, resetConsents(session, stand)) };
}

function onLink(display: Display, link: LinkState, now: number): Display {
  if (link === display.link) return display;
  const { view } = display;
  const changed: Display = { ...display, link, linkSince: now };
  if (link === 'up' || !view) return changed;
  if (view.kind === 'reading' || view.kind === 'typing') return { ...changed, view: null, basket: null };
  const session = sessionOf(view);
  if (!session) return changed;
  // A lost device cannot acknowledge anything.
  const undo = session.undo === 'pending' ? 'failed' : session.undo === 'offered' ? 'expired' : session.undo;
  return { ...changed, view: withSession(view, failPending({ ...session, undo })) };
}

/**
 * Ends every view whose time is over. It terminates, because each round removes an outcome from the queue or changes
 * the view.
 */
function expire(display: Display, now: number): Display {
  let current = display;
  if (current.chosen && !current.view && now >= current.chosen.until) current = { ...current, chosen: null };
  for (;;) {
    current = updateSession(current, now, (session) => expirePending(session, now));
    const { view, link } = current;
    if (!view) return current;
    const outcome = isOutcome(view);
    // A waiting outcome ends the steps of the previous visitor.
    const makesRoom = outcome
      ? (current.queue.length > 0 || link !== 'up') && wasSeen(current, now)
      : current.queue.length > 0;
    const cutOff = !outcome && link !== 'up' && now - current.linkSince >= displayTimes.linkGrace;
    if (now < view.until && !makesRoom && !cutOff) return current;
    current =
      now >= view.until && !makesRoom && !cutOff ? afterTimeUp(current, view, now) : showNext(current, now);
  }
}

/** The view that follows when `view` times out and the queue is empty. */
function afterTimeUp(display: Display, view: TimedView, now: number): Display {
  if (view.kind === 'reading') return showOutcome(display, { kind: 'notRead', at: 0, reason: 'missed' }, now);
  return isPrompting(view) ? { ...display, view: idlePromptOver(view, now) } : showNext(display, now);
}

/**
 * Shows the next queued outcome, otherwise the content picker before a tap, otherwise the idle view. The idle view
 * resets the chosen language.
 */
function showNext(display: Display, now: number): Display {
  const { view, basket, link } = display;
  const [first, ...queue] = display.queue;
  if (first) return showOutcome({ ...display, queue }, first, now);
  if (!view) return display;
  const left = view.kind === 'idlePrompt' ? view.over : view;
  return basket && left.kind !== 'choosing' && link === 'up'
    ? { ...display, view: pageView('choosing', now) }
    : { ...display, view: null, chosen: null, basket: null, interrupted: null };
}

/** The team wants to open its pages: closes the view as "Done" does. Queued outcomes are shown first. */
function giveWay(display: Display, now: number): Display {
  return showNext(display.queue.length > 0 ? display : { ...display, basket: null }, now);
}

/** Shows an outcome. A captured tap receives the contents that were chosen before it. */
function showOutcome(display: Display, event: Outcome, now: number): Display {
  const interrupted = interruptedBy(display, event);
  if (event.kind !== 'captured') return { ...display, interrupted, view: outcomeView(event, now) };
  const { stand, basket, comfort } = display;
  const session = startSession(event, { stand, chosen: basket ?? [], comfort }, now);
  const inviting = session.open.length > 0 || (stand?.offer.count ?? 0) > 0;
  return { ...display, interrupted, basket: null, view: capturedView(event, session, inviting, now) };
}

/** Another tap interrupted a visitor's step: unsubmitted input is discarded. */
function interruptedBy({ view, interrupted }: Display, event: Outcome): Display['interrupted'] {
  const session = sessionOf(view);
  if (!view || !session || view.kind === 'captured' || view.kind === 'goodbye')
    return view?.kind === 'reading' ? interrupted : null;
  if ('factId' in event && event.factId === session.factId) return null;
  return isUnsaved(session) ? 'notKept' : 'kept';
}

/** Extends the undo window for a person with comfort settings, even if they are chosen after the tap. */
function onComfort(display: Display, comfort: boolean): Display {
  const { view } = display;
  const session = sessionOf(view);
  if (comfort === display.comfort) return display;
  if (!comfort || !view || session?.undo !== 'offered') return { ...display, comfort };
  const undoUntil = Math.max(session.undoUntil, session.undoSince + displayTimes.undoWithComfort);
  const longer = withSession(view, { ...session, undoUntil });
  return { ...display, comfort, view: { ...longer, until: Math.max(view.until, undoUntil) } };
}

/** Activity: a view that waits for input starts its timeout again. */
function onTouch(display: Display, now: number): Display {
  const { view } = display;
  if (view?.kind === 'goodbye')
    return { ...display, view: { ...view, until: now + goodbyeTime(view.session) } };
  if (view?.kind === 'captured' && display.queue.length === 0)
    return { ...display, view: { ...view, until: Math.max(view.until, now + displayTimes.captured) } };
  return view && isPrompting(view)
    ? { ...display, view: { ...view, until: Math.max(view.until, now + displayTimes.stepIdle) } }
    : display;
}

/** A view that is being read aloud stays until the end of the text. Prompts and readings keep their own timeouts. */
function onSpeaking(display: Display, ms: number, now: number): Display {
  const { view } = display;
  if (!view || view.kind === 'idlePrompt' || view.kind === 'reading') return display;
  return { ...display, view: { ...view, until: Math.max(view.until, now + ms) } };
}

function updateSession(display: Display, now: number, change: (session: Session) => Session): Display {
  const { view } = display;
  const session = sessionOf(view);
  if (!view || !session) return display;
  const changed = change(session);
  if (changed === session) return display;
  const same = changed.at === session.at && changed.steps === session.steps;
  return { ...display, view: same ? withSession(view, changed) : sessionView(changed, now) };
}

/** Pages open only while idle or over the content picker before a tap, and only while the device is connected. */
function mayOpen({ view, link }: Display): boolean {
  return (!view || view.kind === 'choosing') && link === 'up';
}

function minimumTimeOf(display: Display): number {
  const { outcomeMinimum } = displayTimes;
  return outcomeMinimum[Math.min(display.queue.length, outcomeMinimum.length - 1)] ?? 0;
}

function wasSeen(display: Display, now: number): boolean {
  return !display.view || now - display.view.since >= minimumTimeOf(display);
}
