/** Makes renames in a folder durable. */
import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Does nothing if the system or the file system has no such call and does not need it. @throws the system's error */
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
