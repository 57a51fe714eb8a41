/**
 * What taps are given beside journal and mirror, at a stand that offers nothing beyond the tap.
 *
 * Invariant: free of vitest, so that plain Node can run what imports it.
 */
import type { FailedReason } from '../../src-main/contract/tap.ts';
import type { Journal } from '../../src-main/core/journal/journal.ts';
import type { Mirror } from '../../src-main/core/mirror/mirror.ts';
import type { Clock, Log } from '../../src-main/core/ports.ts';
import { createAsked } from '../../src-main/core/stand/asked.ts';
import { createDoor } from '../../src-main/core/stand/door.ts';
import { createGuide } from '../../src-main/core/stand/guide.ts';
import { createOffer } from '../../src-main/core/stand/offer.ts';
import { plainSettings } from '../../src-main/core/stand/settings.ts';
import { createVisits } from '../../src-main/core/stand/visits.ts';
import { createKeeper } from '../../src-main/core/taps/keeper.ts';

/** Guide, visits and keeper of a plain lead touchpoint. */
export const tapParts = (
  parts: { readonly journal: Journal; readonly mirror: Mirror; readonly clock: Clock; readonly log: Log },
  onRecorded: (fault: FailedReason | null) => void = () => undefined,
) => {
  const { journal, mirror, clock, log } = parts;
  const keeper = createKeeper({ log, onRecorded });
  const asked = createAsked({ journal, mirror, settings: plainSettings() });
  const offer = createOffer({
    mirror,
    partner: () => null,
    discoverUrl: () => null,
    pictureName: () => null,
  });
  const guide = createGuide({
    mirror,
    post: () => null,
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
    offers: () => false,
    record: (drafts, visitor) => journal.recordAll(drafts, visitor).map(({ fact }) => fact),
  });
  return { guide, visits, keeper };
};
