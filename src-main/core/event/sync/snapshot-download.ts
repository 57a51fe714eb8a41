/**
 * The file of a snapshot: fetched in pieces, checked, unpacked.
 *
 * Invariants: a piece is an ordinary request, so deliveries go between two of them, and an interruption costs one piece;
 * the file is named after its hash, so what a run before this one fetched of it is gone on with, and nothing else is; a file
 * that is longer, or unpacks to more, than the hub signed is not written on.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { appendFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import type { ApiClient } from '../../foundations/api/client.ts';
import { pathOf } from '../../foundations/api/path.ts';
import type { Clock } from '../../foundations/ports.ts';
import { type SnapshotManifest, UnusableSnapshot } from './snapshot-manifest.ts';

/** A piece on a line that nothing is known of; on a good one they grow, after a fault they are small again. */
const SMALL_PIECE = 256 * 1024;
const LARGE_PIECE = 4 * 1024 * 1024;
/** A piece that took no longer than this may be followed by a larger one. */
const QUICK_MS = 5_000;

/** Bytes handled in one go while the file is checked and unpacked. */
const AT_ONCE = 1024 * 1024;

type Ports = {
  readonly client: ApiClient;
  readonly expoId: string;
  readonly folder: string;
  readonly clock: Pick<Clock, 'monotonic'>;
};

export type SnapshotDownload = {
  /** The checked, unpacked file; `onPiece` is told of each piece. @throws ApiError, UnusableSnapshot, what the disk says */
  readonly fetch: (manifest: SnapshotManifest, signal: AbortSignal, onPiece: () => void) => Promise<string>;
  /** Bytes that are here. */
  readonly got: () => bigint;
  /** Throws away whatever is here. */
  readonly clear: () => void;
};

/** The download of one kiosk. */
export function createSnapshotDownload({ client, expoId, folder, clock }: Ports): SnapshotDownload {
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
        throw new UnusableSnapshot('the hub gives no pieces of it');
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
      if ((await sha256Of(packed)) !== manifest.sha256)
        throw new UnusableSnapshot('it was altered on its way');
      await unpack(packed, unpacked, manifest.size, signal);
      return unpacked;
    },
    got: () => BigInt(have),
    clear: () => rmSync(own, { recursive: true, force: true }),
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: AT_ONCE }), hash);
  return hash.digest('hex');
}

async function unpack(from: string, to: string, size: number, signal: AbortSignal): Promise<void> {
  let written = 0;
  const bound = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      written += chunk.length;
      done(written > size ? new UnusableSnapshot('it is longer than the hub says') : null, chunk);
    },
  });
  const source = createReadStream(from, { highWaterMark: AT_ONCE });
  const target = createWriteStream(to, { mode: 0o600, highWaterMark: AT_ONCE });
  await pipeline(source, createZstdDecompress({ chunkSize: AT_ONCE }), bound, target, { signal });
  if (written !== size) throw new UnusableSnapshot('it is shorter than the hub says');
}
