/**
 * Schedules the journal's backups and acts on their results. A backup is due soon after a hundred facts, a few minutes
 * after the last backup if there are newer facts, and otherwise hourly. A shutdown makes a backup if there are newer
 * facts.
 *
 * Invariants:
 * - The sidecar log restarts only after a sound backup. It then holds only the facts that the backup lacks.
 * - An unsound backup causes a verification of the journal itself.
 */

import type { Clock, Log } from '../../foundations/ports.ts';
import type { Database } from '../../foundations/store/database.ts';
import {
  BACKUP_AFTER_FACTS,
  BACKUP_AFTER_MS,
  BACKUP_EVERY_MS,
  BACKUP_GAP_MS,
  FIRST_BACKUP_MS,
  LAST_BACKUP_MS,
  MAINTENANCE_AGAIN_MS,
} from '../../foundations/time/times.ts';
import type { FactRow } from '../facts/fact-rows.ts';
import { dropOlderBackup, makeBackup } from './backup.ts';
import type { DurableJournal } from './durable-journal.ts';
import { attempt, createFactWalk } from './integrity-check.ts';

type BackupsPorts = {
  readonly durable: DurableJournal;
  /** The data folder. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly pause: (signal: AbortSignal) => Promise<void>;
  /** Verifies the journal itself. Called after an unsound backup. */
  readonly walk: (signal: AbortSignal) => Promise<void>;
};

type Backups = {
  /** Makes a backup now. Returns whether it succeeded. */
  readonly backUp: (signal: AbortSignal) => Promise<boolean>;
  /** Makes a backup if one is due. Returns the milliseconds until the next check. */
  readonly backUpWhenDue: (signal: AbortSignal) => Promise<number>;
  /** Makes the last backup of this run if there are facts without one; gives up after a second. Never rejects. */
  readonly backUpAtEnd: () => Promise<void>;
};

/** The backups of one journal. */
export function createBackups({ durable, folder, clock, log, pause, walk }: BackupsPorts): Backups {
  const startedAt = clock.monotonic();
  /** When the last backup ended and when the next may start, by the monotonic clock. */
  let madeAt = startedAt - BACKUP_EVERY_MS + FIRST_BACKUP_MS;
  let notBefore = startedAt;

  const make = async (signal: AbortSignal, rest = pause): Promise<boolean> => {
    const { database, sidecarLog, journal } = durable.current();
    let reached = 0;
    const end = await makeBackup({
      database,
      folder,
      pause: () => rest(signal),
      signal,
      check: function* (copy) {
        const next = createFactWalk(copy);
        for (let step = attempt(next); ; step = attempt(next)) {
          if (step.kind === 'fault') return step.why;
          if (step.kind === 'end') break;
          yield;
        }
        reached = highestFact(copy);
        return null;
      },
    });
    if (durable.current().database !== database) return false;
    if (end.kind === 'faulty') {
      log.warn('a backup is damaged; the journal is verified', { why: end.why });
      await walk(signal);
      return false;
    }
    if (end.kind === 'stopped') return false;
    sidecarLog.restart(journal.settings.all(), factsAfter(database, reached));
    if (durable.backupWanted()) dropOlderBackup(folder);
    durable.backupMade();
    madeAt = clock.monotonic();
    return true;
  };

  let making: Promise<boolean> | null = null;
  /** Concurrent calls share one backup, because two would write the same file. */
  const backUp = (signal: AbortSignal): Promise<boolean> => {
    making ??= make(signal).finally(() => {
      making = null;
    });
    return making;
  };

  /** When the next backup is due, by the monotonic clock. */
  const dueAt = (): number => {
    const facts = durable.current().sidecarLog.length();
    if (durable.backupWanted() || facts >= BACKUP_AFTER_FACTS) return notBefore;
    return Math.max(notBefore, madeAt + (facts > 0 ? BACKUP_AFTER_MS : BACKUP_EVERY_MS));
  };

  return {
    backUp,
    backUpWhenDue: async (signal) => {
      if (clock.monotonic() >= dueAt()) {
        const made = await backUp(signal);
        notBefore = clock.monotonic() + (made ? BACKUP_GAP_MS : MAINTENANCE_AGAIN_MS);
      }
      return Math.max(1, dueAt() - clock.monotonic());
    },
    backUpAtEnd: async () => {
      const ended = new AbortController();
      void clock.sleep(LAST_BACKUP_MS, ended.signal).then(() => ended.abort());
      try {
        await making;
        if (durable.current().sidecarLog.length() > 0) await make(ended.signal, nextTurn);
      } catch (error) {
        log.warn('the last backup of this run could not be made', { error: String(error) });
      } finally {
        ended.abort();
      }
    },
  };
}

/** Yields to the event loop only: a shutdown has no taps, so no longer pause is needed. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function highestFact(database: Database): number {
  return database.prepare<[], { seq: number | null }>('SELECT max(seq) AS seq FROM fact').get()?.seq ?? 0;
}

function factsAfter(database: Database, seq: number): readonly FactRow[] {
  return database.prepare<[number], FactRow>('SELECT * FROM fact WHERE seq > ? ORDER BY seq').all(seq);
}
