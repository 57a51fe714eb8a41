/**
 * A new device's first mirror of the event, downloaded as one file from the hub instead of page by page (docs/hub.md).
 *
 *     no visitors here ─► a hub answers ─► manifest ─► pieces ─► prepared in a thread ─► adopted ─► followed by revision
 *                                     └── busy: wait for a slot      └── unusable: read page by page
 *
 * Invariants:
 * - No file is opened as a database before the hub's signature and the file's hash are verified.
 * - A fault costs only time, because reading page by page needs no file.
 * - A piece is an ordinary request, so deliveries run between two pieces, and an interruption costs one piece.
 * - The file is named after its hash. A download continues after a restart; other files are removed.
 * - Writing stops when a file exceeds the signed length, packed or unpacked.
 * - The tap thread only renames the finished file and copies the device's own rows into it.
 */
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { appendFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ApiClient } from '../../foundations/api/client.ts';
import { ApiError, isRefusal } from '../../foundations/api/error-class.ts';
import { pathOf } from '../../foundations/api/path.ts';
import type { Clock, Log } from '../../foundations/ports.ts';
import type { Mirror } from '../mirror/mirror.ts';
import { estimate } from './estimate.ts';
import {
  type IsFromHub,
  readManifest,
  type SnapshotManifest,
  UnusableSnapshot,
} from './snapshot-manifest.ts';
import type { SnapshotTask } from './snapshot-worker.ts';

type SnapshotPorts = {
  readonly client: ApiClient;
  readonly expoId: string;
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly log: Log;
  /** Data folder of the device, which holds the file until it is adopted. */
  readonly folder: string;
  /** Program of the thread that prepares the file. */
  readonly program: URL;
  /** Store id of the hub that answers now, or null if none answers. */
  readonly hubEpoch: (signal: AbortSignal) => Promise<string | null>;
  /** Whether the hub of this device signed a text. Absent if the device has no hub. */
  readonly isFromHub?: IsFromHub | undefined;
  /** Called after the file was adopted. */
  readonly onTaken: (signal: AbortSignal) => Promise<void>;
  /** Called when the device starts or stops waiting for a slot. */
  readonly onChange: () => void;
};

export type SnapshotTaker = {
  /** Downloads a snapshot if one is needed and available. @throws ApiError when the download should be retried */
  readonly take: (signal: AbortSignal) => Promise<void>;
  /** Whether the hub is serving other devices first. */
  readonly waitsForTurn: () => boolean;
  /** Share and seconds left of the download, or null. */
  readonly remaining: () => { readonly share: number; readonly secondsLeft: number | null } | null;
};

/** After this many consecutive faults the device stops requesting a snapshot. */
const MOST_FAULTS = 10;

/** The snapshot client of one device. */
export function createSnapshotTaker(ports: SnapshotPorts): SnapshotTaker {
  const { client, expoId, mirror, clock, log, isFromHub, onChange } = ports;
  const download = createSnapshotDownload({ client, expoId, folder: ports.folder, clock });
  let isOver = client.getRange === undefined || isFromHub === undefined;
  let waits = false;
  let faults = 0;
  let begun: { readonly at: number; readonly top: bigint } | null = null;

  const setWaits = (now: boolean): void => {
    if (waits === now) return;
    waits = now;
    onChange();
  };

  const takeFrom = async (epoch: string, signal: AbortSignal): Promise<void> => {
    const start = clock.monotonic();
    const text = await client.get(pathOf`/hub/snapshot/${expoId}`, {}, signal);
    const manifest = readManifest(text, isFromHub, { expo: expoId, epoch });
    setWaits(false);
    begun = { at: start, top: BigInt(manifest.length) };
    const files = await download.fetch(manifest, signal, () => {
      faults = 0;
    });
    const { sha256, size } = manifest;
    await readyInThread(ports.program, { ...files, sha256, size, expoId, now: clock.now() }, signal);
    mirror.adopt(files.unpacked);
    download.clear();
    log.info('the first mirror came as a snapshot', {
      bytes: manifest.length,
      ms: Math.round(clock.monotonic() - start),
    });
    await ports.onTaken(signal);
  };

  const giveUp = (why: string): void => {
    isOver = true;
    download.clear();
    log.warn('the snapshot of the hub cannot be used; the event is fetched page by page', { why });
  };

  const judge = (error: unknown, signal: AbortSignal): void => {
    if (signal.aborted) throw error;
    if (!(error instanceof ApiError)) {
      giveUp(error instanceof Error ? error.message : 'unknown');
    } else if (isRefusal(error)) {
      isOver = true;
      log.info('the hub has no snapshot for this device', { why: error.message });
    } else {
      const { kind } = error.errorClass;
      if (kind === 'retry') faults += 1;
      setWaits(kind === 'busy');
      if (faults < MOST_FAULTS) throw error;
      giveUp(error.message);
    }
  };

  return {
    take: async (signal) => {
      if (isOver) return;
      if (!mirror.isUntouched('visitors')) {
        isOver = true;
        download.clear();
        return;
      }
      const epoch = await ports.hubEpoch(signal);
      if (epoch === null) return;
      try {
        await takeFrom(epoch, signal);
        isOver = true;
      } catch (error) {
        judge(error, signal);
      } finally {
        begun = null;
      }
      setWaits(false);
    },
    waitsForTurn: () => waits,
    remaining: () =>
      begun && estimate({ start: 0n, now: download.got(), top: begun.top }, begun.at, clock.monotonic()),
  };
}

