/**
 * What the visitor's display shows: a pure state machine, `step(display, input, now)`.
 *
 *      link, device ──► rest:  connecting ─► attract ◄─► firstSync ◄─► outOfOrder ◄─► linkLost
 *                                 │ ▲                (any rest; taps count in all of them)
 *             reading, outcome    │ │  time over, dismissed, link gone: next in line, else rest
 *                                 ▼ │
 *   typing ─sent─► reading ─► captured ─undo─► (asked) ─► undone
 *      │              │  │       └─3.5 s─► consent? ─► question* ─► shelf? ─► goodbye       (visit.ts; undo in each)
 *      └─time over    │  └──► notRead | refused | failed | notAdmitted
 *                     └─time over─► notRead
 *
 *   attract ─► notice            choosing (the shelf before a tap) ─tap─► captured with what was chosen
 *   consent, question, shelf, choosing, notice ─no touch─► still ─stay─► back to it;  ─time over─► rest
 *
 *   line: an outcome that comes while another one has not had its glance yet waits in line; none is dropped.
 *
 * Invariants: time comes in with every call and never runs backwards in here; every `showing` has an end;
 * `captured` is shown only for a captured event (law 1); a new tap replaces whatever was showing, an outcome as
 * soon as that had its glance (law 7); of a visitor nothing is kept once the display moved on, and no name beyond
 * `captured`; what was chosen before a tap goes with the first tap that is captured and with no other; while the
 * link is down nothing new starts and what shows ends after its glance or the link's grace.
 */
import type { DeviceState } from '../../../src-main/contract/device.ts';
import type { OfferItem, Stand } from '../../../src-main/contract/stand.ts';
import type { TapEvent } from '../../../src-main/contract/tap.ts';
import type { LinkState } from '../../link/link-state.ts';
import { restOf } from './idle-view.ts';
import { allNotKept, beginVisit, moved, overdue, told, underStand, type Visit } from './session.ts';
import { inVisit } from './session-reducer.ts';
import {
  isOutcome,
  isPatient,
  readingOf,
  show,
  showCaptured,
  showStep,
  stillOver,
  typing,
  visitOf,
  waiting,
  withVisit,
} from './timed-views.ts';
import { type Input, longLine, mostChosen, type Outcome, type Showing, type Stage, times } from './view.ts';

/** The whole memory of the display. */
export type Display = {
  readonly link: LinkState;
  readonly linkSince: number;
  readonly device: DeviceState | null;
  readonly stand: Stand | null;
  readonly showing: Showing | null;
  /** Outcomes waiting for their glance, oldest first. */
  readonly line: readonly Outcome[];
  /** What somebody chose for the tap to come; null while nobody is choosing. */
  readonly basket: readonly OfferItem[] | null;
  /** A language somebody chose by touch, for this transaction. */
  readonly chosen: { readonly language: string; readonly until: number } | null;
  /** A press on "take it back" before this was still meant for the visitor shown before. */
  readonly undoFrom: number;
};

/** The display as it is switched on. */
export function firstDisplay(now: number): Display {
  const nothing = { device: null, stand: null, showing: null, line: [], basket: null, chosen: null };
  return { link: 'connecting', linkSince: now, undoFrom: now, ...nothing };
}

/** The display after `input` at `now` (milliseconds, any origin, never smaller than before). */
export function step(display: Display, input: Input, now: number): Display {
  const after = stepped(display, input, now);
  const [one, other] = [visitOf(display.showing), visitOf(after.showing)];
  const changed = one?.undo === 'offered' && other !== null && other.factId !== one.factId;
  return changed ? { ...after, undoFrom: now + times.undoGuard } : after;
}

function stepped(display: Display, input: Input, now: number): Display {
  const timely = expire(display, now);
  const { showing } = timely;
  switch (input.kind) {
    case 'tap':
      return hearTap(timely, input.event, now);
    case 'device':
      return { ...timely, device: input.device };
    case 'stand':
      return standChanged(timely, input.stand);
    case 'link':
      return expire(linkChanged(timely, input.state, now), now);
    case 'undo':
      return askUndo(timely, now);
    case 'undoAnswer':
      return undoAnswered(timely, input.factId, input.answer, now);
    case 'dismiss':
      return next(timely, now);
    case 'language':
      return { ...timely, chosen: { language: input.language, until: now + times.language } };
    case 'typeCode':
      return (showing && showing.kind !== 'choosing') || timely.link !== 'up'
        ? timely
        : { ...timely, showing: typing(now) };
    case 'typedKey':
      return showing?.kind === 'typing'
        ? { ...timely, showing: { ...showing, until: now + times.typing } }
        : timely;
    case 'codeSent':
      return showing?.kind === 'typing' ? { ...timely, showing: readingOf(now, true) } : timely;
    case 'codeNotTaken':
      return showing?.kind === 'reading' && showing.typed
        ? present(timely, { kind: 'refused', at: 0, reason: 'notABadge' }, now)
        : timely;
    case 'touch':
      return touched(timely, now);
    case 'stay':
      return showing?.kind === 'still'
        ? { ...timely, showing: { ...showing.over, until: now + times.patience } }
        : timely;
    case 'readNotice':
      return timely.stand?.notice && mayOpen(timely)
        ? { ...timely, showing: waiting('notice', now) }
        : timely;
    case 'choose':
      return !showing && mayOpen(timely) && (timely.stand?.offer.count ?? 0) > 0
        ? { ...timely, showing: waiting('choosing', now), basket: [] }
        : timely;
    case 'tick':
      return timely;
    case 'told':
      return changeVisit(timely, now, (visit) =>
        visit.factId === input.factId ? told(visit, input.number, input.answer) : visit,
      );
    default:
      if (timely.link !== 'up') return timely;
      return input.kind === 'take' && timely.basket && showing?.kind === 'choosing'
        ? { ...timely, basket: chosenAnew(timely.basket, input.item) }
        : changeVisit(timely, now, (visit) => inVisit(visit, input, now));
  }
}

