/**
 * Tells pages of taps; what none hears waits for one, in this run and in the next (docs/laws.md#law-13).
 *
 * Invariant: every outcome is told to a page that listens, or waits.
 */
import type { TapEvent } from '../../../contract/tap.ts';
import type { Mirror } from '../../event/mirror/mirror.ts';
import type { Clock, Log } from '../../foundations/ports.ts';
import type { Journal } from '../../journal/facts/journal.ts';
import { createShownMark } from './shown-mark.ts';
import { createUnseenOutcomes, type UnseenOutcomes } from './unseen-outcomes.ts';

export type OutcomePublisherPorts = {
  readonly journal: Journal;
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly log: Log;
  /** The pages that listen. */
  readonly pages: { readonly size: number; readonly publish: (channel: 'tap', event: TapEvent) => void };
  /** How long "take it back" is offered. */
  readonly undoMs: number;
  /** A captured tap is being shown late. */
  readonly onShown: (factId: string) => void;
};

export type OutcomePublisher = {
  readonly publish: (event: TapEvent) => void;
  readonly unseen: UnseenOutcomes;
  /** `seq` of the last fact up to which an earlier run has shown everything. */
  readonly shown: () => number;
  readonly stop: () => void;
};

/** The publisher of one device. */
export function createOutcomePublisher(ports: OutcomePublisherPorts): OutcomePublisher {
  const { pages } = ports;
  const unseen = createUnseenOutcomes({ ...ports, onAllShown: () => mark.told() });
  const mark = createShownMark({ ...ports, isWaiting: unseen.isWaiting });
  return {
    publish: (event) => {
      if (pages.size === 0) return unseen.keep(event);
      pages.publish('tap', event);
      mark.told();
    },
    unseen,
    shown: mark.seq,
    stop: mark.stop,
  };
}
