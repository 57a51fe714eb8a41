/**
 * Moves a damaged journal aside to `quarantine-<time>/` in the data folder, with every file that may still hold
 * facts.
 *
 * Invariants:
 * - Nothing is deleted or overwritten. Files are only renamed.
 * - The log moves before its database, because SQLite would apply a remaining log to a new file of that name.
 * - An interrupted move is finished at the next start, before any file is opened.
 * - The note in the folder holds numbers and states, never personal data.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '../../foundations/store/sync-folder.ts';

/** The files to move, in order. */
const MOVED = [
  'journal.db-wal',
  'journal.db-shm',
  'journal.db-journal',
  'journal.tail',
  'backup',
  'journal.db',
] as const;
const NOTE = 'note.json';

/** Content of the note. `moving`: files may still be at their old place. `open`: facts wait for recovery. */
export type QuarantineNote = {
  readonly state: 'moving' | 'open' | 'done';
  /** The damage, without content of facts. */
  readonly why: string;
  /** ISO time of detection. */
  readonly foundAt: string;
  readonly result?: SalvageResult;
};

/** Result of the recovery. `missing`: how many numbers no source holds. */
export type SalvageResult = {
  readonly salvaged: number;
  readonly alreadyThere: number;
  readonly missing: number;
  /** Recovered facts that are sent, confirmed or parked. */
  readonly stateKept: number;
  /** Recovered facts that are read back before they are sent again. */
  readonly uncertain: number;
};

/** One folder of damaged files. */
export type Quarantine = { readonly name: string; readonly folder: string; readonly note: QuarantineNote };

export type QuarantineStore = {
  /** Moves the journal of the data folder to quarantine. The journal must be closed. */
  readonly putAside: (why: string, now: number) => Quarantine;
  /** Finishes interrupted moves. Returns how many. */
  readonly finishMoves: () => number;
  /** All quarantines, oldest first. */
  readonly all: () => readonly Quarantine[];
  readonly close: (quarantine: Quarantine, result: SalvageResult) => void;
};

/** The quarantines of a data folder. `step` is called after each step, so that a test can stop there. */
export function createQuarantineStore(
  dataFolder: string,
  step: (what: string) => void = () => undefined,
): QuarantineStore {
  const all = (): readonly Quarantine[] =>
    (existsSync(dataFolder) ? readdirSync(dataFolder) : [])
      .filter((name) => name.startsWith('quarantine-') && existsSync(join(dataFolder, name, NOTE)))
      .toSorted()
      .map((name) => ({ name, folder: join(dataFolder, name), note: readNote(join(dataFolder, name)) }));

  const move = (quarantine: Quarantine): Quarantine => {
    for (const file of MOVED) {
      const from = join(dataFolder, file);
      const to = join(quarantine.folder, file);
      if (!existsSync(from) || existsSync(to)) continue;
      renameSync(from, to);
      step(`moved ${file}`);
    }
    syncFolder(quarantine.folder);
    syncFolder(dataFolder);
    const note: QuarantineNote = { ...quarantine.note, state: 'open' };
    writeNote(quarantine.folder, note);
    step('moved all');
    return { ...quarantine, note };
  };

  return {
    all,
    putAside: (why, now) => {
      const foundAt = new Date(now).toISOString();
      const name = freeName(dataFolder, `quarantine-${foundAt.replaceAll(':', '-').replace(/\.\d+Z$/, 'Z')}`);
      const folder = join(dataFolder, name);
      mkdirSync(folder, { mode: 0o700 });
      const note: QuarantineNote = { state: 'moving', why, foundAt };
      writeNote(folder, note);
      step('noted');
      return move({ name, folder, note });
    },
    finishMoves: () => {
      const halfDone = all().filter((quarantine) => quarantine.note.state === 'moving');
      for (const quarantine of halfDone) move(quarantine);
      return halfDone.length;
    },
    close: (quarantine, result) =>
      writeNote(quarantine.folder, { ...quarantine.note, state: 'done', result }),
  };
}

function freeName(dataFolder: string, wanted: string): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${wanted}-${String(count).padStart(3, '0')}`;
    if (!existsSync(join(dataFolder, name))) return name;
  }
}

/** Reads a note. A note in an unknown format counts as `open`. */
function readNote(folder: string): QuarantineNote {
  const unread: QuarantineNote = {
    state: 'open',
    why: 'the note of this folder cannot be read',
    foundAt: '',
  };
  try {
    const note = JSON.parse(readFileSync(join(folder, NOTE), 'utf8')) as Partial<QuarantineNote> | null;
    return note?.state === 'moving' || note?.state === 'open' || note?.state === 'done'
      ? { ...unread, ...note }
      : unread;
  } catch (error) {
    if (error instanceof SyntaxError) return unread;
    throw error;
  }
}

function writeNote(folder: string, note: QuarantineNote): void {
  const part = join(folder, `${NOTE}.part`);
  const file = openSync(part, 'w', 0o600);
  try {
    writeSync(file, `${JSON.stringify(note, null, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(part, join(folder, NOTE));
  syncFolder(folder);
}
