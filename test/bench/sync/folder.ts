/** What the sync bench does in a kiosk's data folder while no kiosk runs: badge lookups, and filling the outbox. */
import { join } from 'node:path';
import { badgeCodes } from '../../../src-main/core/event/mirror/badge-codes.ts';
import { openMirror } from '../../../src-main/core/event/mirror/mirror.ts';
import { snapshotOf } from '../../../src-main/core/event/mirror/people.ts';
import { uidOfText } from '../../../src-main/core/foundations/badge/uid.ts';
import { findAssignment } from '../../../src-main/core/stand/device/assignment.ts';
import { openJournal, stamperOf } from '../../core/real-parts.ts';
import { quantile } from '../measure.ts';
import type { KioskPlace } from './kiosk.ts';

const LOOK_UPS = 20_000;
/** A prime, so that the badges are visited out of index order and none twice. */
const STRIDE = 7_919;

export type LookedUp = {
  readonly visitors: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** The badges that were looked up first. */
  readonly uids: readonly string[];
};

/** Looks up the visitors of badges from all over the mirror, each once. */
export const lookUp = (place: KioskPlace & { readonly uids: number }): Promise<LookedUp> => {
  const mirror = openMirror(join(place.folder, 'mirror.db'), place.expoId);
  const uids = mirror
    .records('visitors')
    .flatMap(({ body }) => badgeCodes(body).filter((code) => uidOfText(code) === code));
  const asked = Array.from({ length: LOOK_UPS }, (_, index) => uids[(index * STRIDE) % uids.length] ?? '');
  const times = asked.map((uid) => {
    const start = performance.now();
    const owner = mirror.ownerOf([uid]);
    const took = performance.now() - start;
    if (owner.kind !== 'visitor') throw new Error(`Expected a badge to be somebody's, it is ${owner.kind}`);
    return took;
  });
  const visitors = mirror.count('visitors');
  mirror.close();
  return Promise.resolve({
    visitors,
    p50Ms: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95),
    uids: asked.slice(0, place.uids),
  });
};

/** Captures this many taps of different visitors for the next start to deliver. */
export const fill = (place: KioskPlace & { readonly facts: number }): Promise<{ readonly due: number }> => {
  const mirror = openMirror(join(place.folder, 'mirror.db'), place.expoId);
  const journal = openJournal(join(place.folder, 'journal.db'), stamperOf());
  const assignment = findAssignment(journal.settings, mirror);
  const visitors = mirror.records('visitors');
  for (let index = 0; index < place.facts; index += 1) {
    const visitor = visitors[(index * STRIDE) % visitors.length];
    const badge = visitor === undefined ? undefined : badgeCodes(visitor.body)[0];
    if (visitor === undefined || badge === undefined) throw new Error('Expected visitors with badges');
    journal.record(
      {
        kind: 'tap',
        source: 'nfc',
        reader: 'bench',
        staff: null,
        clockOffset: 0,
        touchpoint: assignment?.touchpoint ?? null,
        partner: assignment?.partner ?? null,
        payload: { badge, visitor: visitor.id },
      },
      snapshotOf(visitor),
    );
  }
  const { due } = journal.outbox.counts();
  journal.close();
  mirror.close();
  return Promise.resolve({ due });
};
