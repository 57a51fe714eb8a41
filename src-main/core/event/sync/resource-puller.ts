/**
 * Brings the resources up to date with the platform, one after the other.
 *
 *     unfinished first sync or pass ► continue it
 *     without revisions, a day old, requested, or in doubt ► pass
 *     otherwise ► follow
 *
 * Invariants:
 * - Positions move only in `mirror` (docs/laws.md#law-4).
 * - If the key has no right to an optional resource, this is stored and stops only that resource.
 * - A requested pass that fails stays requested.
 * - A platform may commit a lower revision after a higher one was read. So once a minute a resource is read from the
 *   cursor of ten minutes ago or from 200 revisions back, whichever is further. Other reads start at the cursor.
 */
import type { ApiClient, Query } from '../../foundations/api/client.ts';
import { isMissingRight } from '../../foundations/api/error-class.ts';
import type { WireRecord } from '../../foundations/api/page.ts';
import type { Clock, Log } from '../../foundations/ports.ts';
import { PASS_EVERY_MS, RE_READ_EVERY_MS, RE_READ_WINDOW_MS } from '../../foundations/time/times.ts';
import type { PulledMirror } from '../mirror/mirror.ts';
import { RESOURCES, type Resource, type ResourceName } from '../mirror/resources.ts';
import { estimate, findTop } from './estimate.ts';
import { createRequestPace, type RequestPace } from './request-pace.ts';
import { createWalk } from './walk.ts';

/** A first sync of more records than this gets an estimate. */
const LONG = 1_000;

export type ResourcePullerPorts = {
  readonly client: ApiClient;
  readonly expoId: string;
  readonly mirror: PulledMirror;
  readonly clock: Clock;
  readonly log: Log;
  /** The device's partner, or null while it is unknown. Resources filtered by partner wait for it. */
  readonly partner: () => string | null;
  /** The mirrored resources, in this order. Default: those of a device. */
  readonly resources?: readonly Resource[] | undefined;
  readonly onAnswer: () => void;
  /** Called after each page, outside any transaction, with the new and changed records. */
  readonly onPage: (resource: ResourceName, changed: readonly WireRecord[]) => void;
  /** Called after a pass removed records that the platform no longer has. */
  readonly onRemoved: (resource: ResourceName, ids: readonly string[]) => void;
};

/** `wentBack`: a record had a lower revision than the stored one, so the platform was reset to an older state. */
export type Compared = { readonly wentBack: boolean };

export type ResourcePuller = {
  /** Brings one resource up to date. @throws ApiError */
  readonly pull: (resource: Resource, signal: AbortSignal) => Promise<void>;
  /** Whether a resource was read completely before and no pass over it is due. */
  readonly wouldFollow: (resource: Resource) => boolean;
  /** Makes the next pull of these resources, by default of every resource, a pass. */
  readonly wantPasses: (names?: readonly ResourceName[]) => void;
  /** Ends a round. Returns the result if it compared whole resources with the platform, otherwise null. */
  readonly endRound: () => Compared | null;
  /** Share and seconds left of a long first sync, or null. */
  readonly remaining: () => { readonly share: number; readonly secondsLeft: number | null } | null;
};

