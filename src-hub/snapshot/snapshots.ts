/**
 * The signed snapshots of a hub: built at the first request of a device, and again after many changes of the event.
 *
 * Invariants
 * - One build runs at a time, in its own thread.
 * - After a build, the previous snapshot is kept for downloads in progress, and the one before it is removed.
 * - A start removes all snapshots.
 */
import { createReadStream, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { MIRROR_VERSION, SNAPSHOT_VERSION } from '../../src-main/core/event/mirror/snapshot-file.ts';
import type { SnapshotManifest } from '../../src-main/core/event/sync/snapshot-manifest.ts';
import type { Clock, Log } from '../../src-main/core/foundations/ports.ts';
import { signText } from '../../src-main/provision/signed-text.ts';
import type { SignedManifest, SnapshotSource } from '../../src-platform/hub/snapshot-operations.ts';
import type { Store } from '../../src-platform/store/store.ts';
import { hubFile } from '../packed-file.ts';

/** The task of the worker thread. */
export type BuildTask = {
  readonly data: string;
  readonly database: string | null;
  readonly expoId: string;
  readonly folder: string;
};

/** The result of the thread: a file `SHA256.zst` in the folder. */
export type BuiltSnapshot = Pick<SnapshotManifest, 'sha256' | 'length' | 'size'> & {
  readonly records: number;
};

type Snapshots = SnapshotSource & { readonly close: () => Promise<void> };

/** The shortest time from the end of a build to the start of the next. */
const AT_MOST_EVERY_MS = 3 * 60_000;
/** A rebuild needs more changes than this number, and more than this share of the records. */
const WORTH_CHANGES = 1_000;
const WORTH_SHARE = 0.02;
/** Time from the start of a failed build to the next attempt. */
const RETRY_AFTER_MS = 60_000;

type Kept = BuiltSnapshot & {
  readonly signed: SignedManifest;
  readonly counter: bigint;
  readonly at: number;
};

/** The snapshots of one hub, in the folder `snapshot` of its data. `isWhole`: whether the hub has the complete event. */
export function createSnapshots({
  data,
  database,
  expoId,
  store,
  hubStoreId,
  signingKey,
  clock,
  log,
  isWhole,
}: {
  readonly data: string;
  readonly database: string | null;
  readonly expoId: string;
  readonly store: Store;
  readonly hubStoreId: string;
  readonly signingKey: string;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: Log;
  readonly isWhole: () => boolean;
}): Snapshots {
  const folder = join(data, 'snapshot');
  rmSync(folder, { recursive: true, force: true });
  let kept: readonly Kept[] = [];
  let worker: Worker | null = null;
  /** Start of the last build that failed or still runs. */
  let triedAt: number | null = null;
  const isResting = (): boolean => triedAt !== null && clock.monotonic() - triedAt < RETRY_AFTER_MS;

  const counter = async (): Promise<bigint> =>
    (await store.db.selectFrom('counter').select('value').executeTakeFirst())?.value ?? 0n;

  const sign = ({ sha256, length, size }: BuiltSnapshot): SignedManifest => {
    const manifest: SnapshotManifest = {
      format: 'touchpoint-snapshot',
      version: SNAPSHOT_VERSION,
      mirror: MIRROR_VERSION,
      compression: 'zstd',
      expo: expoId,
      epoch: hubStoreId,
      sha256,
      length,
      size,
    };
    return signText(JSON.stringify(manifest), signingKey);
  };

  const keep = (built: BuiltSnapshot, at: bigint): void => {
    const next: Kept = { ...built, signed: sign(built), counter: at, at: clock.monotonic() };
    const [current] = kept.filter(({ sha256 }) => sha256 !== built.sha256);
    for (const { sha256 } of kept)
      if (sha256 !== built.sha256 && sha256 !== current?.sha256)
        rmSync(pathOf(folder, sha256), { force: true });
    kept = current === undefined ? [next] : [next, current];
    log.info('a snapshot was built', { records: built.records, bytes: built.length });
  };

  const build = async (): Promise<void> => {
    const at = await counter();
    if (worker !== null) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const task: BuildTask = { data, database, expoId, folder };
    const made = new Worker(hubFile('snapshot/build.ts'), { workerData: task });
    worker = made;
    triedAt = clock.monotonic();
    made.on('message', (built: BuiltSnapshot) => {
      triedAt = null;
      keep(built, at);
    });
    made.on('error', (error) => log.error('a snapshot could not be built', { error: String(error) }));
    made.on('exit', () => {
      worker = null;
    });
  };

  const isWorthBuilding = async ({ at, counter: made, records }: Kept): Promise<boolean> => {
    if (worker !== null || isResting() || clock.monotonic() - at < AT_MOST_EVERY_MS) return false;
    const changes = Number((await counter()) - made);
    return changes > Math.max(WORTH_CHANGES, records * WORTH_SHARE);
  };

  return {
    manifest: async () => {
      const [current] = kept;
      if (current !== undefined) {
        if (await isWorthBuilding(current)) await build();
        return current.signed;
      }
      if (worker !== null) return 'soon';
      if (!isWhole() || isResting()) return 'none';
      await build();
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
