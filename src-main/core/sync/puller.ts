/**
 * Keeps the mirror equal to the event, for ever.
 *
 *     round: the event's name; then each resource: first sync or pass under way ► go on with it
 *                                                 a day old, asked for, or in doubt ► pass
 *                                                 otherwise ► follow
 *            then the errands: what else the stand wants of the platform
 *     then:  wait about ten seconds (or until poked), next round
 *
 * Invariants: positions move only in `mirror` (law 4); no transaction is open across an await (law 11); this loop and
 * the sender's are the only ones that retry (law 12); a right the key lacks empties an optional resource and stops
 * nothing else.
 */
import type { Pause } from '../../contract/device.ts';
import type { ApiClient, Query } from '../api/client.ts';
import type { Connection } from '../api/connection.ts';
import { ApiError, isMissingRight } from '../api/error-class.ts';
import type { WireRecord } from '../api/page.ts';
import type { Mirror } from '../mirror/mirror.ts';
import { RESOURCES, type Resource, type ResourceName } from '../mirror/resources.ts';
import type { Clock, Log, Random } from '../ports.ts';
import { backoffMs } from '../time/backoff.ts';
import { createWakeableSleep } from '../time/wakeable-sleep.ts';
import { estimate, findTop } from './estimate.ts';
import { refreshEvent } from './event.ts';
import { createReReadWindow } from './re-read-window.ts';
import { createWalk } from './walk.ts';

const ROUND_EVERY_MS = 10_000;
const SLOWEST_RETRY_MS = 15_000;
const PASS_EVERY_MS = 24 * 3_600_000;
/** A first sync longer than this many records is worth an estimate. */
const LONG = 1_000;

export type PullerPorts = {
  readonly client: ApiClient;
  readonly expoId: string;
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly connection: Connection;
  /** Our own partner once known; resources of the own partner wait for it. */
  readonly partner: () => string | null;
  /** After each page, outside any transaction, with what was new or changed. */
  readonly onPage: (resource: ResourceName, changed: readonly WireRecord[]) => void;
  /** A pass removed these, because the platform no longer has them. */
  readonly onRemoved: (resource: ResourceName, ids: readonly string[]) => void;
  /**
   * A round compared whole resources with the platform (once a day, on demand, in doubt). Whatever made us compare
   * may have taken confirmed interactions, too: the outbox looks for them again.
   */
  readonly onCompared: () => void;
  /** The last step of each round: small things to ask besides the resources (details, pictures, e-mails). */
  readonly backgroundJobs: (signal: AbortSignal) => Promise<void>;
  /** After a whole round. */
  readonly onRound: () => void;
};

export type Puller = {
  /** Runs until `signal` aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Asks for a round soon. */
  readonly wake: () => void;
  /** Asks for a round now; resolves when one that began after the call has ended, or a fault struck first. */
  readonly pullNow: (signal: AbortSignal) => Promise<'done' | 'failed'>;
  /** Asks for a pass over everything: compare record by record, remove what is gone. */
  readonly reconcile: () => void;
  /** Why the event cannot be read at the moment, or null. */
  readonly pause: () => Pause | null;
  /** Wall time at which the last whole round ended, or null. */
  readonly lastRoundAt: () => number | null;
  /** Share and seconds left of a long first sync, or null. */
  readonly remaining: () => { readonly share: number; readonly secondsLeft: number | null } | null;
};

