/**
 * What taps need besides journal and mirror, at a stand that offers only the tap.
 *
 * Invariant: it does not import vitest, so that plain Node can run whatever imports it.
 */

import type { Mirror } from '../../../../src-main/core/event/mirror/mirror.ts';
import type { Clock, Log } from '../../../../src-main/core/foundations/ports.ts';
import { createStorageGuard } from '../../../../src-main/core/foundations/store/storage-guard.ts';
import { UNDO_MS } from '../../../../src-main/core/foundations/time/windows.ts';
import type { Journal } from '../../../../src-main/core/journal/facts/journal.ts';
import type { DeviceAssignment } from '../../../../src-main/core/stand/device/assignment.ts';
import { createAdmissionControl } from '../../../../src-main/core/stand/visit/admission.ts';
import { createOffer } from '../../../../src-main/core/stand/visit/offer.ts';
import { createPendingPrompts } from '../../../../src-main/core/stand/visit/pending-prompts.ts';
import { plainSettings } from '../../../../src-main/core/stand/visit/settings.ts';
import { createTapSessions } from '../../../../src-main/core/stand/visit/tap-sessions.ts';
import { createVisits } from '../../../../src-main/core/stand/visit/visits.ts';

/**
 * Visits and storage guard of a device without an assignment, or with `assignment`. `taps`: the dependencies of its
 * taps.
 */
export const tapParts = (parts: {
  readonly journal: Journal;
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly log: Log;
  readonly assignment?: DeviceAssignment;
}) => {
  const { journal, mirror, clock, log, assignment = null } = parts;
  const storageGuard = createStorageGuard({ log, isInPlace: () => true, onRecorded: () => undefined });
  const pendingPrompts = createPendingPrompts({
    journal,
    mirror,
    settings: plainSettings(),
    checksIn: () => false,
  });
  const offer = createOffer({
    mirror,
    partner: () => assignment?.partner ?? null,
    discoverUrl: () => null,
    pictureName: () => null,
  });
  const tapSessions = createTapSessions({
    mirror,
    clock,
    clockOffset: () => null,
    pendingPrompts,
    offers: () => true,
    hasBagPages: () => false,
    record: (drafts, visitor) => {
      const done = storageGuard.attempt(() => journal.recordAll(drafts, visitor));
      return done.kind === 'kept' ? done.result.map(({ fact }) => fact) : null;
    },
  });
  const visits = createVisits({
    journal,
    mirror,
    clock,
    log,
    assignment: () => assignment,
    admission: createAdmissionControl(journal, mirror),
    offer,
    pendingPrompts,
    tapSessions,
    showsCompany: false,
    undoMs: UNDO_MS,
    onCount: () => undefined,
  });
  return {
    tapSessions,
    storageGuard,
    taps: {
      visits,
      storageGuard,
      staffBadge: () => null,
      isStaffBadge: () => false,
      isChosen: () => true,
      isLate: () => false,
      onLostNdef: () => undefined,
      onReleased: () => undefined,
    },
  };
};
