/**
 * Starts, follows and cancels exports, and returns their files to a browser.
 *
 * Invariants:
 * - One export runs at a time, so that it has the stick and the processor to itself.
 * - A finished job stays visible until another one starts, an hour or more after its own start.
 * - A file for a browser is in the data folder, readable by its owner only. It is removed after the download, by
 *   `drop`, when the app ends, and at the next start.
 */
import { closeSync, mkdirSync, openSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { Countersignature } from '../../../contract/exports.ts';
import type { Clock, Log } from '../../foundations/ports.ts';
import type { Exported, ExportOrder } from './export-run.ts';
import type { ExportNews, ExportWork } from './export-worker.ts';
import { isCountersigned } from './signature.ts';

/** State of an export. Counts are leads. `leftMs` is null while unknown. */
export type ExportJob = {
  readonly id: string;
  readonly done: number;
  readonly of: number;
  readonly leftMs: number | null;
  /** Null while it runs. `failed`: an unexpected error, which is in the log. */
  readonly result: Exported | { readonly kind: 'failed' } | null;
  /** File name of an export that waits for its download by a browser. */
  readonly download: string | null;
};

export type ExportJobs = {
  /**
   * Starts an export. With a null `target` a browser downloads it as `name`.
   *
   * @returns the job, or null while another one runs
   */
  readonly start: (
    order: Omit<ExportOrder, 'target' | 'isDownload'>,
    target: string | null,
    name: string,
  ) => ExportJob | null;
  readonly job: (id: string) => ExportJob | null;
  readonly cancel: (id: string) => boolean;
  /** The bytes of an export for a browser, once. Null if there is none. */
  readonly fetch: (id: string) => Generator<Uint8Array> | null;
  /**
   * Cancels the running job and removes files that wait for a download, because they may hold erased data. Returns
   * whether there was a job or file.
   */
  readonly drop: () => boolean;
  /** Cancels the running job and removes files that were not downloaded. */
  readonly stop: () => Promise<void>;
};

export type ExportJobsPorts = {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Path of the export thread's program. */
  readonly program: URL;
  readonly newId: () => string;
  /** The hub of this device, which also signs receipts. Null without such a hub. */
  readonly hub: () => { readonly name: string; readonly fingerprint: string } | null;
  /** The hub's signature of a hash. Null if none arrives in time. */
  readonly countersign: (sha256: string) => Promise<Countersignature | null>;
  /** Called after each change of a job. */
  readonly onChange: (job: ExportJob) => void;
};

const FORGOTTEN_AFTER_MS = 3_600_000;
const PIECE = 256 * 1024;

type Kept = {
  job: ExportJob;
  readonly began: number;
  readonly stop: Int32Array;
  /** Folder of a file for a browser. Null if the file is at the requested target. */
  readonly own: string | null;
  readonly ended: Promise<void>;
};

type Jobs = Map<string, Kept>;

/** The exports of one data folder. */
export function createExportJobs(ports: ExportJobsPorts): ExportJobs {
  const { clock } = ports;
  const jobs: Jobs = new Map();
  const downloads = join(ports.folder, 'downloads');
  rmSync(downloads, { recursive: true, force: true });
  const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });
  const forgetOld = (): void => {
    for (const [id, { job, began, own }] of jobs) {
      if (job.result === null || clock.monotonic() - began < FORGOTTEN_AFTER_MS) continue;
      if (own !== null) remove(own);
      jobs.delete(id);
    }
  };

  return {
    start: (order, target, name) => {
      forgetOld();
      if ([...jobs.values()].some(({ job }) => job.result === null)) return null;
      const id = ports.newId();
      const own = target === null ? join(downloads, id) : null;
      const stop = new Int32Array(new SharedArrayBuffer(4));
      const job: ExportJob = { id, done: 0, of: 0, leftMs: null, result: null, download: null };
      if (own !== null) mkdirSync(own, { recursive: true, mode: 0o700 });
      const place = own === null ? (target ?? '') : join(own, name);
      const whole: ExportOrder = { ...order, target: place, isDownload: own !== null };
      const ended = runInThread(ports, jobs, id, whole, stop);
      jobs.set(id, { job, began: clock.monotonic(), stop, own, ended });
      return job;
    },
    job: (id) => jobs.get(id)?.job ?? null,
    cancel: (id) => {
      const kept = jobs.get(id);
      if (kept === undefined || kept.job.result !== null) return false;
      Atomics.store(kept.stop, 0, 1);
      return true;
    },
    fetch: (id) => {
      const kept = jobs.get(id);
      if (kept === undefined || kept.own === null || kept.job.download === null) return null;
      const path = join(kept.own, kept.job.download);
      change(ports, jobs, id, { download: null });
      return bytesOf(path, kept.own);
    },
    drop: () => {
      const running = [...jobs.values()].filter(({ job }) => job.result === null);
      for (const { stop } of running) Atomics.store(stop, 0, 1);
      const fetchable = [...jobs.values()].filter(({ job }) => job.download !== null);
      for (const { job, own } of fetchable) {
        if (own !== null) remove(own);
        change(ports, jobs, job.id, { download: null });
      }
      return running.length + fetchable.length > 0;
    },
    stop: async () => {
      for (const { stop } of jobs.values()) Atomics.store(stop, 0, 1);
      await Promise.all([...jobs.values()].map(({ ended }) => ended));
      remove(downloads);
    },
  };
}

