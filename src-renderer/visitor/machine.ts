/**
 * What the visitor's display shows: a pure state machine, `step(display, input, now)`.
 *
 *      link, device ──► rest:  connecting ─► attract ◄─► firstSync ◄─► outOfOrder ◄─► linkLost
 *                                 │ ▲                (any rest; taps count in all of them)
 *             reading, outcome    │ │  time over, dismissed, link gone: next in line, else rest
 *                                 ▼ │
 *   typing ─sent─► reading ─► captured ─undo─► (asked) ─► undone
 *      │              │  └──► notRead | refused | failed
 *      └─time over    └─time over─► notRead
 *
 *   line: an outcome that comes while another one has not had its glance yet waits in line; none is dropped.
 *
 * Invariants: time comes in with every call and never runs backwards in here; every `showing` has an end;
 * `captured` is shown only for a captured event (law 1); a new tap replaces whatever was showing as soon as
 * that had its glance (law 7); of a visitor nothing is kept once the display moved on; while the link is down
 * nothing new starts and what shows ends after its glance.
 */
import type { DeviceState } from '../../src-main/contract/device.ts';
import type { Stand } from '../../src-main/contract/stand.ts';
import type { TapEvent } from '../../src-main/contract/tap.ts';
import type { LinkState } from '../link-state.ts';
import { restOf } from './rest.ts';
import { type Input, longLine, type Outcome, type Showing, type Stage, times } from './stages.ts';

/** The whole memory of the display. */
export type Display = {
  readonly link: LinkState;
  readonly linkSince: number;
  readonly device: DeviceState | null;
  /** What the stand offers around a tap; null until it was told. */
  readonly stand: Stand | null;
  readonly showing: Showing | null;
  /** Outcomes waiting for their glance, oldest first. */
  readonly line: readonly Outcome[];
  /** A language somebody chose by touch, for this transaction. */
  readonly chosen: { readonly language: string; readonly until: number } | null;
};

/** The display as it is switched on. */
export function firstDisplay(now: number): Display {
  return {
    link: 'connecting',
    linkSince: now,
    device: null,
    stand: null,
    showing: null,
    line: [],
    chosen: null,
  };
}

/** The display after `input` at `now` (milliseconds, any origin, never smaller than before). */
export function step(display: Display, input: Input, now: number): Display {
  const timely = expire(display, now);
  switch (input.kind) {
    case 'tap':
      return hearTap(timely, input.event, now);
    case 'device':
      return { ...timely, device: input.device };
    case 'stand':
      return { ...timely, stand: input.stand };
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
      return timely.showing || timely.link !== 'up' ? timely : { ...timely, showing: typing(now) };
    case 'typedKey':
      return timely.showing?.kind === 'typing'
        ? { ...timely, showing: { ...timely.showing, until: now + times.typing } }
        : timely;
    case 'codeSent':
      return timely.showing?.kind === 'typing' ? { ...timely, showing: reading(now, true) } : timely;
    case 'codeNotTaken':
      return timely.showing?.kind === 'reading' && timely.showing.typed
        ? { ...timely, showing: show({ kind: 'refused', at: 0, reason: 'notABadge' }, now) }
        : timely;
    case 'tick':
      return timely;
  }
}

/** What is on the screen. */
export function stageOf(display: Display, now: number): Stage {
  return display.showing ?? restOf(display, now);
}

/** The language the display should speak, if anybody on it has one; best wish first. */
export function wishesOf(display: Display): readonly string[] {
  const visitor = display.showing?.kind === 'captured' ? display.showing.event.visitor : null;
  return [display.chosen?.language, visitor?.language].filter((wish) => typeof wish === 'string');
}

/** The next moment after `now` at which `tick` would change something, or null. */
export function wakeAt(display: Display, now: number): number | null {
  const moments: number[] = [];
  const { showing, link, linkSince, chosen } = display;
  if (showing) moments.push(showing.until);
  if (showing && isOutcome(showing) && (display.line.length > 0 || link !== 'up')) {
    moments.push(showing.since + glanceOf(display));
  }
  if (showing?.kind === 'captured' && showing.undo === 'offered') moments.push(showing.undoUntil);
  if (link === 'lost') moments.push(linkSince + times.linkGrace);
  if (link === 'connecting') moments.push(linkSince + times.firstConnection);
  if (chosen && !showing) moments.push(chosen.until);
  const next = Math.min(...moments.filter((moment) => moment > now));
  return Number.isFinite(next) ? next : null;
}

