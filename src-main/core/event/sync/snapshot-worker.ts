/**
 * Prepares one downloaded snapshot in its own thread. `workerData` is the task. The only message is null when the
 * file can be adopted, otherwise the reason why not.
 *
 * Invariants:
 * - The file is unpacked only after its hash was verified, and opened only after it was unpacked completely.
 * - Memory does not grow with the file.
 * - A commit of the journal waits for a small part of the file at most, because the file is flushed while it grows.
 */
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, fdatasyncSync, openSync, readSync, writeSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { createZstdDecompress } from 'node:zlib';
import { readySnapshot } from '../mirror/snapshot-file.ts';

export type SnapshotTask = {
  /** The downloaded file. */
  readonly packed: string;
  /** The file for the unpacked content. */
  readonly unpacked: string;
  /** Signed by the hub: the hash of the packed file, and the bytes of the unpacked one. */
  readonly sha256: string;
  readonly size: number;
  readonly expoId: string;
  /** The wall time that is recorded as the last comparison of its lists. */
  readonly now: number;
};

/** Bytes per step. */
const CHUNK = 256 * 1024;
/** Bytes between two flushes. */
const FLUSHED = 4 * 1024 * 1024;

/** Reuses one buffer, because buffers of a stream are freed late. */
function sha256Of(path: string): string {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(CHUNK);
  const file = openSync(path, 'r');
  try {
    for (let length = readSync(file, buffer); length > 0; length = readSync(file, buffer))
      hash.update(buffer.subarray(0, length));
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}

async function unpack({ packed, unpacked, size }: SnapshotTask): Promise<void> {
  let written = 0;
  let flushed = 0;
  const file = openSync(unpacked, 'w', 0o600);
  try {
    await pipeline(createReadStream(packed), createZstdDecompress(), async (content) => {
      for await (const chunk of content as AsyncIterable<Buffer>) {
        written += chunk.length;
        if (written > size) throw new Error('it is longer than the hub says');
        writeSync(file, chunk);
        if (written - flushed < FLUSHED) continue;
        fdatasyncSync(file);
        flushed = written;
      }
    });
  } finally {
    closeSync(file);
  }
  if (written !== size) throw new Error('it is shorter than the hub says');
}

async function ready(task: SnapshotTask): Promise<string | null> {
  try {
    if (sha256Of(task.packed) !== task.sha256) return 'it was altered during the download';
    await unpack(task);
    readySnapshot(task.unpacked, task.expoId, task.now);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown';
  }
}

parentPort?.postMessage(await ready(workerData as SnapshotTask));
