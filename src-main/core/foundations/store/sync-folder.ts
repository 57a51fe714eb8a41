/** Makes renames in a folder durable. */
import { closeSync, fsyncSync, openSync } from 'node:fs';

/**
 * Flushes a folder to disk, so that renames in it survive a power cut. Does nothing on Windows and on file systems that
 * cannot flush a folder. @throws the system's error
 */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const file = openSync(folder, 'r');
  try {
    fsyncSync(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code !== 'EINVAL' && code !== 'EPERM') throw error;
  } finally {
    closeSync(file);
  }
}