/** What is on the screen. */
export function stageOf(display: Display, now: number): Stage {
  return display.showing ?? restOf(display, now);
}

/** The language the display should speak, if anybody on it has one; best wish first. */
export function wishesOf(display: Display): readonly string[] {
  const { chosen, showing } = display;
  const own = showing?.kind === 'undone' ? showing.language : visitOf(showing)?.language;
  return [chosen?.language, own].filter((wish) => typeof wish === 'string');
}

/** The next moment after `now` at which `tick` would change something, or null. */
export function wakeAt(display: Display, now: number): number | null {
  const moments: number[] = [];
  const { showing, link, linkSince, chosen } = display;
  const visit = visitOf(showing);
  if (showing) moments.push(showing.until);
  if (showing && isOutcome(showing) && (display.line.length > 0 || link !== 'up')) {
    moments.push(showing.since + glanceOf(display));
  }
  if (visit?.undo === 'offered') moments.push(visit.undoUntil);
  for (const { until } of visit?.asks ?? []) moments.push(until);
  if (link === 'lost') moments.push(linkSince + times.linkGrace);
  if (link === 'connecting') moments.push(linkSince + times.firstConnection);
  if (chosen && !showing) moments.push(chosen.until);
  const next = Math.min(...moments.filter((moment) => moment > now));
  return Number.isFinite(next) ? next : null;
}

function hearTap(display: Display, event: TapEvent, now: number): Display {
  const { showing } = display;
  const mustWait = display.line.length > 0 || (showing && isOutcome(showing) && !hadGlance(display, now));
  switch (event.kind) {
    case 'reading':
      return mustWait || display.link !== 'up' ? display : { ...display, showing: readingOf(now, false) };
    case 'removed':
      return showing?.kind === 'captured' && showing.visit.steps.length === 0 && display.line.length === 0
        ? { ...display, showing: { ...showing, until: Math.max(showing.until, now + times.afterRemoval) } }
        : display;
    case 'undone':
      return hearUndone(display, event, now);
    default:
      return mustWait ? { ...display, line: [...display.line, event] } : present(display, event, now);
  }
}

/** Only the visitor whose tap was taken back may see it: on the display or still waiting in line. */
function hearUndone(display: Display, event: Outcome & { kind: 'undone' }, now: number): Display {
  const line = display.line.map((waits) =>
    waits.kind === 'captured' && waits.factId === event.factId ? event : waits,
  );
  const visit = visitOf(display.showing);
  return visit?.factId === event.factId
    ? { ...display, line, showing: show(event, now, visit.language) }
    : { ...display, line };
}

function askUndo(display: Display, now: number): Display {
  const { showing, link } = display;
  const visit = visitOf(showing);
  if (!showing || visit?.undo !== 'offered' || link !== 'up') return display;
  if (now < display.undoFrom) return display;
  const until = Math.max(showing.kind === 'captured' ? 0 : showing.until, now + times.undoAnswer);
  return { ...display, showing: { ...withVisit(showing, { ...visit, undo: 'asked' }), until } };
}

function undoAnswered(
  display: Display,
  factId: string,
  answer: 'done' | 'late' | 'failed',
  now: number,
): Display {
  const { showing } = display;
  const visit = visitOf(showing);
  if (!showing || visit?.factId !== factId || visit.undo !== 'asked') return display;
  if (answer === 'done')
    return { ...display, showing: show({ kind: 'undone', at: 0, factId }, now, visit.language) };
  const until = Math.max(showing.kind === 'captured' ? 0 : showing.until, now + times.undoRefused);
  return { ...display, showing: { ...withVisit(showing, { ...visit, undo: answer }), until } };
}

