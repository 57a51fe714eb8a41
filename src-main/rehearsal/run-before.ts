/**
 * How the run of the app before this one ended: one that ended by itself took its heartbeat away.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { HEARTBEAT_FILE } from '../core/stand/health/heartbeat.ts';

/** Asked before this run writes a heartbeat of its own. `downMs`: since the last one of the run before. */
export function runBefore(
  folder: string,
  now: number,
): { readonly wasKilled: boolean; readonly downMs: number | null } {
  const left = statSync(join(folder, HEARTBEAT_FILE), { throwIfNoEntry: false });
  return left === undefined
    ? { wasKilled: false, downMs: null }
    : { wasKilled: true, downMs: Math.max(0, now - left.mtimeMs) };
}
