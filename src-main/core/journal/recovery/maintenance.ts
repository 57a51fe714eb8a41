/**
 * The journal's background work: verification of every fact, recovery of facts from quarantine, backups.
 *
 * Invariants:
 * - All work runs in slices of a few milliseconds with a pause after each, so that no tap waits.
 * - No transaction is held across a pause.
 * - A failed step is retried later.
 */

import type { Clock, Log } from '../../foundations/ports.ts';
import { isDamage } from '../../foundations/store/database.ts';
import { createWakeableSleep } from '../../foundations/time/loops.ts';
import { MAINTENANCE_AGAIN_MS, MAINTENANCE_RETRY_MS } from '../../foundations/time/times.ts';
import { createBackups } from './backup-schedule.ts';
import type { DurableJournal } from './durable-journal.ts';
import { attempt, createFactWalk } from './integrity-check.ts';
import type { Quarantine, SalvageResult } from './quarantine.ts';
import { salvage } from './salvage.ts';

const PAUSE_MS = 2;

type MaintenancePorts = {
  readonly durable: DurableJournal;
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Called after facts were recovered, so that names, deliveries and screens are updated. */
  readonly onSalvaged: () => void;
};

type Maintenance = {
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Verifies all facts once. Quarantines the journal when it finds damage. */
  readonly walk: (signal: AbortSignal) => Promise<void>;
  /** Recovers the facts of open quarantines. Returns the results of those that it closed. */
  readonly salvageOpen: (signal: AbortSignal) => Promise<readonly SalvageResult[]>;
  /** Makes a backup now. Returns whether it succeeded. */
  readonly backUp: (signal: AbortSignal) => Promise<boolean>;
  /** Makes the last backup before a shutdown if there are facts without one. Never rejects. */
  readonly backUpAtEnd: () => Promise<void>;
};

type Pause = (signal: AbortSignal) => Promise<void>;

/** The maintenance of one journal. */
export function createMaintenance({
  durable,
  folder,
  clock,
  log,
  onSalvaged,
}: MaintenancePorts): Maintenance {
  const waker = createWakeableSleep(clock);
  durable.onWork(waker.wake);
  const pause: Pause = (signal) => clock.sleep(PAUSE_MS, signal);
  const walk = (signal: AbortSignal): Promise<void> => walkFacts(durable, pause, signal);
  const { backUp, backUpWhenDue, backUpAtEnd } = createBackups({
    durable,
    folder,
    clock,
    log,
    pause,
    walk,
  });
  const salvageOpen = createSalvager({ durable, clock, log, onSalvaged }, pause, backUp);

  return {
    walk,
    salvageOpen,
    backUp,
    backUpAtEnd,
    run: async (signal) => {
      let walked = false;
      while (!signal.aborted) {
        let wait = MAINTENANCE_AGAIN_MS;
        try {
          await salvageOpen(signal);
          if (!walked) await walk(signal);
          walked = true;
          wait = Math.min(wait, await backUpWhenDue(signal));
        } catch (error) {
          if (signal.aborted) return;
          if (isDamage(error)) durable.putAside('SQLite found damage in the background');
          log.warn('the maintenance of the journal failed; it is retried later', { error: codeOf(error) });
          await clock.sleep(MAINTENANCE_RETRY_MS, signal);
          continue;
        }
        await waker.sleep(wait, signal);
      }
    },
  };
}

/** Verifies all facts. Quarantines the journal when it finds damage. */
async function walkFacts(durable: DurableJournal, pause: Pause, signal: AbortSignal): Promise<void> {
  const { database } = durable.current();
  const next = createFactWalk(database);
  // During any pause another journal may replace this one.
  while (!signal.aborted && durable.current().database === database) {
    const step = attempt(next);
    if (step.kind === 'end') return;
    if (step.kind === 'fault') {
      durable.putAside(step.why);
      return;
    }
    await pause(signal);
  }
}

/** Recovers the facts of open quarantines. Each stays open until a backup holds the recovered facts. */
function createSalvager(
  { durable, clock, log, onSalvaged }: Omit<MaintenancePorts, 'folder'>,
  pause: Pause,
  backUp: Maintenance['backUp'],
): Maintenance['salvageOpen'] {
  const results = new Map<string, SalvageResult>();

  const salvageOne = async (quarantine: Quarantine, signal: AbortSignal): Promise<SalvageResult | null> => {
    const { database, journal } = durable.current();
    const steps = salvage(
      { database, leads: journal.leads, monotonic: clock.monotonic, now: clock.now },
      quarantine,
    );
    while (!signal.aborted && durable.current().database === database) {
      const step = steps.next();
      if (step.done === true) return step.value;
      await pause(signal);
    }
    return null;
  };

  return async (signal) => {
    const open = durable.quarantines.all().filter((quarantine) => quarantine.note.state === 'open');
    for (const quarantine of open) {
      const result = await salvageOne(quarantine, signal);
      if (result === null) return [];
      // If the recovery runs again before a backup, it keeps the first result, which has the correct numbers.
      if (result.salvaged > 0 || !results.has(quarantine.name)) results.set(quarantine.name, result);
      onSalvaged();
    }
    // A quarantine is closed only after a backup holds its facts.
    if (open.length === 0 || !(await backUp(signal))) return [];
    return open.flatMap((quarantine) => {
      const result = results.get(quarantine.name);
      if (result === undefined) return [];
      durable.quarantines.close(quarantine, result);
      const report = result.missing > 0 ? log.error : log.warn;
      report('facts were recovered from a damaged journal', { folder: quarantine.name, ...result });
      return [result];
    });
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error
    ? String(error.code)
    : error instanceof Error
      ? error.name
      : 'unknown';
}
