/**
 * The journal that goes on: sound when it is opened, put aside and begun anew when it is damaged, also while it runs;
 * with a second witness beside it and backups behind it.
 *
 *     open:  finish moves ► look ► (damage: put aside) ► open ► new book? ► settings and tail agree
 *     call:  SQLite says corrupt ► put aside ► open ► call again: the tap that met the damage is recorded
 *
 * Invariants: only damage puts a journal aside, never a full, busy or read-only disk; a caller keeps the same object
 * over all of it; the witness has a fact after the commit and a setting before it.
 */
import { join } from 'node:path';
import { firstOfNextEpoch, readChainGaps, writeChainGap } from '../journal/chain-gaps.ts';
import { CHAIN_START } from '../journal/fact.ts';
import { createJournal, type FactRow, type Journal, rowOfFact } from '../journal/journal.ts';
import { JOURNAL_MIGRATIONS } from '../journal/schema.ts';
import type { Settings } from '../journal/settings.ts';
import type { Stamper } from '../journal/stamp.ts';
import type { Clock, Log } from '../ports.ts';
import { StartRefusal } from '../refusal.ts';
import { type Database, isDamage, openDatabase } from '../store/database.ts';
import { rememberPlace } from '../store/file-place.ts';
import { findDamage } from './integrity-check.ts';
import { createQuarantineStore, type Quarantine, type QuarantineStore } from './quarantine.ts';
import { recoverSettings } from './recovered-rows.ts';
import { openSidecarLog, readSidecarLog, type SidecarLog, type SidecarLogContent } from './sidecar-log.ts';

export type DurableJournalPorts = {
  /** The data folder. */
  readonly folder: string;
  readonly stamper: Stamper;
  readonly clock: Clock;
  readonly log: Log;
  /** Told after each step of putting a journal aside; a test stops there. */
  readonly step?: (what: string) => void;
};

/** What stands behind the journal at the moment. It changes when a damaged one is put aside. */
export type CurrentJournal = {
  readonly database: Database;
  readonly journal: Journal;
  readonly sidecarLog: SidecarLog;
  /** Whether the journal's files are still the ones in the data folder. */
  readonly isInPlace: () => boolean;
};

export type DurableJournal = {
  readonly journal: Journal;
  readonly current: () => CurrentJournal;
  /** Puts the journal aside because of `why` and begins a new one. */
  readonly putAside: (why: string) => void;
  readonly quarantines: QuarantineStore;
  /** Whether the copies must be made anew: payloads were erased, or the witness does not reach back far enough. */
  readonly backupWanted: () => boolean;
  readonly backupMade: () => void;
  /** Told when there is something to do in the background. */
  readonly onWork: (listen: () => void) => void;
};

/** Opens (or makes) the journal of a data folder. @throws StartRefusal as `openDatabase` does, but never `damaged` */
export function openDurableJournal(ports: DurableJournalPorts): DurableJournal {
  const { folder, stamper, clock, log } = ports;
  const path = join(folder, 'journal.db');
  const sidecarPath = join(folder, 'journal.tail');
  const quarantines = createQuarantineStore(folder, ports.step);
  let backupWanted = false;
  let listener = (): void => undefined;

  const moveAway = (why: string): void => {
    const quarantine = putAsideOrRefuse(quarantines, why, clock.now());
    log.error('the journal is damaged; it was put aside and a new one begun', {
      why,
      folder: quarantine.name,
    });
  };

  const openOnce = (): CurrentJournal => {
    const seen = readSidecarLog(sidecarPath);
    const why = findDamage(path, seen);
    if (why !== null) moveAway(why);
    const database = openDatabase(path, { durability: 'full', migrations: JOURNAL_MIGRATIONS });
    try {
      beginEpoch(database, quarantines);
      const journal = createJournal(database, stamper);
      const sidecarLog = openSidecarLog(sidecarPath, log);
      if (agree(journal.settings, database, sidecarLog, why === null ? seen : readSidecarLog(sidecarPath)))
        backupWanted = true;
      return { database, journal, sidecarLog, isInPlace: rememberPlace(path) };
    } catch (error) {
      database.close();
      throw error;
    }
  };

  const open = (): CurrentJournal => {
    try {
      return openOnce();
    } catch (error) {
      if (!isDamage(error)) throw error;
      moveAway('SQLite cannot open it');
      return openOnce();
    }
  };

  quarantines.finishMoves();
  let opened: CurrentJournal | null = open();
  const current = (): CurrentJournal => {
    opened ??= open();
    return opened;
  };

  const putAside = (why: string): void => {
    const { database, sidecarLog } = current();
    opened = null;
    sidecarLog.close();
    try {
      database.close();
    } catch (error) {
      log.warn('the damaged journal could not be closed in order', { error: String(error) });
    }
    moveAway(why);
    opened = open();
    listener();
  };

  const call = <Result>(use: (journal: Journal) => Result): Result => {
    try {
      return use(current().journal);
    } catch (error) {
      if (!isDamage(error)) throw error;
      putAside('SQLite met damage while it ran');
      return use(current().journal);
    }
  };

  const through = everyCallThrough(current().journal, call);
  const journal: Journal = {
    ...through,
    record: (draft, visitor) => {
      const recorded = through.record(draft, visitor);
      current().sidecarLog.appendFact(rowOfFact(recorded.fact));
      return recorded;
    },
    recordAll: (drafts, visitor) => {
      const recorded = through.recordAll(drafts, visitor);
      for (const { fact } of recorded) current().sidecarLog.appendFact(rowOfFact(fact));
      return recorded;
    },
    erase: (visitor) => {
      const erased = through.erase(visitor);
      if (erased > 0) {
        current().sidecarLog.appendErasure();
        backupWanted = true;
        listener();
      }
      return erased;
    },
    settings: {
      ...through.settings,
      set: (key, value) => {
        if (through.settings.get(key) === value) return;
        current().sidecarLog.appendSetting(key, value);
        through.settings.set(key, value);
      },
    },
    close: () => {
      opened?.sidecarLog.close();
      opened?.database.close();
      opened = null;
    },
  };
  return {
    journal,
    current,
    putAside,
    quarantines,
    backupWanted: () => backupWanted,
    backupMade: () => {
      backupWanted = false;
    },
    onWork: (listen) => {
      listener = listen;
    },
  };
}