function hearTap(display: Display, event: TapEvent, now: number): Display {
  const { showing } = display;
  switch (event.kind) {
    case 'reading': {
      const busy = display.line.length > 0 || (showing && isOutcome(showing) && !hadGlance(display, now));
      return busy || display.link !== 'up' ? display : { ...display, showing: reading(now, false) };
    }
    case 'removed':
      return showing?.kind === 'captured' && display.line.length === 0
        ? { ...display, showing: { ...showing, until: Math.max(showing.until, now + times.afterRemoval) } }
        : display;
    case 'undone':
      return hearUndone(display, event, now);
    case 'captured':
    case 'notRead':
    case 'refused':
    case 'failed': {
      const mustWait = display.line.length > 0 || (showing && isOutcome(showing) && !hadGlance(display, now));
      return mustWait
        ? { ...display, line: [...display.line, event] }
        : { ...display, showing: show(event, now) };
    }
  }
}

/** Only the visitor whose tap was taken back may see it: on the display or still waiting in line. */
function hearUndone(display: Display, event: Outcome & { kind: 'undone' }, now: number): Display {
  const { showing } = display;
  const line = display.line.map((waiting) =>
    waiting.kind === 'captured' && waiting.factId === event.factId ? event : waiting,
  );
  return showing?.kind === 'captured' && showing.event.factId === event.factId
    ? { ...display, line, showing: show(event, now) }
    : { ...display, line };
}

function askUndo(display: Display, now: number): Display {
  const { showing } = display;
  if (showing?.kind !== 'captured' || showing.undo !== 'offered' || display.link !== 'up') return display;
  return { ...display, showing: { ...showing, undo: 'asked', until: now + times.undoAnswer } };
}

function undoAnswered(
  display: Display,
  factId: string,
  answer: 'done' | 'late' | 'failed',
  now: number,
): Display {
  const { showing } = display;
  if (showing?.kind !== 'captured' || showing.event.factId !== factId || showing.undo !== 'asked')
    return display;
  if (answer === 'done') return { ...display, showing: show({ kind: 'undone', at: 0, factId }, now) };
  return { ...display, showing: { ...showing, undo: answer, until: now + times.undoRefused } };
}

function linkChanged(display: Display, link: LinkState, now: number): Display {
  if (link === display.link) return display;
  const { showing } = display;
  const changed: Display = { ...display, link, linkSince: now };
  if (link === 'up' || !showing) return changed;
  if (showing.kind === 'reading' || showing.kind === 'typing') return { ...changed, showing: null };
  // What was asked of a lost device can no longer be answered.
  return showing.kind === 'captured' && showing.undo !== 'over'
    ? { ...changed, showing: { ...showing, undo: showing.undo === 'asked' ? 'failed' : 'over' } }
    : changed;
}

/** Lets go of everything whose time is over. Ends: each round takes one outcome out of the line. */
function expire(display: Display, now: number): Display {
  let current = display;
  if (current.chosen && !current.showing && now >= current.chosen.until)
    current = { ...current, chosen: null };
  for (;;) {
    const { showing } = current;
    if (!showing) return current;
    if (showing.kind === 'captured' && showing.undo === 'offered' && now >= showing.undoUntil) {
      current = { ...current, showing: { ...showing, undo: 'over' } };
      continue;
    }
    const pressed = isOutcome(showing) && (current.line.length > 0 || current.link !== 'up');
    if (now < showing.until && !(pressed && hadGlance(current, now))) return current;
    current =
      showing.kind === 'reading' && now >= showing.until ? nothingRead(current, now) : next(current, now);
  }
}

function nothingRead(display: Display, now: number): Display {
  return { ...display, showing: show({ kind: 'notRead', at: 0, reason: 'missed' }, now) };
}

/** The next in line, or rest; with rest the transaction and its language are over. */
function next(display: Display, now: number): Display {
  const [first, ...line] = display.line;
  if (first) return { ...display, line, showing: show(first, now) };
  return display.showing ? { ...display, showing: null, chosen: null } : display;
}

function show(event: Outcome, now: number): Showing {
  if (event.kind !== 'captured') {
    const until = now + times[event.kind];
    switch (event.kind) {
      case 'notRead':
        return { kind: event.kind, since: now, until, event };
      case 'refused':
        return { kind: event.kind, since: now, until, event };
      case 'failed':
        return { kind: event.kind, since: now, until, event };
      case 'undone':
        return { kind: event.kind, since: now, until, event };
    }
  }
  const offered = Math.min(Math.max(event.undoUntil - event.at, 0), times.undoMost);
  const undoUntil = now + offered;
  const until = now + Math.max(offered, times.afterRemoval);
  return { kind: 'captured', since: now, until, event, undo: offered > 0 ? 'offered' : 'over', undoUntil };
}

function reading(now: number, typed: boolean): Showing {
  return { kind: 'reading', since: now, until: now + times.reading, typed };
}

function typing(now: number): Showing {
  return { kind: 'typing', since: now, until: now + times.typing };
}

function isOutcome(showing: Showing): boolean {
  return showing.kind !== 'reading' && showing.kind !== 'typing';
}

function glanceOf(display: Display): number {
  return display.line.length >= longLine ? times.shortGlance : times.glance;
}

function hadGlance(display: Display, now: number): boolean {
  return !display.showing || now - display.showing.since >= glanceOf(display);
}