function change({ onChange }: ExportJobsPorts, jobs: Jobs, id: string, changes: Partial<ExportJob>): void {
  const kept = jobs.get(id);
  if (kept === undefined) return;
  kept.job = { ...kept.job, ...changes };
  onChange(kept.job);
}

/** Resolves when the export's thread has ended. */
function runInThread(
  ports: ExportJobsPorts,
  jobs: Jobs,
  id: string,
  order: ExportOrder,
  stop: Int32Array,
): Promise<void> {
  return new Promise((resolve) => {
    const fingerprint = ports.hub()?.fingerprint ?? null;
    const { port1, port2 } = new MessageChannel();
    const answered = new Int32Array(new SharedArrayBuffer(4));
    const hub = fingerprint === null ? null : { fingerprint, answers: port2, answered };
    const work: ExportWork = { order, stop, hub };
    const worker = new Worker(ports.program, { workerData: work, transferList: [port2] });
    worker.on('message', (news: ExportNews) => {
      if (news.kind !== 'countersign') return hear(ports, jobs, id, news);
      const { sha256 } = news;
      void ports.countersign(sha256).then((countersignature) => {
        const holds =
          countersignature !== null &&
          fingerprint !== null &&
          isCountersigned(countersignature, fingerprint, sha256);
        port1.postMessage(holds ? countersignature : null);
        Atomics.add(answered, 0, 1);
        Atomics.notify(answered, 0);
      });
    });
    worker.on('error', (error) => {
      ports.log.error('an export ended by a fault', {
        error: error instanceof Error ? error.name : 'unknown',
      });
    });
    worker.on('exit', () => {
      port1.close();
      if (jobs.get(id)?.job.result === null) change(ports, jobs, id, { result: { kind: 'failed' } });
      resolve();
    });
  });
}

function hear(
  ports: ExportJobsPorts,
  jobs: Jobs,
  id: string,
  news: Exclude<ExportNews, { readonly kind: 'countersign' }>,
): void {
  const kept = jobs.get(id);
  // A job writes a file; a preview has no job.
  if (kept === undefined || news.kind === 'preview') return;
  if (news.kind === 'progress') {
    const spent = ports.clock.monotonic() - kept.began;
    const leftMs = news.done === 0 ? null : Math.round((spent / news.done) * (news.of - news.done));
    change(ports, jobs, id, { done: news.done, of: news.of, leftMs });
    return;
  }
  const { result } = news;
  if (result.kind !== 'done') {
    change(ports, jobs, id, { result, leftMs: 0 });
    return;
  }
  const download = kept.own === null ? null : result.receipt.file;
  change(ports, jobs, id, { result, leftMs: 0, done: kept.job.of, download });
}

/** The bytes of a file. The file and its folder are removed after the last byte or when the reader stops. */
function* bytesOf(path: string, folder: string): Generator<Uint8Array> {
  const file = openSync(path, 'r');
  try {
    for (;;) {
      const piece = Buffer.alloc(PIECE);
      const length = readSync(file, piece);
      if (length === 0) return;
      yield piece.subarray(0, length);
    }
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true, force: true });
  }
}
