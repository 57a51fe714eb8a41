/**
 * Up to which fact everything was shown by some page, for the run after this one.
 *
 * Invariants: written a moment after a page was told, never on a tap's way, and without waiting for the disk, so it may be
 * behind the truth and is never ahead of it (docs/decisions/shown-again-rather-than-never.md); not moved while an
 * outcome waits for a page.
 */

import type { Mirror } from '../../event/mirror/mirror.ts';
import type { Clock, Log } from '../../foundations/ports.ts';
import { createThrottle } from '../../foundations/time/throttle.ts';
import type { Journal } from '../../journal/facts/journal.ts';

/** In the mirror, which may be lost: the mark is worth no more. */
const NOTE = 'shownUpTo';

export type ShownMark = {
  /** A page was told of something. */
  readonly told: () => void;
  /** `seq` of the last fact before which everything was shown; 0 when nobody knows. */
  readonly seq: () => number;
  readonly stop: () => void;
};

export type ShownMarkPorts = {
  readonly journal: Journal;
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether an outcome waits for a page. */
  readonly isWaiting: () => boolean;
};

/** The mark of one device. */
export function createShownMark({ journal, mirror, clock, log, isWaiting }: ShownMarkPorts): ShownMark {
  // A disk that refuses leaves the mark where it was.
  const writing = createThrottle(clock, log, () => {
    const last = journal.lastId();
    if (last !== null && !isWaiting()) mirror.setMetadata(NOTE, last);
  });
  return {
    told: writing.trigger,
    seq: () => journal.fact(mirror.metadata(NOTE) ?? '')?.seq ?? 0,
    stop: writing.stop,
  };
}
