/**
 * A fresh device's first copy of the event, taken as one file from the hub in the hall instead of page by page
 * (docs/hub.md).
 *
 *     nothing of the visitors here ─► a hub answers ─► manifest ─► pieces ─► hash ─► lists ─► followed by revision
 *                                          └── busy: wait for a turn      └── anything else: page, as everywhere
 *
 * Invariants: nothing of a file is opened before the hub's signature and the file's hash were found right; whatever is
 * wrong with it is said once and costs no more than the time it took, because paging needs none of it; what was
 * downloaded outlives a restart.
 */
import type { ApiClient } from '../../foundations/api/client.ts';
import { ApiError, isRefusal } from '../../foundations/api/error-class.ts';
import { pathOf } from '../../foundations/api/path.ts';
import type { Clock, Log } from '../../foundations/ports.ts';
import type { Mirror } from '../mirror/mirror.ts';
import { estimate } from './estimate.ts';
import { createSnapshotDownload } from './snapshot-download.ts';
import { type IsFromHub, readManifest } from './snapshot-manifest.ts';

export type SnapshotPorts = {
  readonly client: ApiClient;
  readonly expoId: string;
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly log: Log;
  /** Folder in which the file lies until it is taken over. */
  readonly folder: string;
  /** Epoch of the hub that answers now, or null where none does. */
  readonly hubEpoch: (signal: AbortSignal) => Promise<string | null>;
  /** Whether the hub this device belongs to signed it; absent: it belongs to none. */
  readonly isFromHub?: IsFromHub | undefined;
  /** Lists came into the mirror all at once. */
  readonly onTaken: (signal: AbortSignal) => Promise<void>;
  /** It waits for a turn, or no longer. */
  readonly onChange: () => void;
};

export type SnapshotTaker = {
  /** Takes a snapshot where one is wanted and to be had. @throws ApiError where it should be tried again */
  readonly take: (signal: AbortSignal) => Promise<void>;
  /** The hub serves other devices first. */
  readonly waitsForTurn: () => boolean;
  /** Share and seconds left of the download, or null. */
  readonly remaining: () => { readonly share: number; readonly secondsLeft: number | null } | null;
};

/** After so many faults in a row a hub is taken for one that cannot give it. */
const MOST_FAULTS = 10;

/** The taker of one kiosk. */
export function createSnapshotTaker(ports: SnapshotPorts): SnapshotTaker {
  const { client, expoId, mirror, clock, log, isFromHub, onChange } = ports;
  const download = createSnapshotDownload(ports);
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
    const path = await download.fetch(manifest, signal, () => {
      faults = 0;
    });
    await importAll(ports, path, signal);
    download.clear();
    log.info('the first copy came as a snapshot', {
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

/** Brings the file at `path` in; a tap goes first between two commits. */
async function importAll({ mirror, clock }: SnapshotPorts, path: string, signal: AbortSignal): Promise<void> {
  const running = mirror.importSnapshot(path, clock.now());
  try {
    while (running.next()) {
      signal.throwIfAborted();
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  } catch (error) {
    // At the end of the app there is no time for it; the next start throws a half one away.
    if (!signal.aborted) running.undo();
    throw error;
  } finally {
    running.close();
  }
}
