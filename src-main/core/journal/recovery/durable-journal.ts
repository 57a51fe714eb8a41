/**
 * The journal that survives damage. It is checked when it is opened. A damaged journal is quarantined and replaced, even
 * while the app runs. A sidecar log and backups belong to it.
 *
 *     open:  finish moves ► `journal-opening.ts`
 *     call:  SQLite reports damage ► quarantine ► open ► repeat the call, so the tap of that call is recorded
 *
 * Invariants:
 * - Callers keep the same object while the file is replaced.
 * - The sidecar log is written after the commit of a fact and before the commit of a setting.
 * - A photo or voice note is removed after its erasure or undo is committed.
 */

import type { Clock, Log } from '../../foundations/ports.ts';
import { StartRefusal } from '../../foundations/refusal.ts';
import { everyCallThrough } from '../../foundations/store/call-through.ts';
import { isDamage } from '../../foundations/store/database.ts';
import { BACKUP_AFTER_FACTS } from '../../foundations/time/times.ts';
import {
  type AttachmentFiles,
  createAttachmentFiles,
  namedFiles,
  removeUnnamed,
} from '../attachments/attachment-files.ts';
import { rowOfFact } from '../facts/fact-rows.ts';
import type { Journal } from '../facts/journal.ts';
import type { Stamper } from '../facts/stamp.ts';
import { type CurrentJournal, openCurrent } from './journal-opening.ts';
import { createQuarantineStore, type Quarantine, type QuarantineStore } from './quarantine.ts';

type DurableJournalPorts = {
  /** The data folder. */
  readonly folder: string;
  readonly stamper: Stamper;
  readonly clock: Clock;
  readonly log: Log;
  /** Called after each step of a quarantine, so that a test can stop there. */
  readonly step?: (what: string) => void;
};

export type DurableJournal = {
  readonly journal: Journal;
  readonly current: () => CurrentJournal;
  /** Quarantines the journal because of `why` and starts a new one. */
  readonly putAside: (why: string) => void;
  readonly quarantines: QuarantineStore;
  /** The photos and voice notes that facts name. */
  readonly attachments: AttachmentFiles;
  /**
   * Whether a new backup is required: payloads were erased, or the sidecar log does not reach back to the last
   * backup.
   */
  readonly backupWanted: () => boolean;
  readonly backupMade: () => void;
  /** Sets the listener that is called when background work becomes due. */
  readonly onWork: (listen: () => void) => void;
};

/** Opens or creates the journal of a data folder. @throws StartRefusal; after damage only if quarantining fails */
export function openDurableJournal(ports: DurableJournalPorts): DurableJournal {
  const { folder, clock, log } = ports;
  const quarantines = createQuarantineStore(folder, ports.step);
  let backupWanted = false;
  let listener = (): void => undefined;

  const moveAway = (why: string): void => {
    const quarantine = putAsideOrRefuse(quarantines, why, clock.now());
    log.error('the journal is damaged; it was quarantined and a new one started', {
      why,
      folder: quarantine.name,
    });
  };
  const wantBackup = (): void => {
    backupWanted = true;
  };
  const open = (): CurrentJournal => {
    // An interrupted move may have left the log in one folder and its database in the other.
    quarantines.finishMoves();
    return openCurrent({
      folder,
      stamper: ports.stamper,
      log,
      quarantines,
      moveAway,
      onBackupWanted: wantBackup,
    });
  };

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
      log.warn('the damaged journal could not be closed', { error: String(error) });
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
      putAside('SQLite found damage while the app ran');
      return use(current().journal);
    }
  };

  const through = everyCallThrough(current().journal, call);
  const attachments = createAttachmentFiles(folder);
  if (quarantines.all().length === 0) removeUnnamed(attachments, current().database);
  const logged = withSidecarLog(through, () => current().sidecarLog, {
    onErased: () => {
      wantBackup();
      listener();
    },
    onManyFacts: () => listener(),
  });
  return {
    attachments,
    journal: {
      ...withAttachments(
        logged,
        attachments,
        () => new Set(namedFiles(current().database).map(({ file }) => file)),
      ),
      close: () => {
        opened?.sidecarLog.close();
        opened?.database.close();
        opened = null;
      },
    },
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

/** A journal that also writes its facts and settings to the sidecar log. */
function withSidecarLog(
  journal: Journal,
  sidecarLog: () => CurrentJournal['sidecarLog'],
  { onErased, onManyFacts }: { readonly onErased: () => void; readonly onManyFacts: () => void },
): Journal {
  const append = (recorded: ReturnType<Journal['recordAll']>): void => {
    for (const { fact } of recorded) sidecarLog().appendFact(rowOfFact(fact));
    if (sidecarLog().length() % BACKUP_AFTER_FACTS < recorded.length) onManyFacts();
  };
  return {
    ...journal,
    record: (draft, visitor) => {
      const recorded = journal.record(draft, visitor);
      append([recorded]);
      return recorded;
    },
    recordAll: (drafts, visitor) => {
      const recorded = journal.recordAll(drafts, visitor);
      append(recorded);
      return recorded;
    },
    erase: (visitor) => {
      const erased = journal.erase(visitor);
      if (erased > 0) {
        sidecarLog().appendErasure();
        onErased();
      }
      return erased;
    },
    eraseLeads: (ids, together) => {
      const facts = journal.eraseLeads(ids, together);
      if (facts.length > 0) {
        sidecarLog().appendErasure();
        onErased();
      }
      return facts;
    },
    settings: {
      ...journal.settings,
      set: (key, value) => {
        if (journal.settings.get(key) === value) return;
        sidecarLog().appendSetting(key, value);
        journal.settings.set(key, value);
      },
      setAll: (values) => {
        const before = journal.settings.all();
        for (const [key, value] of Object.entries(values))
          if (before.get(key) !== value) sidecarLog().appendSetting(key, value);
        journal.settings.setAll(values);
      },
    },
  };
}

/** A journal that also removes the files of facts that it erases or undoes. */
function withAttachments(
  journal: Journal,
  files: AttachmentFiles,
  named: () => ReadonlySet<string>,
): Journal {
  const andFiles = <Result>(erase: () => Result): Result => {
    const before = named();
    const result = erase();
    if (before.size > 0) {
      const left = named();
      files.remove([...before].filter((file) => !left.has(file)));
    }
    return result;
  };
  return {
    ...journal,
    recordAll: (drafts, visitor) =>
      drafts.some(({ kind }) => kind === 'undo')
        ? andFiles(() => journal.recordAll(drafts, visitor))
        : journal.recordAll(drafts, visitor),
    erase: (visitor) => andFiles(() => journal.erase(visitor)),
    eraseLeads: (ids, together) => andFiles(() => journal.eraseLeads(ids, together)),
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
