/**
 * Publishes outcomes of taps to pages. An outcome that no page receives waits for a page, in this run and in the next
 * (docs/laws.md#law-13).
 *
 * Invariants:
 * - Every outcome is published to a connected page, or waits for a page.
 * - A page that reconnects after its stream broke receives what was published since its last event. While another
 *   page was connected, that page has shown it, and the returning page receives only what is still on display.
 * - A new page receives what is still on display, because the page before it may have ended without showing it.
 * - An outcome on which the visitor has acted was seen, so it is not published again.
 * - Waiting outcomes are published oldest first, each once. Only the latest outcome of a tap is kept.
 * - An outcome is removed after a page received it, or after a time limit, so that no visitor reads another's name.
 * - When a tap was shown late, the visitor can undo it for as long as a visitor can add to a tap.
 * - The shown mark is the id of the last fact up to which every outcome was shown. It is written shortly after a
 *   page received an outcome, never during a tap, and without waiting for the disk. It may be behind and is never
 *   ahead (docs/decisions/shown-again-rather-than-never.md). It does not move while an outcome waits.
 */
import type { TapEvent } from '../../../contract/tap.ts';
import type { Mirror } from '../../event/mirror/mirror.ts';
import type { Clock, Log } from '../../foundations/ports.ts';
import { createThrottle } from '../../foundations/time/throttle.ts';
import { TAP_SESSION_MS } from '../../foundations/time/windows.ts';
import type { Journal } from '../../journal/facts/journal.ts';

/** `id`: with it a page reconnects. Undefined for events that have no meaning later. */
type OutcomeForPage = { readonly event: TapEvent; readonly id: string | undefined };

export type UnseenOutcomes = {
  /** Stores an event that no page received. */
  readonly keep: (event: TapEvent) => void;
  /**
   * The events of a page that connects: what it missed, then the waiting outcomes, then `live`. A waiting outcome is
   * removed when the page requests the next event. `lastEventId`: the last id that the page received, or (as `2500
   * ms`) how long ago the page first connected if it has received no event. Undefined: the page is new.
   */
  readonly follow: (
    live: AsyncIterable<TapEvent>,
    lastEventId: string | undefined,
  ) => AsyncGenerator<OutcomeForPage, void>;
  /** Whether any outcome waits. */
  readonly isWaiting: () => boolean;
  /** Whether this tap was shown late and can still be undone. */
  readonly isLate: (factId: string) => boolean;
};

type OutcomePublisher = {
  readonly publish: (event: TapEvent) => void;
  readonly unseen: UnseenOutcomes;
  /** `seq` of the last fact up to which everything was shown. 0 when unknown. */
  readonly shown: () => number;
  readonly stop: () => void;
};

type OutcomePublisherPorts = {
  readonly journal: Journal;
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly log: Log;
  /** The connected pages. */
  readonly pages: { readonly size: number; readonly publish: (channel: 'tap', event: TapEvent) => void };
  /** Time during which an undo is offered. A page shows an outcome for about as long. */
  readonly undoMs: number;
  /** Whether the visitor of this tap has acted on its outcome. */
  readonly isActedOn: (factId: string) => boolean;
  /** Called when a captured tap is shown late. */
  readonly onShown: (factId: string) => void;
};

/** The shown mark is in the mirror, which may be lost. Without it, some taps are shown again. */
const SHOWN_MARK = 'shownUpTo';

/** The publisher of one device. */
export function createOutcomePublisher(ports: OutcomePublisherPorts): OutcomePublisher {
  const { journal, mirror, clock, log, pages, undoMs, isActedOn, onShown } = ports;
  // After a failed write the mark keeps its value.
  const marking = createThrottle(clock, log, () => {
    const last = journal.lastId();
    if (last !== null && !unseen.isWaiting()) mirror.setMetadata(SHOWN_MARK, last);
  });
  const unseen = createUnseenOutcomes({
    run: journal.boot,
    clock,
    log,
    undoMs,
    isActedOn,
    onShown,
    onAllShown: marking.trigger,
  });
  return {
    publish: (event) => {
      if (pages.size === 0) return unseen.keep(event);
      unseen.notePublished(event);
      pages.publish('tap', event);
      marking.trigger();
    },
    unseen,
    shown: () => journal.fact(mirror.metadata(SHOWN_MARK) ?? '')?.seq ?? 0,
    stop: marking.stop,
  };
}

type UnseenOutcomesPorts = {
  /** Id of this run. */
  readonly run: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly undoMs: number;
  readonly isActedOn: (factId: string) => boolean;
  /** Called when a captured tap is shown. */
  readonly onShown: (factId: string) => void;
  /** Called when a page has received every waiting outcome. */
  readonly onAllShown: () => void;
};

type Waiting = { readonly event: TapEvent; readonly mono: number };
/** `number`: its position among all published outcomes of this run, from 1. */
type Published = Waiting & { readonly number: number };
/** A connected page: its number, and how many outcomes were published before it. */
type Page = { readonly number: number; readonly since: number };

