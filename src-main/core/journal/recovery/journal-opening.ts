/**
 * Opens the journal of a data folder so that it can be trusted.
 *
 *     check ► (damage: quarantine) ► open, or refuse a newer version ► new epoch? ► reconcile settings and sidecar log
 *
 * Invariants:
 * - Only damage quarantines a journal, never a full, busy or read-only disk.
 * - No empty journal is started while backups hold facts: staff must run `npm run restore` first.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../foundations/ports.ts';
import { StartRefusal } from '../../foundations/refusal.ts';
import { type Database, isDamage, openDatabase } from '../../foundations/store/database.ts';
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

/** The current files of the journal. They change when a damaged journal is quarantined. */
export type CurrentJournal = {
  readonly database: Database;
  readonly journal: Journal;
  readonly sidecarLog: SidecarLog;
  /** Rewrites the sidecar log with the journal's current facts from `seq` on. */
  readonly renewSidecarLog: (seq: number) => void;
  /** Whether the open files are still the ones in the data folder. */
  readonly isInPlace: () => boolean;
};

type OpeningPorts = {
  /** The data folder. */
  readonly folder: string;
  readonly stamper: Stamper;
  readonly log: Log;
  readonly quarantines: QuarantineStore;
  /** Moves the journal's files to quarantine because of `why`. @throws StartRefusal if they cannot be moved */
  readonly moveAway: (why: string) => void;
  /** A new backup is required: backups hold erased payloads, or the sidecar log does not reach back to them. */
  readonly onBackupWanted: () => void;
};

/** Opens or creates the journal. @throws StartRefusal; after damage only if the files cannot be moved */
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

/** An empty journal beside backups with facts means a lost journal. Starting would report that nothing was captured. */
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

/** After a damaged journal the new one starts its own journal epoch, with the old settings and pending e-mails. */
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

/** Reconciles journal and sidecar log after a crash between their writes. Returns true when a backup is required. */
function agree(
  settings: Settings,
  database: Database,
  sidecarLog: SidecarLog,
  seen: SidecarLogContent,
): boolean {
  // A setting is written to the sidecar log first, so where they differ the sidecar log is newer.
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

/** The identity of a file, which a later file at the same path does not have. */
type Identity = { readonly device: number; readonly inode: number };

/**
 * Records the identity of the file at `path` and of its write-ahead log, while the database is open. SQLite keeps writing
 * into deleted files, and every commit succeeds, but after the next start that data is gone. A check costs two `stat`
 * calls (a few microseconds).
 *
 * @returns whether the path still leads to the same files
 */
function rememberPlace(path: string): () => boolean {
  const database = identityOf(path);
  let log = identityOf(`${path}-wal`);
  return () => {
    if (!isSame(database, identityOf(path))) return false;
    const now = identityOf(`${path}-wal`);
    // The first read of the database creates the log. It exists while a connection is open.
    log ??= now;
    return isSame(log, now);
  };
}

function identityOf(path: string): Identity | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : { device: found.dev, inode: found.ino };
}

function isSame(one: Identity | null, other: Identity | null): boolean {
  return one?.device === other?.device && one?.inode === other?.inode;
}
