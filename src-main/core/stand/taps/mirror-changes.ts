/**
 * Applies changes of the mirror to this device. An unknown badge gets its visitor when the mirror receives the visitor
 * (docs/laws.md#law-8). A visitor who was removed on the platform is erased here. The stand is notified of each change.
 *
 * Invariants:
 * - Changes are applied after the mirror's transaction, in transactions of the journal.
 * - A crash or an error in between loses nothing: `nameAtStart` names the badges, and `eraseRemoved` erases the
 *   visitors, because the mirror keeps the row of a deleted record.
 */
import { badgeCodes } from '../../event/mirror/badge-codes.ts';
import type { Mirror } from '../../event/mirror/mirror.ts';
import { snapshotOf } from '../../event/mirror/people.ts';
import type { ResourceName } from '../../event/mirror/resources.ts';
import type { WireRecord } from '../../foundations/api/page.ts';
import type { Clock } from '../../foundations/ports.ts';
import { RETENTION_EVERY_MS } from '../../foundations/time/times.ts';
import type { ToldConnection } from '../../journal/facts/connections.ts';
import type { Journal } from '../../journal/facts/journal.ts';
import type { Leads } from '../../journal/facts/leads.ts';
import type { KioskStand } from '../visit/stand.ts';

type MirrorChanges = {
  /** Call it after a page of `resource` was committed. */
  readonly followPage: (resource: ResourceName, changed: readonly WireRecord[]) => void;
  /** Call it after the platform removed records of `resource`. */
  readonly followRemoval: (resource: ResourceName, ids: readonly string[]) => void;
  /** Call it after complete lists were imported, including visitors. */
  readonly followSnapshot: (signal: AbortSignal) => Promise<void>;
  /** Erases every visitor with a lead whom the mirror holds as deleted. Returns how many facts lost their payload. */
  readonly eraseRemoved: (signal: AbortSignal) => Promise<number>;
};

/** Visitors per slice; I/O runs between two slices. */
const SLICE = 500;

/** The mirror changes of one device. `onTouchpoints`: the device may have got its touchpoint. */
export function createMirrorChanges({
  journal,
  mirror,
  stand,
  onTouchpoints,
}: {
  readonly journal: Journal;
  readonly mirror: Mirror;
  readonly stand: Pick<KioskStand, 'follow' | 'forget' | 'readAnew'>;
  readonly onTouchpoints: () => void;
}): MirrorChanges {
  return {
    followPage: (resource, changed) => {
      if (resource === 'visitors' && !journal.outbox.isEmpty()) nameChangedVisitors(journal, mirror, changed);
      if (resource === 'touchpoints') onTouchpoints();
      if (resource === 'connections') journal.leads.keepConnections(changed.flatMap(toldBy));
      stand.follow(resource, changed);
    },
    followRemoval: (resource, ids) => {
      if (resource === 'visitors') for (const id of ids) journal.erase(id);
      stand.forget(resource, ids);
    },
    followSnapshot: async (signal) => {
      stand.readAnew();
      onTouchpoints();
      // From here on a tap finds its visitor in the mirror.
      if (journal.outbox.isEmpty()) return;
      for (let last = ''; !signal.aborted; ) {
        const visitors = mirror.recordsAfter('visitors', last, SLICE);
        nameChangedVisitors(journal, mirror, visitors);
        if (visitors.length < SLICE) return;
        last = visitors.at(-1)?.id ?? last;
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
    },
    eraseRemoved: async (signal) => {
      let facts = 0;
      for (let last = ''; !signal.aborted; ) {
        const visitors = journal.leads.visitorsAfter(last, SLICE);
        for (const id of mirror.deletedAmong('visitors', visitors)) facts += journal.erase(id);
        if (visitors.length < SLICE) break;
        last = visitors.at(-1) ?? last;
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
      return facts;
    },
  };
}

/**
 * Erases removed visitors whose erasure was interrupted or failed: at once, then every hour until `signal` aborts.
 * `onErased` is called after facts lost their payload.
 */
export async function keepRemovedErased(
  clock: Clock,
  { eraseRemoved }: Pick<MirrorChanges, 'eraseRemoved'>,
  onErased: () => void,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    if ((await eraseRemoved(signal)) > 0) onErased();
    if (signal.aborted) return;
    await clock.sleep(RETENTION_EVERY_MS, signal);
  }
}

/** Gives the leads of changed visitors their names, and erases visitors that were removed. */
export function nameChangedVisitors(journal: Journal, mirror: Mirror, changed: readonly WireRecord[]): void {
  const living = changed.filter(({ deleted }) => !deleted);
  const carriers = living.map(({ id, body }) => ({ id, codes: badgeCodes(body) }));
  const concerned = journal.leads.concerned(carriers);
  for (const { id } of changed.filter(({ deleted }) => deleted)) journal.erase(id);
  for (const { id, codes } of carriers) {
    const visitor = concerned.has(id) ? mirror.record('visitors', id) : null;
    // A code that two people share identifies neither of them.
    const own = codes.filter((code) => mirror.ownerOf([code]).kind === 'visitor');
    if (visitor !== null) journal.leads.nameBadges(own, snapshotOf(visitor));
  }
}

/** Names the leads of unknown badges that are now in the mirror. Returns how many leads changed. */
export function nameAtStart(leads: Leads, mirror: Mirror): number {
  let named = 0;
  for (const badge of leads.unnamedBadges()) {
    const owner = mirror.ownerOf([badge]);
    if (owner.kind === 'visitor') named += leads.nameBadges([badge], snapshotOf(owner.visitor));
  }
  return named;
}

/** The partner's side of a connection. */
function toldBy({ deleted, body }: WireRecord): readonly ToldConnection[] {
  const { visitorID: visitor, partnerID: partner, type } = body;
  if (deleted || type !== 'partner' || typeof visitor !== 'string' || typeof partner !== 'string') return [];
  return [{ visitor, partner, body }];
}