/**
 * Size of the first piece, and of the next one after a fault. On a good connection pieces grow to 1 MB, about the
 * memory of a page of records.
 */
const SMALL_PIECE = 256 * 1024;
const LARGE_PIECE = 1024 * 1024;
/** After a piece that took less than this, the next one may be larger. */
const QUICK_MS = 5_000;

type DownloadPorts = {
  readonly client: ApiClient;
  readonly expoId: string;
  readonly folder: string;
  readonly clock: Pick<Clock, 'monotonic'>;
};

type SnapshotDownload = {
  /**
   * Downloads the file `packed`; `unpacked` is the path for its content. Calls `onPiece` after each piece.
   * @throws ApiError, UnusableSnapshot, errors of the disk
   */
  readonly fetch: (
    manifest: SnapshotManifest,
    signal: AbortSignal,
    onPiece: () => void,
  ) => Promise<Pick<SnapshotTask, 'packed' | 'unpacked'>>;
  /** Bytes downloaded so far. */
  readonly got: () => bigint;
  /** Removes every file. */
  readonly clear: () => void;
};

/** The download of one device. */
function createSnapshotDownload({ client, expoId, folder, clock }: DownloadPorts): SnapshotDownload {
  const own = join(folder, 'snapshot');
  let piece = SMALL_PIECE;
  let have = 0;

  const fetchRest = async (
    path: string,
    { sha256, length }: SnapshotManifest,
    signal: AbortSignal,
    onPiece: () => void,
  ): Promise<void> => {
    have = sizeOf(path);
    if (have > length) {
      await truncate(path, 0);
      have = 0;
    }
    while (have < length) {
      const range = { first: have, last: Math.min(have + piece, length) - 1, etag: `"${sha256}"` };
      const start = clock.monotonic();
      const bytes = await client
        .getRange?.(pathOf`/hub/snapshot/${expoId}/${sha256}`, range, signal)
        .catch((error: unknown) => {
          piece = SMALL_PIECE;
          throw error;
        });
      if (bytes === undefined || bytes.length === 0 || bytes.length > range.last - range.first + 1)
        throw new UnusableSnapshot('the hub serves no byte ranges of it');
      await appendFile(path, bytes, { mode: 0o600 });
      have += bytes.length;
      onPiece();
      if (clock.monotonic() - start < QUICK_MS) piece = Math.min(2 * piece, LARGE_PIECE);
    }
  };

  return {
    fetch: async (manifest, signal, onPiece) => {
      const packed = join(own, `${manifest.sha256}.zst`);
      const unpacked = join(own, 'snapshot.db');
      mkdirSync(own, { recursive: true, mode: 0o700 });
      for (const name of readdirSync(own))
        if (join(own, name) !== packed) rmSync(join(own, name), { recursive: true, force: true });
      await fetchRest(packed, manifest, signal, onPiece);
      return { packed, unpacked };
    },
    got: () => BigInt(have),
    clear: () => rmSync(own, { recursive: true, force: true }),
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Runs the thread that verifies, unpacks and checks the file (`snapshot-worker.ts`).
 * @throws UnusableSnapshot with the reason
 */
async function readyInThread(program: URL, task: SnapshotTask, signal: AbortSignal): Promise<void> {
  // V8 frees buffers together with young objects. A small young generation saves 20 MB at the peak.
  const resourceLimits = { maxYoungGenerationSizeMb: 1 };
  const worker = new Worker(program, { workerData: task, resourceLimits });
  const stop = (): void => void worker.terminate();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const [why] = await Promise.race([
      once(worker, 'message') as Promise<[string | null]>,
      once(worker, 'exit').then((): [string] => ['the thread that unpacks it ended']),
    ]);
    signal.throwIfAborted();
    if (why !== null) throw new UnusableSnapshot(why);
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
