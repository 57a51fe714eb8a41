/**
 * Writes small files of the data folder atomically.
 *
 * Invariant: after a power cut the file is the old or the new one. The content is written to a temporary
 * file, synced and renamed.
 */
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';

/** Writes `content` to `path`, readable by this user only. @throws the error of the file system */
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
