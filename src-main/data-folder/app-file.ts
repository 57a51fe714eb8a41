/**
 * How tools of the same user find the running app: `app.json` in its data folder.
 *
 * Invariants: only this user can read it; it appears whole; it is gone when the app has ended in order (after a kill
 * its process id tells that it is stale).
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type AppFile = {
  readonly pid: number;
  readonly shell: 'browser' | 'electron';
  /** WebSocket address of the contract, null where it has none. */
  readonly rpc: string | null;
  /** Bearer token for `rpc`. */
  readonly token: string;
};

/** Writes it; gives the way to remove it. */
export function writeAppFile(folder: string, content: AppFile): () => void {
  const path = join(folder, 'app.json');
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return () => rmSync(path, { force: true });
}
