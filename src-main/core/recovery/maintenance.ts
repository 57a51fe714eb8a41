/**
 * What is done for the journal in the background: the walk over every fact, bringing facts back from quarantine, the
 * hourly backup.
 *
 * Invariants: everything is done in slices of a few milliseconds with a pause after each, so that no tap waits; no
 * transaction is held over a pause; what fails is tried again later and costs nothing until then.
 */

import type { FactRow } from '../journal/journal.ts';
import type { Clock, Log } from '../ports.ts';
import { type Database, isDamage } from '../store/database.ts';
import { createWakeableSleep } from '../time/wakeable-sleep.ts';
import { dropOlderBackup, makeBackup } from './backup.ts';
import type { DurableJournal } from './durable-journal.ts';
import { createFactWalk } from './integrity-check.ts';
import type { Quarantine, SalvageResult } from './quarantine.ts';
import { salvage } from './salvage.ts';

const PAUSE_MS = 2;
const FIRST_BACKUP_MS = 60_000;
const BACKUP_MS = 3_600_000;
const AGAIN_MS = 60_000;
/** So many facts since the last backup are reason enough for the next. */
const LONG_TAIL = 5_000;

export type MaintenancePorts = {
  readonly durable: DurableJournal;
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Facts came back: names can be given, things can be sent, screens are to be drawn. */
  readonly onSalvaged: () => void;
};

/** What the health page can tell. */
export type CareState = {
  readonly salvaging: boolean;
  readonly quarantines: number;
  readonly salvaged: number;
  readonly missing: number;
  /** Epoch milliseconds of the last backup of this run, or null. */
  readonly backupAt: number | null;
};

export type Maintenance = {
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly state: () => CareState;
  /** One walk over all facts; puts the journal aside when it finds damage. */
  readonly walk: (signal: AbortSignal) => Promise<void>;
  /** Brings back what is in open quarantines. */
  readonly salvageOpen: (signal: AbortSignal) => Promise<void>;
  /** Makes a backup now; returns whether there is one. */
  readonly backUp: (signal: AbortSignal) => Promise<boolean>;
};

/** The care for one journal. */
export function createMaintenance(ports: MaintenancePorts): Maintenance {
  const { durable, folder, clock, log } = ports;
  const waker = createWakeableSleep(clock);
  durable.onWork(waker.wake);
  const results = new Map<string, SalvageResult>();
  let salvaging = false;
  let backupAt: number | null = null;
  const pause = (signal: AbortSignal): Promise<void> => clock.sleep(PAUSE_MS, signal);

  const walk = async (signal: AbortSignal): Promise<void> => {
    const { database } = durable.current();
    const next = createFactWalk(database);
    // Another journal may take this one's place in any pause.
    while (!signal.aborted && durable.current().database === database) {
      const step = attempt(next);
      if (step.kind === 'end') return;
      if (step.kind === 'fault') {
        durable.putAside(step.why);
        return;
      }
      await pause(signal);
    }
  };

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

  const salvageOpen = async (signal: AbortSignal): Promise<void> => {
    const open = durable.quarantines.all().filter((quarantine) => quarantine.note.state === 'open');
    if (open.length === 0) return;
    salvaging = true;
    try {
      for (const quarantine of open) {
        const result = await salvageOne(quarantine, signal);
        if (result === null) return;
        // Done before, but not backed up then: the numbers of the first time tell more.
        if (result.salvaged > 0 || !results.has(quarantine.name)) results.set(quarantine.name, result);
        ports.onSalvaged();
      }
      // What came back is nowhere else yet: until a backup has it, its quarantine stays open.
      if (!(await backUp(signal))) return;
      for (const quarantine of open) {
        const result = results.get(quarantine.name);
        if (result === undefined) continue;
        durable.quarantines.close(quarantine, result);
        const tell = result.missing > 0 ? log.error : log.warn;
        tell('facts were brought back from a damaged journal', { folder: quarantine.name, ...result });
      }
    } finally {
      salvaging = false;
    }
  };

  const backUp = async (signal: AbortSignal): Promise<boolean> => {
    const { database, sidecarLog, journal } = durable.current();
    let reached = 0;
    const end = await makeBackup({
      database,
      folder,
      pause: () => pause(signal),
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
      log.warn('a backup was not sound; the journal is looked through', { why: end.why });
      await walk(signal);
      return false;
    }
    if (end.kind === 'stopped') return false;
    sidecarLog.restart(journal.settings.all(), factsAfter(database, reached));
    if (durable.backupWanted()) dropOlderBackup(folder);
    durable.backupMade();
    backupAt = clock.now();
    return true;
  };

  const backUpWhenDue = async (signal: AbortSignal, due: number): Promise<number> => {
    const wanted = durable.backupWanted() || durable.current().sidecarLog.length() > LONG_TAIL;
    if (!wanted && clock.monotonic() < due) return due;
    return clock.monotonic() + ((await backUp(signal)) ? BACKUP_MS : AGAIN_MS);
  };

  return {
    walk,
    salvageOpen,
    backUp,
    state: () => {
      const told = durable.quarantines.all().map((quarantine) => quarantine.note.result);
      return {
        salvaging,
        quarantines: told.length,
        salvaged: told.reduce((sum, result) => sum + (result?.salvaged ?? 0), 0),
        missing: told.reduce((sum, result) => sum + (result?.missing ?? 0), 0),
        backupAt,
      };
    },
    run: async (signal) => {
      let due = clock.monotonic() + FIRST_BACKUP_MS;
      let walked = false;
      while (!signal.aborted) {
        try {
          await salvageOpen(signal);
          if (!walked) await walk(signal);
          walked = true;
          due = await backUpWhenDue(signal, due);
        } catch (error) {
          if (signal.aborted) return;
          if (isDamage(error)) durable.putAside('SQLite met damage in the background');
          log.warn('the care for the journal is tried again later', { error: codeOf(error) });
          await clock.sleep(AGAIN_MS / 10, signal);
          continue;
        }
        await waker.sleep(Math.min(AGAIN_MS, Math.max(1, due - clock.monotonic())), signal);
      }
    },
  };
}

/** Damage that SQLite meets on the way is a fault of the walk. */
function attempt(next: ReturnType<typeof createFactWalk>): ReturnType<typeof next> {
  try {
    return next();
  } catch (error) {
    if (isDamage(error)) return { kind: 'fault', why: 'SQLite cannot read it' };
    throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error
    ? String(error.code)
    : error instanceof Error
      ? error.name
      : 'unknown';
}

function highestFact(database: Database): number {
  return database.prepare<[], { seq: number | null }>('SELECT max(seq) AS seq FROM fact').get()?.seq ?? 0;
}

function factsAfter(database: Database, seq: number): readonly FactRow[] {
  return database.prepare<[number], FactRow>('SELECT * FROM fact WHERE seq > ? ORDER BY seq').all(seq);
}