/** The puller of resources of one event. */
export function createResourcePuller(ports: ResourcePullerPorts): ResourcePuller {
  const { mirror, clock, log } = ports;
  const reReadWindow = createReReadWindow();
  const pace = createRequestPace(clock);
  const firstSync = createFirstSync(ports, pace);
  const wanted = new Set<ResourceName>();
  let compared: Compared | null = null;
  const walk = createWalk({
    client: ports.client,
    expoId: ports.expoId,
    mirror,
    clock,
    pace,
    log,
    onAnswer: ports.onAnswer,
    onPage: (resource, changed) => ports.onPage(resource.name, changed),
  });

  const setBack = (resource: Resource): void => {
    compared = { wentBack: true };
    log.warn('the platform went back to an older state', { resource: resource.name });
  };

  const pass = async (resource: Resource, filter: Query, signal: AbortSignal): Promise<void> => {
    const before = mirror.progress(resource.name);
    // A pass that is requested during the walk causes another walk. After a fault the request is kept.
    wanted.delete(resource.name);
    const { wentBack, swept } = await walk.pass(resource, filter, signal).catch((error: unknown) => {
      wanted.add(resource.name);
      throw error;
    });
    if (before.complete && resource.byRevision) compared ??= { wentBack: false };
    // A list that merely ends at a lower revision does not prove a reset, because its last record may have been
    // deleted.
    if (wentBack) setBack(resource);
    if (swept.kind === 'swept') {
      if (swept.removed.length > 0) ports.onRemoved(resource.name, swept.removed);
      return;
    }
    log.warn('a pass would remove many records and waits for an approval', {
      resource: resource.name,
      ...swept,
    });
  };

  const isPassDue = ({ name }: Resource): boolean => {
    const { complete, pass: underWay, sweptAt } = mirror.progress(name);
    const old = sweptAt !== null && Math.abs(clock.now() - sweptAt) > PASS_EVERY_MS;
    return !complete || underWay !== null || old || wanted.has(name);
  };

  const passOrFollow = async (resource: Resource, filter: Query, signal: AbortSignal): Promise<void> => {
    const { revision } = mirror.progress(resource.name);
    if (isPassDue(resource) || !resource.byRevision) {
      await pass(resource, filter, signal);
      return;
    }
    const from = reReadWindow.from(resource.name, revision, clock.monotonic());
    const { wentBack, doubtful } = await walk.follow(resource, from, filter, signal);
    if (wentBack) setBack(resource);
    if (doubtful) await pass(resource, filter, signal);
  };

  return {
    pull: async (resource, signal) => {
      const filter = filterOf(resource, ports.partner);
      if (filter === null) return;
      try {
        if (resource.name === 'visitors') await firstSync.measure(resource, filter, signal);
        await passOrFollow(resource, filter, signal);
        mirror.setRefused(resource.name, false);
      } catch (error) {
        if (!resource.optional || !isMissingRight(error)) throw error;
        if (!mirror.isRefused(resource.name))
          log.info('the key has no right to a resource', { resource: resource.name });
        mirror.setRefused(resource.name, true);
      }
    },
    wouldFollow: (resource) => !isPassDue(resource),
    wantPasses: (names = (ports.resources ?? RESOURCES).map(({ name }) => name)) => {
      for (const name of names) wanted.add(name);
    },
    endRound: () => {
      const wasCompared = compared;
      compared = null;
      firstSync.end();
      return wasCompared;
    },
    remaining: firstSync.remaining,
  };
}

/** Null for a resource that is filtered by the device's partner while the partner is unknown. */
function filterOf(resource: Resource, partnerOf: () => string | null): Query | null {
  if (!resource.ofOwnPartner) return {};
  const partner = partnerOf();
  return partner === null ? null : { partnerId: partner };
}

/** Measures a long first sync. */
function createFirstSync(
  { client, expoId, mirror, clock }: ResourcePullerPorts,
  pace: RequestPace,
): {
  readonly measure: (resource: Resource, filter: Query, signal: AbortSignal) => Promise<void>;
  readonly end: () => void;
  readonly remaining: ResourcePuller['remaining'];
} {
  let long: { name: ResourceName; start: bigint; top: bigint; startMono: number } | null = null;
  let isMeasured = false;
  return {
    measure: async (resource, filter, signal) => {
      const { complete, pass } = mirror.progress(resource.name);
      if (complete || !resource.byRevision || isMeasured) return;
      // Once per round: a fault repeats the pull, and the search needs many requests.
      isMeasured = true;
      const start = pass?.from ?? 0n;
      const beforeRequest = async (): Promise<void> => {
        const wait = pace.spend(resource, 0);
        if (wait > 0) await clock.sleep(wait, signal);
      };
      const top = await findTop(client, expoId, resource, filter, start, beforeRequest, signal);
      if (top - start > BigInt(LONG))
        long = { name: resource.name, start, top, startMono: clock.monotonic() };
    },
    end: () => {
      isMeasured = false;
      long = null;
    },
    remaining: () => {
      if (long === null) return null;
      const now = mirror.progress(long.name).pass?.from ?? long.top;
      return estimate({ ...long, now }, long.startMono, clock.monotonic());
    },
  };
}

const REVISIONS_BACK = 200n;

type ReReadWindow = {
  /** The revision from which to follow `resource`. `revision` is its cursor, `mono` the monotonic time now. */
  readonly from: (resource: ResourceName, revision: bigint, mono: number) => bigint;
};

type Mark = { readonly mono: number; readonly revision: bigint };

/** The start positions that include late revisions. Stores earlier cursors. */
function createReReadWindow(): ReReadWindow {
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
