/**
 * Late naming: leads of unknown badges get their visitor when the mirror learns it (law 8).
 *
 * Invariants: runs after the mirror's transaction, in transactions of the journal; what a crash in between skips is
 * caught up with at the next start.
 */
import type { WireRecord } from '../api/page.ts';
import type { Leads } from '../journal/leads.ts';
import { badgeCodes } from '../mirror/badge-codes.ts';
import type { Mirror } from '../mirror/mirror.ts';
import { snapshotOf } from '../mirror/people.ts';

/** Names leads after visitors that just changed; returns how many leads changed. */
export const nameAfterPage = (leads: Leads, mirror: Mirror, changed: readonly WireRecord[]): number => {
  let named = 0;
  for (const { id, deleted, body } of changed) {
    const visitor = deleted ? null : mirror.record('visitors', id);
    if (visitor !== null) named += leads.nameBadges(badgeCodes(body), snapshotOf(visitor));
  }
  return named;
};

/** Names whatever the mirror knows already; returns how many leads changed. */
export const nameAtStart = (leads: Leads, mirror: Mirror): number => {
  let named = 0;
  for (const badge of leads.unnamedBadges()) {
    const owner = mirror.ownerOf([badge]);
    if (owner.kind === 'visitor') named += leads.nameBadges([badge], snapshotOf(owner.visitor));
  }
  return named;
};
