/**
 * Walks one resource page by page: a complete pass, or following from the cursor.
 *
 *     follow: cursor (at times a little before it: late revisions) ► page ► ... ► nothing higher
 *     pass:   0 ► page ► ... ► end ► sweep the unseen records
 *
 * Invariants:
 * - The next page is requested while this one is written, unless the list was requested too often (`request-pace.ts`).
 * - A page and its position commit together (docs/laws.md#law-4).
 * - A fault loses nothing that was committed.
 * - An answer that ignores the request pauses the sync. Nothing of it is written.
 */

import { textOf } from '../../foundations/api/body.ts';
import type { ApiClient, Query } from '../../foundations/api/client.ts';
import { faultOf, type Step, stepAfter } from '../../foundations/api/cursor.ts';
import { listBytes } from '../../foundations/api/endpoints.ts';
import { ApiError } from '../../foundations/api/error-class.ts';
import { type Page, readPage, type WireRecord } from '../../foundations/api/page.ts';
import type { Clock, Log } from '../../foundations/ports.ts';
import { yieldToIo } from '../../foundations/time/loops.ts';
import type { PulledMirror } from '../mirror/mirror.ts';
import type { Resource } from '../mirror/resources.ts';
import { type MirrorRow, rowsOf } from '../mirror/rows.ts';
import type { Applied, Swept } from '../mirror/tables.ts';
import type { RequestPace } from './request-pace.ts';

type WalkPorts = {
  readonly client: ApiClient;
  readonly expoId: string;
  readonly mirror: PulledMirror;
  readonly clock: Clock;
  readonly pace: RequestPace;
  readonly log: Log;
  readonly onAnswer: () => void;
  readonly onPage: (resource: Resource, changed: readonly WireRecord[]) => void;
};

/**
 * How a following walk ended. `wentBack`: a record had a lower revision than the stored one. `doubtful`: the platform
 * may have been reset or may have lost records; only a pass can tell.
 */
type Followed = { readonly wentBack: boolean; readonly doubtful: boolean };

type Walk = {
  readonly follow: (
    resource: Resource,
    from: bigint,
    filter: Query,
    signal: AbortSignal,
  ) => Promise<Followed>;
  /** Continues the running pass, or starts one. */
  readonly pass: (
    resource: Resource,
    filter: Query,
    signal: AbortSignal,
  ) => Promise<{ readonly wentBack: boolean; readonly swept: Swept }>;
};

/** Writes the rows of a page with the position after it, in one commit. */
type WritePage = (rows: readonly MirrorRow[], step: Step) => Applied;

/** Walks over one event. */
export function createWalk(ports: WalkPorts): Walk {
  const { mirror } = ports;
  return {
    follow: async (resource, from, filter, signal) => {
      const cursor = mirror.progress(resource.name).revision;
      let wentBack = false;
      // An inclusive cursor returns at least the record at the cursor, unless that record is gone or the platform was
      // reset.
      let foundCursor = cursor === 0n || !resource.byRevision;
      await walkPages(ports, { resource, from, filter, signal }, (rows, step) => {
        foundCursor ||= rows.some(({ record }) => record.revision >= cursor);
        const applied = mirror.applyPage(
          resource.name,
          rows,
          step.revision > cursor ? step.revision : cursor,
        );
        wentBack ||= applied.wentBack;
        return applied;
      });
      return { wentBack, doubtful: wentBack || !foundCursor };
    },
    pass: async (resource, filter, signal) => {
      const { pass: underWay, passes } = mirror.progress(resource.name);
      let wentBack = false;
      let pass = underWay ?? { number: passes + 1, from: 0n, sound: true };
      await walkPages(ports, { resource, from: pass.from, filter, signal }, (rows, step) => {
        pass = { ...pass, from: step.revision, sound: pass.sound && !step.tieTooLong };
        const applied = mirror.applyPassPage(resource.name, rows, pass);
        wentBack ||= applied.wentBack;
        return applied;
      });
      return { wentBack, swept: mirror.endPass(resource.name, pass, ports.clock.now()) };
    },
  };
}

type PageRange = {
  readonly resource: Resource;
  readonly from: bigint;
  readonly filter: Query;
  readonly signal: AbortSignal;
};

/** Fetches from `from` to the end. The next page is requested while `write` commits the previous one. @throws ApiError */
async function walkPages(
  { client, expoId, mirror, clock, pace, log, onAnswer, onPage }: WalkPorts,
  { resource, from, filter, signal }: PageRange,
  write: WritePage,
): Promise<void> {
  const generation = mirror.generation();
  const { name, pageSize, byRevision, idField } = resource;
  const held = mirror.progress(name).living;
  const fetchPage = async (fromRevision: bigint): Promise<Uint8Array> => {
    const wait = pace.spend(resource, held);
    if (wait > 0) await clock.sleep(wait, signal);
    return listBytes(client, expoId, { ...resource, limit: pageSize, fromRevision, filter }, signal);
  };
  let isTieReported = false;
  let revision = from;
  let bytes = await fetchPage(revision);
  for (;;) {
    onAnswer();
    const page = usablePage(name, readPage(textOf(bytes), idField), log);
    const revisions = page.records.map((record) => record.revision);
    const fault = byRevision ? faultOf(revision, revisions, page.length, pageSize) : null;
    if (fault !== null) throw new ApiError({ kind: 'stop', pause: 'notAPlatform' }, `${name}: ${fault}`);
    const step: Step = byRevision
      ? stepAfter(revision, revisions, page.length, pageSize)
      : { revision, done: true, tieTooLong: false };
    if (step.tieTooLong && !isTieReported) {
      isTieReported = true;
      log.error('more records share one revision than fit a page; the rest cannot be read', {
        resource: name,
        revision: String(revision),
      });
    }
    const next = step.done ? null : fetchPage(step.revision);
    if (next !== null) await yieldToIo(next);
    // The pages before this one were lost with the file.
    if (mirror.generation() !== generation)
      throw new ApiError({ kind: 'retry', reached: 'no' }, `${name}: the mirror is fetched again`);
    const { changed, added } = write(rowsOf(name, bytes, page), step);
    pace.earn(resource, added);
    onPage(resource, changed);
    if (next === null) return;
    revision = step.revision;
    bytes = await next;
  }
}

/** @throws ApiError if the answer is not a page */
function usablePage(resource: string, page: Page, log: Log): Extract<Page, { kind: 'page' }> {
  if (page.kind === 'malformed')
    throw new ApiError({ kind: 'retry', reached: 'no' }, `${resource}: ${page.reason}`);
  if (page.skipped > 0) {
    log.warn('records without a usable id or revision were skipped', { resource, skipped: page.skipped });
  }
  return page;
}
