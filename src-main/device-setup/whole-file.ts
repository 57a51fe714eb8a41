/**
 * Small files of the data folder that are there whole or not at all.
 *
 * Invariant: written aside, synced and renamed, so it is the old or the new one after a power cut.
 */
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';

/** Writes `content` to `path` for this user alone. @throws what the disk says */
export function writeWhole(path: string, content: string | Uint8Array): void {
  const file = openSync(`${path}.new`, 'w', 0o600);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.new`, path);
}
