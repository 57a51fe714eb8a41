/**
 * What changes of the mirror mean for this device, resource by resource: who has tapped gets a name or is forgotten, the
 * stand is drawn anew, and delivery looks again whether it knows where it stands.
 *
 * Invariant: runs after the mirror's transaction; what a crash in between skips is caught up with at the next start.
 */

import type { Mirror } from '../../event/mirror/mirror.ts';
import type { ResourceName } from '../../event/mirror/resources.ts';
import type { WireRecord } from '../../foundations/api/page.ts';
import type { ToldConnection } from '../../journal/facts/connections.ts';
import type { Journal } from '../../journal/facts/journal.ts';
import type { StandParts } from '../visit/stand.ts';
import { nameChangedVisitors } from './late-naming.ts';

export type MirrorChangesPorts = {
  readonly journal: Journal;
  readonly mirror: Mirror;
  readonly stand: Pick<StandParts, 'follow' | 'forget' | 'readAnew'>;
  /** The device may have been given its touchpoint. */
  readonly onTouchpoints: () => void;
};

/** A page of `resource` was committed. */
export function followPage(
  { journal, mirror, stand, onTouchpoints }: MirrorChangesPorts,
  resource: ResourceName,
  changed: readonly WireRecord[],
): void {
  if (resource === 'visitors' && !journal.outbox.isEmpty()) nameChangedVisitors(journal, mirror, changed);
  if (resource === 'touchpoints') onTouchpoints();
  if (resource === 'connections') journal.leads.keepConnections(changed.flatMap(toldBy));
  stand.follow(resource, changed);
}

/** Visitors looked at between two looks at what else there is to do. */
const AT_ONCE = 500;

/** Whole lists came at once, visitors among them. */
export async function followSnapshot(
  { journal, mirror, stand, onTouchpoints }: MirrorChangesPorts,
  signal: AbortSignal,
): Promise<void> {
  stand.readAnew();
  onTouchpoints();
  // Who taps from here on is looked for in the mirror at once.
  if (journal.outbox.isEmpty()) return;
  for (let last = ''; !signal.aborted; ) {
    const visitors = mirror.recordsAfter('visitors', last, AT_ONCE);
    nameChangedVisitors(journal, mirror, visitors);
    if (visitors.length < AT_ONCE) return;
    last = visitors.at(-1)?.id ?? last;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

/** The partner's side of a connection. */
function toldBy({ deleted, body }: WireRecord): readonly ToldConnection[] {
  const { visitorID: visitor, partnerID: partner, type } = body;
  if (deleted || type !== 'partner' || typeof visitor !== 'string' || typeof partner !== 'string') return [];
  return [{ visitor, partner, body }];
}

/** The platform no longer has these records of `resource`. */
export function followRemoval(
  { journal, stand }: MirrorChangesPorts,
  resource: ResourceName,
  ids: readonly string[],
): void {
  if (resource === 'visitors') for (const id of ids) journal.erase(id);
  stand.forget(resource, ids);
}
