/**
 * From a badge on a reader to what the screens are told: readers, taps and outcomes connected.
 *
 * Invariant: composes and decides nothing; whoever hears first (a set-up, a rehearsal) may keep a badge or an outcome to itself.
 */
import type { TapEvent } from '../contract/tap.ts';
import { badgeOfCard, badgeOfText } from './foundations/badge/decode.ts';
import { openProfile } from './foundations/badge/profile.ts';
import type { Clock, Log, ReaderDriver, ReaderEvent } from './foundations/ports.ts';
import type { StorageGuard } from './foundations/store/storage-guard.ts';
import type { Screens } from './screens.ts';
import type { ReaderStatus } from './stand/health/reader-status.ts';
import { createOutcomePublisher } from './stand/taps/outcome-publisher.ts';
import { createTaps } from './stand/taps/taps.ts';
import type { StandParts } from './stand/visit/stand.ts';
import type { Stores } from './stores.ts';
import type { LeadService, LeadServicePorts } from './team/leads/service.ts';
import type { Staff } from './team/staff/staff.ts';

export type TappingPorts = {
  readonly clock: Clock;
  readonly log: Log;
  readonly drivers: readonly ReaderDriver[];
  /** Hears every event of a reader first; true where it is no tap for this kiosk. */
  readonly takeReaderEvent?: (event: ReaderEvent) => boolean;
  /** Hears what came of every tap first; true where no page is to be told. */
  readonly takeOutcome?: (event: TapEvent) => boolean;
};

export type TappingParts = Stores & {
  readonly storageGuard: StorageGuard;
  readonly stand: StandParts;
  readonly staff: Staff;
  readonly leads: LeadService;
  readonly screens: Screens;
  readonly readers: ReaderStatus;
  readonly onReleased: () => void;
  readonly place: LeadServicePorts['place'];
};

/** From a badge on a reader to what the screens are told, or will be told when one listens. */
export function createTapping(
  { clock, log, drivers, takeReaderEvent, takeOutcome }: TappingPorts,
  parts: TappingParts,
) {
  const { journal, mirror, storageGuard, stand, staff, leads, screens, place, onReleased } = parts;
  const outcomes = createOutcomePublisher({
    ...{ journal, mirror, clock, log, pages: screens.publishers.taps, onShown: stand.tapSessions.touch },
    undoMs: stand.tapPolicy.undoMs,
  });
  const taps = createTaps({
    ...{ journal, mirror, clock, log, storageGuard, place, onReleased, ...stand },
    badgeOfCard: (card) => badgeOfCard(card, openProfile),
    badgeOfText: (text) => badgeOfText(text, openProfile),
    isChosen: stand.isChosen,
    staffBadge: staff.badge,
    isStaffBadge: staff.isBadge,
    onRefused: leads.keepRefused,
    publish: (event) => {
      if (takeOutcome?.(event) !== true) outcomes.publish(event);
    },
    isLate: outcomes.unseen.isLate,
    onLostNdef: () => {
      parts.readers.countLostNdef();
      screens.stateChanged();
    },
    feedback: (reader, what) => {
      for (const driver of drivers) driver.feedback(reader, what);
    },
  });
  taps.publishUnshown(outcomes.shown());
  const handle = (event: ReaderEvent): void => {
    if (parts.readers.handle(event)) screens.stateChanged();
    if (takeReaderEvent?.(event) !== true) taps.handle(event);
  };
  return { taps, outcomes, handle };
}
