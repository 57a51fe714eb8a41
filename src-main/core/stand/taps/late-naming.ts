/**
 * What changes of visitors mean for leads: an unknown badge gets its visitor when the mirror learns it
 * (docs/laws.md#law-8), and a visitor who was removed on the platform is forgotten here.
 *
 * Invariants: runs after the mirror's transaction, in transactions of the journal; what a crash in between skips is
 * caught up with at the next start.
 */

import { badgeCodes } from '../../event/mirror/badge-codes.ts';
import type { Mirror } from '../../event/mirror/mirror.ts';
import { snapshotOf } from '../../event/mirror/people.ts';
import type { WireRecord } from '../../foundations/api/page.ts';
import type { Journal } from '../../journal/facts/journal.ts';
import type { Leads } from '../../journal/facts/leads.ts';

/** Names leads after visitors that just changed and forgets those that were removed. */
export function nameChangedVisitors(journal: Journal, mirror: Mirror, changed: readonly WireRecord[]): void {
  const living = changed.filter(({ deleted }) => !deleted);
  const carriers = living.map(({ id, body }) => ({ id, codes: badgeCodes(body) }));
  const concerned = journal.leads.concerned(carriers);
  for (const { id } of changed.filter(({ deleted }) => deleted)) journal.erase(id);
  for (const { id, codes } of carriers) {
    const visitor = concerned.has(id) ? mirror.record('visitors', id) : null;
    // A code that two people carry names neither of them.
    const own = codes.filter((code) => mirror.ownerOf([code]).kind === 'visitor');
    if (visitor !== null) journal.leads.nameBadges(own, snapshotOf(visitor));
  }
}

/** Names whatever the mirror knows already; returns how many leads changed. */
export function nameAtStart(leads: Leads, mirror: Mirror): number {
  let named = 0;
  for (const badge of leads.unnamedBadges()) {
    const owner = mirror.ownerOf([badge]);
    if (owner.kind === 'visitor') named += leads.nameBadges([badge], snapshotOf(owner.visitor));
  }
  return named;
}
