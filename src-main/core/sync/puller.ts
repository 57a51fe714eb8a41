/**
 * Pulls the event into the mirror, resource by resource, for ever.
 *
 *     pass: for each resource: page ► (next page is asked for while this one is written) ► ... ► end
 *     then: wait about ten seconds (or until poked), next pass
 *
 * Invariants: a page and its cursor commit together in `mirror.applyPage` (law 4); no transaction is open across
 * an await (law 11); this loop and the sender's are the only ones that retry (law 12).
 */
import type { ApiClient } from '../api/client.ts';
import { listPage } from '../api/endpoints.ts';
import type { Page, WireRecord } from '../api/page.ts';
import { ApiError } from '../api/verdict.ts';
import type { Mirror } from '../mirror/mirror.ts';
import { RESOURCES, type Resource, type ResourceName } from '../mirror/resources.ts';
import { backoffMs } from '../outbox/backoff.ts';
import type { Clock, Log, Random } from '../ports.ts';
import type { Connection } from './connection.ts';
import { stepAfter } from './cursor.ts';
import { refreshEvent } from './event.ts';
import { createWaker } from './waker.ts';

const PASS_EVERY_MS = 10_000;
const SLOWEST_RETRY_MS = 15_000;

export type PullerPorts = {
  readonly client: ApiClient;
  readonly expoId: string;
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly connection: Connection;
  /** After each page, outside any transaction, with what was new or changed. */
  readonly onPage: (resource: ResourceName, changed: readonly WireRecord[]) => void;
  /** After a whole pass. */
  readonly onPass: () => void;
};

export type Puller = {
  /** Runs until `signal` aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Asks for a pass soon. */
  readonly poke: () => void;
  /** Wall time at which the last whole pass ended, or null. */
  readonly lastPassAt: () => number | null;
};

/** The puller of one event. */
export const createPuller = (ports: PullerPorts): Puller => {
  const { client, expoId, mirror, clock, random, log, connection } = ports;
  const waker = createWaker(clock);
  let lastPassAt: number | null = null;

  const fetchPage = (resource: Resource, fromRevision: bigint, signal: AbortSignal): Promise<Page> =>
    listPage(client, expoId, { ...resource, limit: resource.pageSize, fromRevision }, signal);

  const pull = async (resource: Resource, signal: AbortSignal): Promise<void> => {
    let { revision, complete } = mirror.cursor(resource.name);
    let page = await fetchPage(resource, revision, signal);
    for (;;) {
      connection.succeeded();
      if (page.kind === 'malformed') {
        throw new ApiError({ kind: 'retry', reached: 'no' }, `${resource.name}: ${page.reason}`);
      }
      if (page.skipped > 0) {
        log.warn('records without a usable id or revision were skipped', {
          resource: resource.name,
          skipped: page.skipped,
        });
      }
      const revisions = page.records.map((record) => record.revision);
      const step = stepAfter(revision, revisions, page.length, resource.pageSize);
      if (step.tieTooLong) {
        log.error('more records share one revision than fit a page; the rest of them cannot be asked for', {
          resource: resource.name,
          revision: String(revision),
        });
      }
      const next = step.done ? null : fetchPage(resource, step.revision, signal);
      // Awaited below; a fault while the page is written must not surface as unhandled in between.
      next?.catch(() => undefined);
      complete ||= step.done;
      revision = step.revision;
      const changed = mirror.applyPage(resource.name, page.records, { revision, complete });
      if (changed.length > 0) ports.onPage(resource.name, changed);
      if (next === null) return;
      page = await next;
    }
  };

  const pass = async (signal: AbortSignal): Promise<void> => {
    await refreshEvent(client, expoId, mirror, signal);
    for (const resource of RESOURCES) await pull(resource, signal);
    lastPassAt = clock.now();
    ports.onPass();
  };

  const waitAfter = (error: unknown, failures: number): number => {
    if (error instanceof ApiError) {
      const { verdict } = error;
      log.info('the mirror waits', { why: error.message, verdict: verdict.kind });
      if (verdict.kind === 'busy') return (verdict.retryAfterMs ?? 500) + random.fraction() * 500;
      return Math.min(SLOWEST_RETRY_MS, 250 + backoffMs(failures, random.fraction()));
    }
    log.error('the mirror could not be written', { error: String(error) });
    return SLOWEST_RETRY_MS;
  };

  return {
    run: async (signal) => {
      let failures = 0;
      while (!signal.aborted) {
        let wait = PASS_EVERY_MS * (0.8 + 0.4 * random.fraction());
        try {
          await pass(signal);
          failures = 0;
        } catch (error) {
          if (signal.aborted) return;
          connection.failed(error);
          wait = waitAfter(error, failures);
          if (!(error instanceof ApiError) || error.verdict.kind !== 'busy') failures += 1;
        }
        await waker.sleep(wait, signal);
      }
    },
    poke: waker.wake,
    lastPassAt: () => lastPassAt,
  };
};
