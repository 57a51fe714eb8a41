/**
 * Where to follow from so that late revisions are not missed. Pure bookkeeping.
 *
 * Invariants: a platform may commit a lower revision after a higher one was read; so now and then we read again from
 * where the cursor stood ten minutes ago, or 200 revisions back, whichever is further.
 * Source: reliability notes on revision sync ("overlap window"); in between, only the cursor itself is read.
 */

import { RE_READ_EVERY_MS, RE_READ_WINDOW_MS } from '../../foundations/time/times.ts';
import type { ResourceName } from '../mirror/resources.ts';

const REVISIONS_BACK = 200n;

export type ReReadWindow = {
  /** Where to follow `resource` from, whose cursor is `revision`, at monotonic `mono`. */
  readonly from: (resource: ResourceName, revision: bigint, mono: number) => bigint;
};

type Mark = { readonly mono: number; readonly revision: bigint };

export function createReReadWindow(): ReReadWindow {
  const marks = new Map<ResourceName, Mark[]>();
  const lastRead = new Map<ResourceName, number>();
  return {
    from: (resource, revision, mono) => {
      const kept = (marks.get(resource) ?? []).filter((_mark, index, all) => {
        const next = all[index + 1];
        return next === undefined || next.mono >= mono - RE_READ_WINDOW_MS;
      });
      if (kept.at(-1)?.revision !== revision) kept.push({ mono, revision });
      marks.set(resource, kept);
      const last = lastRead.get(resource);
      if (last !== undefined && mono - last < RE_READ_EVERY_MS) return revision;
      lastRead.set(resource, mono);
      const oldest = kept[0]?.revision ?? revision;
      const back = revision > REVISIONS_BACK ? revision - REVISIONS_BACK : 0n;
      return oldest < back ? oldest : back;
    },
  };
}