/** A new stand counts at once; switches set for another wording are set back. */
function standChanged(display: Display, stand: Stand): Display {
  const before = display.stand;
  const { showing } = display;
  const visit = visitOf(showing);
  const worded = (one: Stand | null) => JSON.stringify([one?.notice, one?.consents]);
  if (!showing || !visit || worded(before) === worded(stand)) return { ...display, stand };
  return { ...display, stand, showing: withVisit(showing, underStand(visit, stand)) };
}

function linkChanged(display: Display, link: LinkState, now: number): Display {
  if (link === display.link) return display;
  const { showing } = display;
  const changed: Display = { ...display, link, linkSince: now };
  if (link === 'up' || !showing) return changed;
  if (showing.kind === 'reading' || showing.kind === 'typing')
    return { ...changed, showing: null, basket: null };
  const visit = visitOf(showing);
  if (!visit) return changed;
  // What was asked of a lost device can no longer be answered.
  const undo = visit.undo === 'asked' ? 'failed' : visit.undo === 'offered' ? 'over' : visit.undo;
  return { ...changed, showing: withVisit(showing, allNotKept({ ...visit, undo })) };
}

/** Lets go of everything whose time is over. Ends: each round takes one outcome out of the line or moves on. */
function expire(display: Display, now: number): Display {
  let current = display;
  if (current.chosen && !current.showing && now >= current.chosen.until)
    current = { ...current, chosen: null };
  for (;;) {
    current = changeVisit(current, now, (visit) => overdue(visit, now));
    const { showing, link } = current;
    if (!showing) return current;
    const outcome = isOutcome(showing);
    const pressed = outcome && (current.line.length > 0 || link !== 'up') && hadGlance(current, now);
    const cutOff = !outcome && link !== 'up' && now - current.linkSince >= times.linkGrace;
    if (now < showing.until && !pressed && !cutOff) return current;
    current = now >= showing.until && !pressed && !cutOff ? over(current, showing, now) : next(current, now);
  }
}

/** What follows when the time of `showing` is over and nothing presses. */
function over(display: Display, showing: Showing, now: number): Display {
  if (showing.kind === 'reading') return present(display, { kind: 'notRead', at: 0, reason: 'missed' }, now);
  if (showing.kind === 'captured' && showing.visit.steps.length > 0)
    return { ...display, showing: showStep(moved(showing.visit, 1), now) };
  return isPatient(showing) ? { ...display, showing: stillOver(showing, now) } : next(display, now);
}

/** The next in line, else back to choosing, else rest; with rest the transaction and its language are over. */
function next(display: Display, now: number): Display {
  const { showing, basket, link } = display;
  const [first, ...line] = display.line;
  if (first) return present({ ...display, line }, first, now);
  if (!showing) return display;
  const left = showing.kind === 'still' ? showing.over : showing;
  return basket && left.kind !== 'choosing' && link === 'up'
    ? { ...display, showing: waiting('choosing', now) }
    : { ...display, showing: null, chosen: null, basket: null };
}

/** Puts an outcome on the display; a captured tap takes along what was chosen for it. */
function present(display: Display, event: Outcome, now: number): Display {
  if (event.kind !== 'captured') return { ...display, showing: show(event, now) };
  const { stand, device, basket } = display;
  const visit = beginVisit(event, { stand, purpose: device?.purpose ?? null, chosen: basket ?? [] }, now);
  return { ...display, basket: null, showing: showCaptured(event, visit, now) };
}

/** A sign of life: what waits, waits anew. */
function touched(display: Display, now: number): Display {
  const { showing } = display;
  if (showing?.kind === 'goodbye') return { ...display, showing: { ...showing, until: now + times.goodbye } };
  return showing && isPatient(showing)
    ? { ...display, showing: { ...showing, until: Math.max(showing.until, now + times.patience) } }
    : display;
}

function changeVisit(display: Display, now: number, change: (visit: Visit) => Visit): Display {
  const { showing } = display;
  const visit = visitOf(showing);
  if (!showing || !visit) return display;
  const changed = change(visit);
  if (changed === visit) return display;
  const same = changed.at === visit.at && changed.steps === visit.steps;
  return { ...display, showing: same ? withVisit(showing, changed) : showStep(changed, now) };
}

function chosenAnew(basket: readonly OfferItem[], item: OfferItem): readonly OfferItem[] {
  const rest = basket.filter(({ id }) => id !== item.id);
  return rest.length < basket.length ? rest : [...basket, item].slice(0, mostChosen);
}

/** Pages open from rest or over the shelf before a tap, and only while the device is there. */
function mayOpen({ showing, link }: Display): boolean {
  return (!showing || showing.kind === 'choosing') && link === 'up';
}

function glanceOf(display: Display): number {
  return display.line.length >= longLine ? times.shortGlance : times.glance;
}

function hadGlance(display: Display, now: number): boolean {
  return !display.showing || now - display.showing.since >= glanceOf(display);
}