/** The puller of one event. */
export function createPuller(ports: PullerPorts): Puller {
  const { client, expoId, mirror, clock, random, log, connection } = ports;
  const waker = createWakeableSleep(clock);
  const reReadWindow = createReReadWindow();
  const wanted = new Set<ResourceName>();
  let lastRoundAt: number | null = null;
  let compared = false;
  let rounds = 0;
  let pause: Pause | null = null;
  let waiting: { readonly round: number; readonly resolve: (outcome: 'done' | 'failed') => void }[] = [];
  let long: { name: ResourceName; start: bigint; top: bigint; startMono: number } | null = null;

  const walk = createWalk({
    client,
    expoId,
    mirror,
    clock,
    log,
    onAnswer: connection.succeeded,
    onPage: (resource, changed) => ports.onPage(resource.name, changed),
  });

  const setBack = (resource: Resource): void => {
    compared = true;
    log.warn('the platform went back to an older state', { resource: resource.name });
  };

  const filterOf = (resource: Resource): Query | null => {
    if (!resource.ofOwnPartner) return {};
    const partner = ports.partner();
    return partner === null ? null : { partnerId: partner };
  };

  const pass = async (resource: Resource, filter: Query, signal: AbortSignal): Promise<void> => {
    const before = mirror.progress(resource.name);
    // Asked for again while we walk, it is walked again; a fault before the first page must not lose the wish.
    wanted.delete(resource.name);
    const { wentBack, swept } = await walk.pass(resource, filter, signal).catch((error: unknown) => {
      wanted.add(resource.name);
      throw error;
    });
    if (before.complete && resource.byRevision) compared = true;
    if (wentBack || mirror.progress(resource.name).revision < before.revision) setBack(resource);
    if (swept.kind === 'swept') {
      if (swept.removed.length > 0) ports.onRemoved(resource.name, swept.removed);
      return;
    }
    log.warn('a pass would remove many records and waits for a yes', { resource: resource.name, ...swept });
  };

  /** Looks for the end of a long first sync once it proves long. */
  const measure = async (resource: Resource, filter: Query, signal: AbortSignal): Promise<void> => {
    const progress = mirror.progress(resource.name);
    if (progress.complete || !resource.byRevision || long?.name === resource.name) return;
    const start = progress.pass?.from ?? 0n;
    const top = await findTop(client, expoId, resource, filter, start, signal);
    if (top - start > BigInt(LONG)) long = { name: resource.name, start, top, startMono: clock.monotonic() };
  };

  const pull = async (resource: Resource, signal: AbortSignal): Promise<void> => {
    const filter = filterOf(resource);
    if (filter === null) return;
    const { complete, pass: underWay, sweptAt, revision } = mirror.progress(resource.name);
    const old = sweptAt !== null && Math.abs(clock.now() - sweptAt) > PASS_EVERY_MS;
    if (resource.name === 'visitors') await measure(resource, filter, signal);
    if (!complete || underWay !== null || old || wanted.has(resource.name) || !resource.byRevision) {
      await pass(resource, filter, signal);
      return;
    }
    const from = reReadWindow.from(resource.name, revision, clock.monotonic());
    const { wentBack, doubtful } = await walk.follow(resource, from, filter, signal);
    if (wentBack) setBack(resource);
    if (doubtful) await pass(resource, filter, signal);
  };

  /** One resource of a round. A right the key lacks ends nothing but this resource. */
  const pullOne = async (resource: Resource, signal: AbortSignal): Promise<void> => {
    try {
      await pull(resource, signal);
    } catch (error) {
      if (!resource.optional || !isMissingRight(error)) throw error;
    }
  };

  const answer = (outcome: 'done' | 'failed'): void => {
    const answered = waiting.filter((entry) => entry.round <= rounds);
    waiting = waiting.filter((entry) => entry.round > rounds);
    for (const { resolve } of answered) resolve(outcome);
  };

  const endRound = (): void => {
    answer('done');
    lastRoundAt = clock.now();
    long = null;
    if (compared) ports.onCompared();
    compared = false;
    ports.onRound();
  };

  const waitAfter = (error: unknown, failures: number): number => {
    if (error instanceof ApiError) {
      const { errorClass } = error;
      log.info('the mirror waits', { why: error.message, verdict: errorClass.kind });
      if (errorClass.kind === 'busy') {
        const spread = Math.min(8_000, 500 * 2 ** Math.min(failures, 5));
        return (errorClass.retryAfterMs ?? 0) + random.fraction() * spread;
      }
      return Math.min(SLOWEST_RETRY_MS, 250 + backoffMs(failures, random.fraction()));
    }
    log.error('the mirror could not be written', {
      error: error instanceof Error ? error.message : 'unknown',
    });
    return SLOWEST_RETRY_MS;
  };

  return {
    run: async (signal) => {
      let failures = 0;
      // What is left of the round. After a fault we go on where it struck: devices that share a key and are turned
      // away now and then would otherwise never come to the end.
      let left: readonly (Resource | 'errands')[] = [];
      while (!signal.aborted) {
        let wait = 0;
        try {
          if (left.length === 0) {
            rounds += 1;
            await refreshEvent(client, expoId, mirror, signal);
            left = [...RESOURCES, 'errands'];
          }
          const [step, ...rest] = left;
          if (step === 'errands') await ports.backgroundJobs(signal);
          else if (step !== undefined) await pullOne(step, signal);
          failures = 0;
          pause = null;
          left = rest;
          if (left.length === 0) {
            endRound();
            wait = ROUND_EVERY_MS * (0.8 + 0.4 * random.fraction());
          }
        } catch (error) {
          if (signal.aborted) return;
          connection.failed(error);
          pause = pauseOf(error) ?? pause;
          answer('failed');
          wait = waitAfter(error, failures);
          failures += 1;
        }
        if (wait > 0) await waker.sleep(wait, signal);
      }
    },
    wake: waker.wake,
    pullNow: (signal) =>
      new Promise((resolve) => {
        waiting.push({ round: rounds + 1, resolve });
        signal.addEventListener('abort', () => resolve('failed'), { once: true });
        waker.wake();
      }),
    reconcile: () => {
      for (const { name } of RESOURCES) wanted.add(name);
      waker.wake();
    },
    pause: () => pause,
    lastRoundAt: () => lastRoundAt,
    remaining: () => {
      if (long === null) return null;
      const now = mirror.progress(long.name).pass?.from ?? long.top;
      return estimate({ ...long, now }, long.startMono, clock.monotonic());
    },
  };
}

/** A list that is refused for good is no list of this platform: most likely its address is wrong. */
function pauseOf(error: unknown): Pause | null {
  if (!(error instanceof ApiError)) return null;
  if (error.errorClass.kind === 'stop') return error.errorClass.pause;
  return error.errorClass.kind === 'reject' ? 'notAPlatform' : null;
}
