/**
 * Which lists a snapshot holds: those that every device of the hub reads alike and by revision.
 *
 * Invariant: what is narrowed to a device's partner is not among them (`narrowToDevice` in `src-platform/hub`).
 */
import { RESOURCES, type Resource } from '../../src-main/core/event/mirror/resources.ts';

/** In the order of the first sync. */
export const SNAPSHOT_RESOURCES: readonly Resource[] = RESOURCES.filter(
  ({ byRevision, ofOwnPartner }) => byRevision && !ofOwnPartner,
);
