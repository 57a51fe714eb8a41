/**
 * Publishes outcomes of taps to pages. An outcome that no page receives waits for one, in this run and in the next
 * (docs/laws.md#law-13).
 *
 * Invariants:
 * - Every outcome is published to a connected page, or waits for one.
 * - A page that reconnects after its stream broke receives what was published since its last event.
 * - Waiting outcomes are published oldest first, each once. Only the latest outcome of a tap is kept.
 * - An outcome is removed after a page received it, or after a time limit, so that no visitor reads another's name.
 * - After a tap was shown late, the visitor can undo it during the same time as a visitor can add to a tap.
 * - The shown mark says up to which fact everything was shown. It is written shortly after a page received an outcome,
 *   never during a tap, and without waiting for the disk. It may be behind and is never ahead
 *   (docs/decisions/shown-again-rather-than-never.md). It does not move while an outcome waits.
 */
import type { TapEvent } from '../../../contract/tap.ts';
import type { Mirror } from '../../event/mirror/mirror.ts';
import type { Clock, Log } from '../../foundations/ports.ts';
import { createThrottle } from '../../foundations/time/throttle.ts';
import { TAP_SESSION_MS } from '../../foundations/time/windows.ts';
import type { Journal } from '../../journal/facts/journal.ts';

export type UnseenOutcomes = {
  /** Stores an event that no page received. */
  readonly keep: (event: TapEvent) => void;
  /**
   * For a page that connects: what was published after its last event, then the waiting outcomes, as they are published now. A
   * waiting one is removed once the page asks for the next one. `lastEventId`: from `idOf`, or `2500 ms` for a page without an
   * event that first connected so long ago. Undefined: it is new.
   */
  readonly publish: (lastEventId: string | undefined) => Generator<TapEvent, void>;
  /** Id of a published outcome, by which a page returns. Undefined for events of the moment. */
  readonly idOf: (event: TapEvent) => string | undefined;
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
  /** Time during which an undo is offered. */
  readonly undoMs: number;
  /** Called when a captured tap is shown late. */
  readonly onShown: (factId: string) => void;
};

/** The shown mark is in the mirror, which may be lost. A lost mark only shows some taps again. */
const SHOWN_MARK = 'shownUpTo';

/** The publisher of one device. */
export function createOutcomePublisher(ports: OutcomePublisherPorts): OutcomePublisher {
  const { journal, mirror, clock, log, pages, undoMs, onShown } = ports;
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
  /** Time during which an undo is offered. */
  readonly undoMs: number;
  /** Called when a captured tap is shown. */
  readonly onShown: (factId: string) => void;
  /** Called when a page has received every waiting outcome. */
  readonly onAllShown: () => void;
};

type Waiting = { readonly event: TapEvent; readonly mono: number };

/** Outcomes of one device that wait for a page. */
function createUnseenOutcomes(
  ports: UnseenOutcomesPorts,
): UnseenOutcomes & { readonly notePublished: (event: TapEvent) => void } {
  const { run, clock, log, undoMs, onShown, onAllShown } = ports;
  let waiting: readonly Waiting[] = [];
  let published: readonly Waiting[] = [];
  const ids = new WeakMap<TapEvent, string>();
  let count = 0;
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
    ids.set(event, `${run}-${count}`);
    published = [...published.filter(({ mono }) => isRecent(mono)), { event, mono: clock.monotonic() }];
  };
  /**
   * What followed the event with this id, or what came in the time that the id names. Everything kept followed an unknown id: it
   * is too old to be kept.
   */
  const publishedAfter = (lastEventId: string): readonly TapEvent[] => {
    const [, age = Number.POSITIVE_INFINITY] = /^(\d+) ms$/.exec(lastEventId) ?? [];
    const since = clock.monotonic() - Number(age);
    const last = published.findIndex(({ event }) => ids.get(event) === lastEventId);
    return published.slice(last + 1).flatMap(({ event, mono }) => (mono >= since ? [event] : []));
  };

  return {
    notePublished,
    idOf: (event) => ids.get(event),
    keep: (event) => {
      // A later page does not need these.
      if (isOfTheMoment(event)) return;
      forgetOld();
      const others = waiting.filter((earlier) => !isOfSameTap(earlier.event, event));
      // The age of an outcome of an earlier run follows from its wall time.
      const age = Math.max(0, clock.now() - event.at);
      waiting = [...others, { event, mono: clock.monotonic() - age }];
    },
    publish: function* (lastEventId) {
      forgetOld();
      for (const event of lastEventId === undefined ? [] : publishedAfter(lastEventId)) yield nowShown(event);
      for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
        const shown = first;
        const event = nowShown(shown.event);
        notePublished(event);
        yield event;
        waiting = waiting.filter((other) => other !== shown);
        if (waiting.length === 0) onAllShown();
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
    const id = ids.get(event);
    if (id !== undefined) ids.set(late, id);
    return late;
  }
}

function isOfTheMoment({ kind }: TapEvent): boolean {
  return kind === 'reading' || kind === 'removed' || kind === 'staff';
}

function isOfSameTap(one: TapEvent, other: TapEvent): boolean {
  return 'factId' in one && 'factId' in other && one.factId === other.factId;
}
