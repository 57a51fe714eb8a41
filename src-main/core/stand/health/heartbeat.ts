/**
 * `health.json` in the data folder: the device's health every ten seconds, for watchers outside the app (`npm run
 * health`, monitoring).
 *
 * Invariants:
 * - The file is always complete (written to a temporary file, then renamed).
 * - A missing file, or one older than `HEARTBEAT_STALE_MS` by its modification time, means that the app does not run or
 *   that the disk refuses the file.
 * - If the disk refuses the file, the app logs that once and works on.
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Health } from '../../../contract/health.ts';
import type { Clock, Log } from '../../foundations/ports.ts';
import { HEARTBEAT_EVERY_MS } from '../../foundations/time/times.ts';

/** Name of the file in the data folder. */
export const HEARTBEAT_FILE = 'health.json';

type HeartbeatPorts = {
  readonly clock: Clock;
  readonly log: Log;
  /** The data folder. */
  readonly folder: string;
  readonly read: () => Health;
};

/** Returns the loop that writes the heartbeat file until `signal` aborts, and then removes it. */
export function createHeartbeat(ports: HeartbeatPorts): (signal: AbortSignal) => Promise<void> {
  const { clock, log, folder, read } = ports;
  const file = join(folder, HEARTBEAT_FILE);
  let isRefused = false;
  const beat = (): void => {
    try {
      writeFileSync(`${file}.part`, `${JSON.stringify(read())}\n`, { mode: 0o600 });
      renameSync(`${file}.part`, file);
      isRefused = false;
    } catch (error) {
      if (!isRefused) log.warn('the health of the device cannot be written', { error: String(error) });
      isRefused = true;
    }
  };
  return async (signal) => {
    while (!signal.aborted) {
      beat();
      await clock.sleep(HEARTBEAT_EVERY_MS, signal);
    }
    try {
      rmSync(file, { force: true });
    } catch {
      // A file that remains becomes stale, and a stale file has the same meaning.
    }
  };
}
