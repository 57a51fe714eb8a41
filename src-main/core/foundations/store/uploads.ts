/**
 * Files that a page uploads in pieces, kept in memory until they are used.
 *
 * Invariants:
 * - A file above the size limit is refused and discarded.
 * - The total size is limited. If a new piece would exceed it, the oldest other files are discarded.
 */
import type { Random } from '../ports.ts';

const LARGEST = 40_000_000;
const ALL = 120_000_000;

export type Uploads = {
  /** Adds a piece; the first piece has no upload id. Null if it is too large, or the upload is unknown. */
  readonly put: (upload: string | null, bytes: Uint8Array) => string | null;
  /** The complete file, or null. */
  readonly bytes: (upload: string) => Uint8Array | null;
  /** The complete file, which is discarded here. Null if unknown. */
  readonly take: (upload: string) => Uint8Array | null;
  readonly clear: () => void;
};

/** Uploads of one device. */
export function createUploads(random: Pick<Random, 'bytes'>): Uploads {
  const files = new Map<string, { readonly pieces: Uint8Array[]; size: number }>();
  const bytesOf = (upload: string): Uint8Array | null => {
    const file = files.get(upload);
    return file === undefined ? null : Buffer.concat(file.pieces);
  };
  const total = () => [...files.values()].reduce((sum, { size }) => sum + size, 0);
  return {
    put: (upload, bytes) => {
      const id = upload ?? Buffer.from(random.bytes(12)).toString('hex');
      const file = upload === null ? { pieces: [], size: 0 } : files.get(upload);
      if (file === undefined) return null;
      if (file.size + bytes.length > LARGEST) {
        files.delete(id);
        return null;
      }
      for (const oldest of files.keys()) {
        if (total() + bytes.length <= ALL) break;
        if (oldest !== id) files.delete(oldest);
      }
      file.pieces.push(bytes);
      file.size += bytes.length;
      files.set(id, file);
      return id;
    },
    bytes: bytesOf,
    take: (upload) => {
      const bytes = bytesOf(upload);
      files.delete(upload);
      return bytes;
    },
    clear: () => files.clear(),
  };
}
