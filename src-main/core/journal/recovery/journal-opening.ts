/**
 * Opening the journal of a data folder so that it can be believed.
 *
 *     refuse what is not ours to judge ► look ► (damage: put aside) ► open ► new epoch? ► settings and sidecar log agree
 *
 * Invariants: only damage puts a journal aside, never a full, busy or read-only disk; nothing begins empty beside
 * backups that hold facts: a person says `npm run restore`.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../foundations/ports.ts';
import { StartRefusal } from '../../foundations/refusal.ts';
import { type Database, isDamage, openDatabase } from '../../foundations/store/database.ts';
import { rememberPlace } from '../../foundations/store/file-place.ts';
import { firstOfNextEpoch, readChainGaps, writeChainGap } from '../facts/chain-gaps.ts';
import { CHAIN_START } from '../facts/fact.ts';
import type { FactRow } from '../facts/fact-rows.ts';
import { createJournal, type Journal } from '../facts/journal.ts';
import { JOURNAL_MIGRATIONS } from '../facts/schema.ts';
import type { Settings } from '../facts/settings.ts';
import type { Stamper } from '../facts/stamp.ts';
import { copiesIn, factsIn } from './backup.ts';
import { findDamage } from './integrity-check.ts';
import type { QuarantineStore } from './quarantine.ts';
import { recoverSettings } from './recovered-rows.ts';
import { openSidecarLog, readSidecarLog, type SidecarLog, type SidecarLogContent } from './sidecar-log.ts';

/** What stands behind the journal at the moment. It changes when a damaged one is put aside. */
export type CurrentJournal = {
  readonly database: Database;
  readonly journal: Journal;
  readonly sidecarLog: SidecarLog;
  /** Writes the sidecar log anew, with the facts from `seq` on as the journal has them now. */
  readonly renewSidecarLog: (seq: number) => void;
  /** Whether the journal's files are still the ones in the data folder. */
  readonly isInPlace: () => boolean;
};

export type OpeningPorts = {
  /** The data folder. */
  readonly folder: string;
  readonly stamper: Stamper;
  readonly log: Log;
  readonly quarantines: QuarantineStore;
  /** Puts the files of the journal aside because of `why`. @throws StartRefusal where they cannot be moved */
  readonly moveAway: (why: string) => void;
  /** The copies are to be made anew: they hold what was erased, or the sidecar log does not reach back to them. */
  readonly onBackupWanted: () => void;
};

/** Opens (or makes) the journal. @throws StartRefusal as `openDatabase` does, but never `damaged` */
export function openCurrent(ports: OpeningPorts): CurrentJournal {
  try {
    return openOnce(ports);
  } catch (error) {
    if (!isDamage(error)) throw error;
    ports.moveAway('SQLite cannot open it');
    return openOnce(ports);
  }
}

function openOnce({
  folder,
  stamper,
  log,
  quarantines,
  moveAway,
  onBackupWanted,
}: OpeningPorts): CurrentJournal {
  const path = join(folder, 'journal.db');
  const sidecarPath = join(folder, 'journal.tail');
  for (const file of [path, sidecarPath]) refuseFolder(file);
  const seen = readSidecarLog(sidecarPath);
  const why = findDamage(path, seen);
  if (why !== null) moveAway(why);
  else if (seen.facts.length === 0) refuseUnrestored(folder, path);
  const database = openDatabase(path, { durability: 'full', migrations: JOURNAL_MIGRATIONS });
  try {
    beginEpoch(database, quarantines);
    const journal = createJournal(database, stamper);
    const content = why === null ? seen : readSidecarLog(sidecarPath);
    const sidecarLog = openSidecarLog(sidecarPath, log, content.facts.length);
    if (agree(journal.settings, database, sidecarLog, content)) onBackupWanted();
    const factsFrom = database.prepare<[number], FactRow>('SELECT * FROM fact WHERE seq >= ? ORDER BY seq');
    const renewSidecarLog = (seq: number) => sidecarLog.restart(journal.settings.all(), factsFrom.all(seq));
    return { database, journal, sidecarLog, renewSidecarLog, isInPlace: rememberPlace(path) };
  } catch (error) {
    database.close();
    throw error;
  }
}

function refuseFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  throw new StartRefusal(
    'unwritable',
    `${path} is a folder where a file of Touchpoint belongs. Move it away, or choose another folder with --data.`,
  );
}

/** An empty journal beside copies with facts was lost: going on would say that nothing was ever captured. */
function refuseUnrestored(folder: string, path: string): void {
  if (factsIn(path).length > 0) return;
  const facts = Math.max(0, ...copiesIn(folder).map((copy) => factsIn(join(folder, copy)).length));
  if (facts === 0) return;
  throw new StartRefusal(
    'missing',
    `The journal of ${folder} is gone, but its backup holds ${facts} interactions. ` +
      `Bring them back with: npm run restore -- --data "${folder}". Nothing was changed.`,
  );
}

/** After a damaged journal the new one begins an epoch of its own, with what the old one knew of this device. */
function beginEpoch(database: Database, store: QuarantineStore): void {
  const quarantines = store.all();
  const newest = quarantines.at(-1);
  if (
    newest === undefined ||
    readChainGaps(database).some((gap) => gap.opensEpoch && gap.quarantine === newest.name)
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

/** Makes journal and sidecar log say the same again after an end between the two; true when copies are wanted. */
function agree(
  settings: Settings,
  database: Database,
  sidecarLog: SidecarLog,
  seen: SidecarLogContent,
): boolean {
  // A setting goes to the sidecar log first: where they differ, that has the later word.
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
