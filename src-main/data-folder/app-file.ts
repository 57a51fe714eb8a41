/**
 * `app.json` in the data folder. With it, tools of the same user find the running app.
 *
 * Invariants:
 * - only this user can read it;
 * - it is complete or absent;
 * - the app removes it when it shuts down. After a kill, its process id shows that the file is stale.
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type AppFile = {
  readonly pid: number;
  readonly shell: 'browser' | 'electron';
  /** WebSocket address of the contract; null when it has none. */
  readonly rpc: string | null;
  /** Bearer token for `rpc`. */
  readonly token: string;
};

/** Writes the file; returns a function that removes it. */
export function writeAppFile(folder: string, content: AppFile): () => void {
  const path = join(folder, 'app.json');
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return () => rmSync(path, { force: true });
}
