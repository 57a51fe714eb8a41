/**
 * The snapshots of a hub: made when a device asks for the first, made anew when the event has moved on by much.
 *
 * Invariants: one is made at a time, beside what is served; the one before stays until the next but one, for who is in the
 * middle of it; a start begins without any. What is handed out is signed here.
 */
import { createReadStream, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { SNAPSHOT_VERSION } from '../../src-main/core/event/mirror/snapshot-file.ts';
import type { SnapshotManifest } from '../../src-main/core/event/sync/snapshot-manifest.ts';
import type { Clock, Log } from '../../src-main/core/foundations/ports.ts';
import { signText } from '../../src-main/provision/signed-text.ts';
import type { SignedManifest, SnapshotSource } from '../../src-platform/hub/snapshot-operations.ts';
import type { Store } from '../../src-platform/store/store.ts';

/** What the thread is told. */
export type BuildTask = {
  readonly data: string;
  readonly database: string | null;
  readonly expoId: string;
  readonly folder: string;
};

/** What it made: a file `SHA256.zst` in the folder. */
export type BuiltSnapshot = Pick<SnapshotManifest, 'sha256' | 'length' | 'size'> & {
  readonly records: number;
};

export type SnapshotsPorts = Omit<BuildTask, 'folder'> & {
  readonly store: Store;
  readonly epoch: string;
  readonly signingKey: string;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: Log;
  /** Whether the hub has all of the event. */
  readonly isWhole: () => boolean;
};

export type Snapshots = SnapshotSource & { readonly close: () => Promise<void> };

/** Not made anew more often than this, ... */
const AT_MOST_EVERY_MS = 3 * 60_000;
/** ... and only after so many changes, or this share of its records. */
const WORTH_CHANGES = 1_000;
const WORTH_SHARE = 0.02;
/** After a fault devices page for so long. */
const AGAIN_AFTER_MS = 60_000;

type Kept = BuiltSnapshot & {
  readonly signed: SignedManifest;
  readonly counter: bigint;
  readonly at: number;
};

/** The snapshots of one hub, in the folder `snapshot` of its data. */
export function createSnapshots(ports: SnapshotsPorts): Snapshots {
  const { data, database, expoId, store, clock, log } = ports;
  const folder = join(data, 'snapshot');
  rmSync(folder, { recursive: true, force: true });
  let kept: readonly Kept[] = [];
  let worker: Worker | null = null;
  /** When the last one was begun that came to nothing, or is not ready yet. */
  let triedAt: number | null = null;
  const isResting = (): boolean => triedAt !== null && clock.monotonic() - triedAt < AGAIN_AFTER_MS;

  const counter = async (): Promise<bigint> =>
    (await store.db.selectFrom('counter').select('value').executeTakeFirst())?.value ?? 0n;

  const keep = (built: BuiltSnapshot, at: bigint): void => {
    const next = { ...built, signed: sign(ports, built), counter: at, at: clock.monotonic() };
    const [current] = kept.filter(({ sha256 }) => sha256 !== built.sha256);
    for (const { sha256 } of kept)
      if (sha256 !== built.sha256 && sha256 !== current?.sha256)
        rmSync(pathOf(folder, sha256), { force: true });
    kept = current === undefined ? [next] : [next, current];
    log.info('a snapshot was made', { records: built.records, bytes: built.length });
  };

  const make = async (): Promise<void> => {
    const at = await counter();
    if (worker !== null) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const task: BuildTask = { data, database, expoId, folder };
    const made = new Worker(new URL('./build.ts', import.meta.url), { workerData: task });
    worker = made;
    triedAt = clock.monotonic();
    made.on('message', (built: BuiltSnapshot) => {
      triedAt = null;
      keep(built, at);
    });
    made.on('error', (error) => log.error('a snapshot could not be made', { error: String(error) }));
    made.on('exit', () => {
      worker = null;
    });
  };

  const isWorthMaking = async ({ at, counter: made, records }: Kept): Promise<boolean> => {
    if (worker !== null || isResting() || clock.monotonic() - at < AT_MOST_EVERY_MS) return false;
    const changes = Number((await counter()) - made);
    return changes > Math.max(WORTH_CHANGES, records * WORTH_SHARE);
  };

  return {
    manifest: async () => {
      const [current] = kept;
      if (current !== undefined) {
        if (await isWorthMaking(current)) await make();
        return current.signed;
      }
      if (worker !== null) return 'soon';
      if (!ports.isWhole() || isResting()) return 'none';
      await make();
      return 'soon';
    },
    file: (asked) => {
      const found = kept.find(({ sha256 }) => sha256 === asked);
      if (found === undefined) return null;
      const path = pathOf(folder, found.sha256);
      return { length: found.length, open: (start, end) => createReadStream(path, { start, end }) };
    },
    close: async () => {
      await worker?.terminate();
    },
  };
}

function pathOf(folder: string, sha256: string): string {
  return join(folder, `${sha256}.zst`);
}

function sign({ expoId, epoch, signingKey }: SnapshotsPorts, built: BuiltSnapshot): SignedManifest {
  const { sha256, length, size } = built;
  const manifest: SnapshotManifest = {
    ...{ format: 'touchpoint-snapshot', version: SNAPSHOT_VERSION, compression: 'zstd' },
    ...{ expo: expoId, epoch, sha256, length, size },
  };
  return signText(JSON.stringify(manifest), signingKey);
}