function putAsideOrRefuse(quarantines: QuarantineStore, why: string, now: number): Quarantine {
  try {
    return quarantines.putAside(why, now);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new StartRefusal(
      'unwritable',
      `The journal is damaged (${why}) and cannot be put aside (${String(error.code)}). Nothing was lost by this; ` +
        'make the data folder writable and start again, or choose another folder with --data.',
    );
  }
}

/** After a damaged journal the new one begins a book of its own, with what the old one knew of this device. */
function beginEpoch(database: Database, store: QuarantineStore): void {
  const quarantines = store.all();
  const newest = quarantines.at(-1);
  if (
    newest === undefined ||
    readChainGaps(database).some((seam) => seam.opensEpoch && seam.quarantine === newest.name)
  ) {
    return;
  }
  const { settings, highest, lastHash, emails } = recoverSettings(newest.folder);
  const write = database.prepare('INSERT OR IGNORE INTO setting (key, value) VALUES (?, ?)');
  const wait = database.prepare(
    'INSERT OR IGNORE INTO email (type, visitor, asked_at) VALUES (@type, @visitor, @asked_at)',
  );
  database
    .transaction(() => {
      const seq = firstOfNextEpoch(highest, quarantines.length);
      writeChainGap(database, {
        seq,
        previousHash: lastHash ?? CHAIN_START,
        quarantine: newest.name,
        opensEpoch: true,
      });
      for (const [key, value] of settings) write.run(key, value);
      for (const email of emails) wait.run(email);
    })
    .immediate();
}

/** Makes journal and witness say the same again after an end between the two; true when copies are wanted. */
function agree(
  settings: Settings,
  database: Database,
  sidecarLog: SidecarLog,
  seen: SidecarLogContent,
): boolean {
  // A setting is told to the witness first: where they differ, the witness has the later word.
  const write = database.prepare('INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)');
  const kept = settings.all();
  for (const [key, value] of seen.settings) if (kept.get(key) !== value) write.run(key, value);
  const last = seen.facts.at(-1)?.seq;
  if (!seen.present || seen.doubtful > 0 || last === undefined) {
    for (const [key, value] of settings.all())
      if (seen.settings.get(key) !== value) sidecarLog.appendSetting(key, value);
  }
  const unseen = database
    .prepare<[number], FactRow>('SELECT * FROM fact WHERE seq > ? ORDER BY seq LIMIT 1000')
    .all(last ?? Number.MAX_SAFE_INTEGER);
  for (const row of unseen) sidecarLog.appendFact(row);
  const hasFacts = database.prepare('SELECT 1 FROM fact LIMIT 1').get() !== undefined;
  return seen.erased || seen.doubtful > 0 || (!seen.present && hasFacts);
}

type Calls = Readonly<Record<string, unknown>>;

/** The same object again, whose every function, also one level down, goes through `call`. */
function everyCallThrough(
  sample: Journal,
  call: <Result>(use: (journal: Journal) => Result) => Result,
): Journal {
  const wrap = (part: Calls, pick: (journal: Journal) => Calls, depth: number): Calls =>
    Object.fromEntries(
      Object.entries(part).map(([name, value]) => {
        if (typeof value === 'function') {
          return [
            name,
            (...args: readonly unknown[]) =>
              call((journal) => (pick(journal)[name] as (...given: readonly unknown[]) => unknown)(...args)),
          ];
        }
        if (depth === 0 && typeof value === 'object' && value !== null) {
          return [name, wrap(value as Calls, (journal) => pick(journal)[name] as Calls, 1)];
        }
        return [name, value];
      }),
    );
  return wrap(sample, (journal) => journal, 0) as Journal;
}
