/**
 * What taps are given beside journal and mirror, at a stand that offers nothing beyond the tap.
 *
 * Invariant: free of vitest, so that plain Node can run what imports it.
 */

import type { Post } from '../../../src-main/core/device/assignment.ts';
import type { Journal } from '../../../src-main/core/journal/journal.ts';
import type { Mirror } from '../../../src-main/core/mirror/mirror.ts';
import type { Clock, Log } from '../../../src-main/core/ports.ts';
import { createDoor } from '../../../src-main/core/stand/admission.ts';
import { createOffer } from '../../../src-main/core/stand/offer.ts';
import { createAsked } from '../../../src-main/core/stand/pending-prompts.ts';
import { plainSettings } from '../../../src-main/core/stand/settings.ts';
import { createGuide } from '../../../src-main/core/stand/tap-policy.ts';
import { createVisits } from '../../../src-main/core/stand/visits.ts';
import { createKeeper } from '../../../src-main/core/store/storage-guard.ts';

/** Guide, visits and keeper of a plain lead touchpoint, or of another `post`. */
export const tapParts = (parts: {
  readonly journal: Journal;
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly log: Log;
  readonly post?: Post;
}) => {
  const { journal, mirror, clock, log, post = null } = parts;
  const keeper = createKeeper({ log, onRecorded: () => undefined });
  const asked = createAsked({ journal, mirror, settings: plainSettings() });
  const offer = createOffer({
    mirror,
    partner: () => post?.partner ?? null,
    discoverUrl: () => null,
    pictureName: () => null,
  });
  const guide = createGuide({
    mirror,
    post: () => post,
    door: createDoor(journal, mirror),
    offer,
    asked,
    showsCompany: false,
    onCount: () => undefined,
  });
  const visits = createVisits({
    journal,
    mirror,
    clock,
    clockOffset: () => null,
    asked,
    offers: () => true,
    record: (drafts, visitor) => {
      const done = keeper.keep(() => journal.recordAll(drafts, visitor));
      return done.kind === 'kept' ? done.result.map(({ fact }) => fact) : null;
    },
  });
  return { guide, visits, keeper };
};