/** Outcomes of one device that wait for a page. */
function createUnseenOutcomes(
  ports: UnseenOutcomesPorts,
): UnseenOutcomes & { readonly notePublished: (event: TapEvent) => void } {
  const { run, clock, log, undoMs, isActedOn, onShown, onAllShown } = ports;
  let waiting: readonly Waiting[] = [];
  let published: readonly Published[] = [];
  const numbers = new WeakMap<TapEvent, number>();
  let count = 0;
  const pages = new Set<Page>();
  let pagesSoFar = 0;
  /** Monotonic time at which a tap was shown late. */
  const shownAt = new Map<string, number>();

  const isRecent = (mono: number): boolean => clock.monotonic() - mono <= TAP_SESSION_MS;
  const forgetOld = (): void => {
    const recent = waiting.filter(({ mono }) => isRecent(mono));
    const gone = waiting.length - recent.length;
    if (gone > 0)
      log.warn('outcomes of taps were never shown, because no page connected', { outcomes: gone });
    waiting = recent;
    published = published.filter(({ mono }) => isRecent(mono));
    for (const [factId, mono] of shownAt) if (!isRecent(mono)) shownAt.delete(factId);
  };

  const notePublished = (event: TapEvent): void => {
    if (isOfTheMoment(event)) return;
    count += 1;
    numbers.set(event, count);
    const recent = published.filter(({ mono }) => isRecent(mono));
    published = [...recent, { event, mono: clock.monotonic(), number: count }];
  };
  /** An id consists of run, outcome and page. An unknown id is from another run or too old, so every outcome is newer. */
  const lastOf = (id: string): Page => {
    const [, outcome = '0', page = '0'] = id.startsWith(run) ? id.slice(run.length).split('-') : [];
    return { number: Number(page), since: Number(outcome) };
  };
  /** Whether a page that connects missed an outcome. */
  const missedOf = (page: Page, lastEventId: string | undefined): ((one: Published) => boolean) => {
    const now = clock.monotonic();
    const isOnDisplay = ({ mono }: Published): boolean => now - mono <= undoMs;
    if (lastEventId === undefined) return isOnDisplay;
    const [, away] = /^(\d+) ms$/.exec(lastEventId) ?? [];
    if (away !== undefined) return ({ mono }) => now - mono <= Number(away);
    const last = lastOf(lastEventId);
    const others = [...pages].filter((other) => other !== page && other.number !== last.number);
    const shownSince = Math.min(...others.map(({ since }) => since));
    return (one) => one.number > last.since && (one.number <= shownSince || isOnDisplay(one));
  };
  const missedBy = (page: Page, lastEventId: string | undefined): readonly TapEvent[] =>
    published
      .filter(missedOf(page, lastEventId))
      .map(({ event }) => event)
      .filter((event, index, all) => !all.slice(index + 1).some((later) => isOfSameTap(later, event)))
      .filter((event) => event.kind !== 'captured' || !isActedOn(event.factId));
  function* catchUp(page: Page, lastEventId: string | undefined): Generator<TapEvent, void> {
    forgetOld();
    for (const event of missedBy(page, lastEventId)) yield nowShown(event);
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const shown = first;
      const event = nowShown(shown.event);
      notePublished(event);
      yield event;
      waiting = waiting.filter((other) => other !== shown);
      if (waiting.length === 0) onAllShown();
    }
  }

  return {
    notePublished,
    keep: (event) => {
      // A page that connects later does not need these.
      if (isOfTheMoment(event)) return;
      forgetOld();
      const others = waiting.filter((earlier) => !isOfSameTap(earlier.event, event));
      // The age of an outcome from an earlier run is computed from its wall time.
      const age = Math.max(0, clock.now() - event.at);
      waiting = [...others, { event, mono: clock.monotonic() - age }];
    },
    follow: async function* (live, lastEventId) {
      pagesSoFar += 1;
      const page = { number: pagesSoFar, since: count };
      const withId = (event: TapEvent): OutcomeForPage => {
        const number = numbers.get(event);
        return { event, id: number === undefined ? undefined : `${run}-${number}-${page.number}` };
      };
      pages.add(page);
      try {
        for (const event of catchUp(page, lastEventId)) yield withId(event);
        for await (const event of live) yield withId(event);
      } finally {
        pages.delete(page);
      }
    },
    isWaiting: () => waiting.length > 0,
    isLate: (factId) => {
      const mono = shownAt.get(factId);
      return mono !== undefined && isRecent(mono);
    },
  };

  function nowShown(event: TapEvent): TapEvent {
    if (event.kind !== 'captured') return event;
    shownAt.set(event.factId, clock.monotonic());
    onShown(event.factId);
    const at = clock.now();
    const late = { ...event, at, undoUntil: at + undoMs };
    const number = numbers.get(event);
    if (number !== undefined) numbers.set(late, number);
    return late;
  }
}

function isOfTheMoment({ kind }: TapEvent): boolean {
  return kind === 'reading' || kind === 'removed' || kind === 'staff';
}

function isOfSameTap(one: TapEvent, other: TapEvent): boolean {
  return 'factId' in one && 'factId' in other && one.factId === other.factId;
}
