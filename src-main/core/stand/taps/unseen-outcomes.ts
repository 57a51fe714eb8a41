/**
 * Outcomes that no page could show, because none listened: they wait for one (docs/laws.md#law-13).
 *
 * Invariants: oldest first, each once, the latest of one tap only; an outcome is let go when a page has taken it, or when
 * its visitor has long gone, so that nobody reads another one's name; a tap that is shown late may be taken back from
 * then on, for as long as a visitor may add to a tap.
 */
import type { TapEvent } from '../../../contract/tap.ts';
import type { Clock, Log } from '../../foundations/ports.ts';
import { TAP_SESSION_MS } from '../../foundations/time/windows.ts';

export type UnseenOutcomes = {
  /** Nobody listened to this event. */
  readonly keep: (event: TapEvent) => void;
  /** What waits, as it is to be published now; each is let go once the page asks for the next one. */
  readonly publish: () => Generator<TapEvent, void>;
  /** Whether anything waits. */
  readonly isWaiting: () => boolean;
  /** Whether this tap was shown late, and may be taken back still. */
  readonly isLate: (factId: string) => boolean;
};

export type UnseenOutcomesPorts = {
  readonly clock: Clock;
  readonly log: Log;
  /** How long "take it back" is offered. */
  readonly undoMs: number;
  /** A captured tap is being shown. */
  readonly onShown: (factId: string) => void;
  /** A page has taken all that waited. */
  readonly onAllShown: () => void;
};

type Waiting = { readonly event: TapEvent; readonly mono: number };

/** Outcomes of one device that wait for a page. */
export function createUnseenOutcomes(ports: UnseenOutcomesPorts): UnseenOutcomes {
  const { clock, log, undoMs, onShown, onAllShown } = ports;
  let waiting: readonly Waiting[] = [];
  /** Monotonic time at which a tap was shown late. */
  const shownAt = new Map<string, number>();

  const isRecent = (mono: number): boolean => clock.monotonic() - mono <= TAP_SESSION_MS;
  const letGo = (): void => {
    const recent = waiting.filter(({ mono }) => isRecent(mono));
    const gone = waiting.length - recent.length;
    if (gone > 0) log.warn('outcomes of taps were never shown, no page came', { outcomes: gone });
    waiting = recent;
    for (const [factId, mono] of shownAt) if (!isRecent(mono)) shownAt.delete(factId);
  };

  return {
    keep: (event) => {
      // There is nothing left to do about these when a page comes.
      if (event.kind === 'reading' || event.kind === 'removed' || event.kind === 'staff') return;
      letGo();
      const others = waiting.filter((earlier) => !isOfSameTap(earlier.event, event));
      // What an earlier run has left here is as old as it says.
      const age = Math.max(0, clock.now() - event.at);
      waiting = [...others, { event, mono: clock.monotonic() - age }];
    },
    publish: function* () {
      letGo();
      for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
        const shown = first;
        yield nowShown(shown.event);
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
    return { ...event, at, undoUntil: at + undoMs };
  }
}

function isOfSameTap(one: TapEvent, other: TapEvent): boolean {
  return 'factId' in one && 'factId' in other && one.factId === other.factId;
}
