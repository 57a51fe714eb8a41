/**
 * Reads the health of an app from its data folder: the app's last heartbeat, and the current state of the disk.
 *
 * Invariants:
 * - it never throws, whatever the folder contains;
 * - the disk is checked again, because on a full disk the app cannot write that it is full.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Health, healthSchema } from '../../contract/health.ts';
import type { RehearsalSheet } from '../../contract/rehearsal.ts';
import { HEARTBEAT_STALE_MS } from '../../core/foundations/time/times.ts';
import { judgeStorage, worstOf } from '../../core/stand/health/health.ts';
import { HEARTBEAT_FILE } from '../../core/stand/health/heartbeat.ts';
import { readMachine } from '../../machine/machine-state.ts';
import { readSheets } from '../../rehearsal/rehearsal-files.ts';

/** `seenAt`: the app's last heartbeat, in epoch milliseconds of the machine; null if there is none. */
export type OutsideHealth = Health & {
  readonly running: boolean;
  readonly seenAt: number | null;
  /** The latest rehearsal. It does not affect the verdict. */
  readonly rehearsal: Pick<RehearsalSheet, 'endedAt' | 'verdict' | 'version'> | null;
};

/** Reads the health of `folder` at `now`. */
export function readHealth(folder: string, now: number): OutsideHealth {
  const file = join(folder, HEARTBEAT_FILE);
  const written = readHeartbeat(file);
  const rehearsal = lastRehearsal(folder);
  if (written === null)
    return { verdict: 'noGo', at: now, version: '', checks: [], running: false, seenAt: null, rehearsal };
  // The time of the file is used, because the app's clock may be wrong.
  const seenAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null;
  const running = seenAt !== null && Math.abs(now - seenAt) <= HEARTBEAT_STALE_MS;
  const checks = written.checks.map((check) =>
    check.name === 'storage'
      ? judgeStorage({
          state: { storage: check.fault },
          machine: readMachine(folder, check.encryption),
          attachmentBytes: check.attachmentBytes ?? 0,
        })
      : check,
  );
  return { ...written, checks, verdict: running ? worstOf(checks) : 'noGo', running, seenAt, rehearsal };
}

function readHeartbeat(file: string): Health | null {
  try {
    const read = healthSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

function lastRehearsal(folder: string): OutsideHealth['rehearsal'] {
  const [last] = readSheets(folder);
  if (last === undefined) return null;
  return { endedAt: last.endedAt, verdict: last.verdict, version: last.version };
}
